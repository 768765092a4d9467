import { type Part, partSize } from "#core/mesh";

/** `dp, mp`: the axes among the parts of a dim. */
export function axesText(parts: readonly Part[]): string {
  return parts.flatMap((part) => (part.kind === "axis" ? [part.axis] : [])).join(", ");
}

/** Into how many pieces mesh parts cut. */
export function piecesOf(parts: readonly Part[]): number {
  return parts.reduce((pieces, part) => pieces * partSize(part), 1);
}

/** `1 device`, `4 devices`. */
export function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}
