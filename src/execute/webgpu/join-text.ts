import type { Combine } from "#core/ir/body";

/** Two numbers joined as a reduction joins them. */
export function joinText(combine: Combine, a: string, b: string): string {
  if (combine === "sum") return `${a} + ${b}`;
  if (combine === "prod") return `${a} * ${b}`;
  return `${combine}(${a}, ${b})`;
}
