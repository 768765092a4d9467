import { wordsFrom } from "./far-words.ts";

/**
 * The least zoom at which names and bars are drawn, in letters of the usual size and in large ones;
 * from farther away there are shapes alone.
 *
 * @internal
 */
export const leastMid = { usual: 0.6, large: 0.35 } as const;

/**
 * How much is drawn at a zoom, as its percentage says: everything, names and bars, names alone, or
 * shapes with words over them.
 */
export function levelOf(zoom: number): "near" | "mid" | "mid lod-low" | "far" | "far lod-least" {
  if (Math.round(zoom * 100) >= 75) return "near";
  if (zoom >= leastMid.large) return zoom < leastMid.usual ? "mid lod-low" : "mid";
  return zoom >= wordsFrom ? "far" : "far lod-least";
}
