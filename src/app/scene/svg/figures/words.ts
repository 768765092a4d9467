import { monoFont, uiFont } from "../../fonts.ts";
import type { Hue } from "../../hue.ts";
import type { SvgColours } from "../svg-colours.ts";
import { element, escaped } from "../svg-writer.ts";

/** Dash pattern of a cut line by the hue of its axis, since a line has no texture. */
export const cutDashes: Readonly<Record<Hue, string | undefined>> = {
  1: undefined,
  2: "7 3",
  3: "4 2.5",
  4: "1.5 2.5",
  5: "7 2 1.5 2",
  6: "7 2 1.5 2 1.5 2",
  7: "10 4",
  8: "3 1.5",
};

/** Look of a figure's text. */
interface WordsLook {
  readonly face?: "ui" | "mono";
  readonly size?: number;
  readonly weight?: number;
  readonly fill?: string;
  readonly anchor?: "start" | "middle" | "end";
}

/** A text at a position in a figure, by default in the ink of plain words. */
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

/** Upper bound of a text's width in CSS pixels. */
export function widthOf(text: string, size = 12): number {
  return text.length * size * 0.6;
}
