import type { Part } from "#core/mesh";

/** Mesh axes that cut a dim: `dp, mp`; empty when it is whole. */
export function axesText(parts: readonly Part[]): string {
  return parts.flatMap((part) => (part.kind === "axis" ? [part.axis] : [])).join(", ");
}

/** `1 device`, `4 devices`. */
export function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}
