/**
 * The least zoom at which names and bars are drawn, in letters of the usual size and in large ones;
 * from farther away there are shapes alone.
 *
 * @internal
 */
export const leastMid = { usual: 0.6, large: 0.35 } as const;

/** How much is drawn at a zoom, as its percentage says: everything, names and bars, or shapes. */
export function levelOf(zoom: number): "near" | "mid" | "mid lod-low" | "far" {
  if (Math.round(zoom * 100) >= 75) return "near";
  return zoom >= leastMid.large ? (zoom < leastMid.usual ? "mid lod-low" : "mid") : "far";
}
