import { wordsFrom } from "./far-words.ts";

/**
 * Least zoom at which names and bars are drawn: `usual` with letters of the usual size, `large`
 * with larger letters. Below, only shapes are drawn.
 *
 * @internal
 */
export const leastMid = { usual: 0.6, large: 0.35 } as const;

/**
 * Level of detail at a zoom. `near`: everything; `mid`: names and bars; `mid lod-low`: the same in
 * larger letters; `far` and `far lod-least`: one bitmap, the latter with labels over shapes.
 */
export function levelOf(zoom: number): "near" | "mid" | "mid lod-low" | "far" | "far lod-least" {
  if (Math.round(zoom * 100) >= 75) return "near";
  if (zoom >= leastMid.large) return zoom < leastMid.usual ? "mid lod-low" : "mid";
  return zoom >= wordsFrom ? "far" : "far lod-least";
}
