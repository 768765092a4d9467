/** Axis names per identifier (of a strategy) or per dim (of a layout), outermost first. */
export type AxisLists = Readonly<Record<string, readonly string[]>>;

/** Axis names as Python: one as a string, several as a tuple of strings. */
export function axesText(axes: readonly string[]): string {
  const quoted = axes.map((axis) => `"${axis}"`);
  return quoted.length === 1 ? quoted.join("") : `(${quoted.join(", ")})`;
}
