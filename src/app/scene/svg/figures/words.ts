import { monoFont, uiFont } from "../../fonts.ts";
import type { SvgColours } from "../svg-colours.ts";
import { element, escaped } from "../svg-writer.ts";

/** How a text of a figure looks. */
interface WordsLook {
  readonly face?: "ui" | "mono";
  readonly size?: number;
  readonly weight?: number;
  readonly fill?: string;
  readonly anchor?: "start" | "middle" | "end";
}

/** A text at its place in a figure, by default in the ink of plain words. */
export function wordsAt(
  text: string,
  x: number,
  y: number,
  colours: SvgColours,
  { face = "ui", size = 12, weight = 400, fill = colours.ink, anchor = "start" }: WordsLook = {},
): string {
  return element(
    "text",
    {
      x,
      y,
      fill,
      "text-anchor": anchor,
      "font-family": face === "mono" ? monoFont : uiFont,
      "font-size": size,
      "font-weight": weight,
    },
    escaped(text),
  );
}

/** Width of a text in so small a size that no letter needs more, in CSS pixels. */
export function widthOf(text: string, size = 12): number {
  return text.length * size * 0.6;
}
