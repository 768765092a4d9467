/** Axis names per identifier (of a strategy) or per dim (of a layout), outermost first. */
export type AxisLists = Readonly<Record<string, readonly string[]>>;

/** Axis names as Python text: a string, or a tuple of strings for several. */
export function axesText(axes: readonly string[]): string {
  const quoted = axes.map((axis) => `"${axis}"`);
  return quoted.length === 1 ? quoted.join("") : `(${quoted.join(", ")})`;
}
