/** How long something is on a device: a number, or code where devices differ. */
export type Length = number | string;

/** The product of lengths. */
export function productOf(lengths: readonly Length[]): Length {
  const numbers = lengths.filter((length) => typeof length === "number");
  const codes = lengths.filter((length) => typeof length === "string");
  const product = numbers.reduce((n, length) => n * length, 1);
  if (codes.length === 0) return product;
  return [...(product === 1 ? [] : [String(product)]), ...codes].join(" * ");
}
