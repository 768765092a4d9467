/** One name as a string, several as a tuple of them. */
export function axesText(axes: readonly string[]): string {
  const quoted = axes.map((axis) => `"${axis}"`);
  return quoted.length === 1 ? quoted.join("") : `(${quoted.join(", ")})`;
}
