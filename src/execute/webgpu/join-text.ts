import type { Combine } from "#core/ir/body";

/** The text that joins two numbers in a reduction. */
export function joinText(combine: Combine, a: string, b: string): string {
  if (combine === "sum") return `${a} + ${b}`;
  if (combine === "prod") return `${a} * ${b}`;
  return `${combine}(${a}, ${b})`;
}
