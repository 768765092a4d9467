import { type Part, partSize } from "#core/mesh";

/** How many blocks some parts make together. */
export function countOf(parts: readonly Part[]): number {
  return parts.reduce((product, part) => product * partSize(part), 1);
}
