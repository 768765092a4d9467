const units = [
  [1e12, "T"],
  [1e9, "B"],
  [1e6, "M"],
  [1e3, "K"],
] as const;

/**
 * The number of parameters, beside the one that a file states: `8.03 B parameters, as the file
 * says`.
 */
export function countWords(own: number, published?: number): string {
  const words = `${short(own)} parameters`;
  if (published === undefined) return `${words}.`;
  if (own === published) return `${words}, as the file says.`;
  const difference = Math.abs(own - published);
  const share = published === 0 ? "" : ` (${((100 * difference) / published).toPrecision(2)} %)`;
  const side = own > published ? "more" : "fewer";
  return `${words}, ${short(difference)} ${side} than the ${short(published)} of the file${share}.`;
}

function short(count: number): string {
  const [size, unit] = units.find(([each]) => count >= each) ?? [1, ""];
  return unit === "" ? String(count) : `${(count / size).toPrecision(3)} ${unit}`;
}
