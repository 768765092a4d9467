import { monoFont, uiFont } from "../fonts.ts";
import { layoutOf } from "../graph/layouts.testing.ts";
import { type SvgTheme, svgColours } from "../svg/svg-colours.ts";
import { marksSvg } from "../svg/svg-marks.ts";
import { element, escaped, pictureFile } from "../svg/svg-writer.ts";
import { labelText } from "../text/label.ts";
import { glyphOf } from "./glyph.ts";
import { orientationOf } from "./orientation.ts";

/** A tensor of the sheet: its layout, and the title of its drawing. */
interface Part {
  readonly title: string;
  readonly mesh: string;
  readonly layout: string;
  readonly shape: readonly number[];
  readonly dimNames: readonly string[];
}

const two = ["i", "j"];

const parts: readonly Part[] = [
  part("2 × 2", "dp=2,mp=2", "dp,mp", [64, 64]),
  part("4 × 2", "dp=4,mp=2", "dp,mp", [64, 64]),
  part("8 × 8", "dp=8,mp=8", "dp,mp", [64, 64]),
  part("4 ways", "a=2,b=2,c=2,d=2,ep=4", "ep,_", [64, 64]),
  part("8 ways, across", "a=2,b=2,mp=8", "_,mp", [64, 64]),
  part("16 ways", "mp=16", "mp,_", [64, 64]),
  part("16 ways, across", "dp=2,mp=16", "_,mp", [64, 64]),
  part("64 ways", "mp=64", "mp,_", [64, 64]),
  part("64 ways, across", "a=2,mp=64", "_,mp", [64, 64]),
  part("Two axes on one dim", "dp=2,mp=8", "_,dp*mp", [64, 64]),
  part("Three axes", "dp=2,sp=4,mp=2", "dp*sp,mp", [64, 64]),
  part("In facets", "b=2,sp=4,mp=2", "b,sp,mp", [2, 64, 64], ["b", "s", "f"]),
  part("Copies", "dp=4,mp=2", "_,_", [64, 64]),
  part("Cut and copies", "dp=2,mp=4", "_,mp", [64, 64]),
  part("A sum to add", "sp=4,mp=2", "sp,_|mp", [64, 64]),
  part("A sum, 2 × 2", "dp=2,sp=2,mp=2", "dp,sp|mp", [64, 64]),
  part("Uneven", "tp=4", "_,tp", [8, 10]),
  part("Uneven, 16 ways", "tp=16,dp=2", "tp,dp", [52, 7]),
];

function part(
  title: string,
  mesh: string,
  layout: string,
  shape: readonly number[],
  dimNames: readonly string[] = two,
): Part {
  return { title, mesh, layout, shape, dimNames };
}

/** Drawing sizes on a canvas card and in the inspector. */
const [small, large] = [
  { width: 58, height: 50 },
  { width: 148, height: 112 },
];
const gap = 14;
const cell = { width: small.width + large.width + 2 * gap + 8, height: large.height + 56 };
const perRow = 4;

/** All parts as one SVG file, drawn by the code that draws them in the product. */
export function glyphSheet(theme: SvgTheme): string {
  const rows = Math.ceil(parts.length / perRow);
  const body = {
    width: perRow * cell.width,
    height: rows * cell.height,
    marks: parts.map((each, at) => partSvg(each, at, theme)).join("\n"),
  };
  const title =
    "How tensors are drawn that are cut 2 to 64 ways, as on a card and as in the inspector";
  return `${pictureFile(body, { theme, title })}\n`;
}

function partSvg({ title, mesh, shape, dimNames, ...of }: Part, at: number, theme: SvgTheme) {
  const colours = svgColours[theme];
  const layout = layoutOf(mesh, of.layout);
  const drawn = { layout, shape, dimNames, orientation: orientationOf(shape.length, [layout]) };
  const place = (x: number, y: number) => ({ transform: `translate(${x} ${y})` });
  const glyph = (size: typeof small, x: number) =>
    element("g", place(x, 40), marksSvg(glyphOf(drawn, size).marks, colours));
  const words = [
    text(title, { y: 14, "font-family": uiFont, "font-size": 12, "font-weight": 600 }, colours.ink),
    text(
      `${labelText(layout, dimNames)}  ${mesh}`,
      { y: 30, "font-family": monoFont, "font-size": 11 },
      colours.ink2,
    ),
  ];
  const [column, row] = [at % perRow, Math.floor(at / perRow)];
  return element(
    "g",
    place(column * cell.width, row * cell.height),
    [...words, glyph(small, 2), glyph(large, small.width + 2 * gap)].join(""),
  );
}

function text(words: string, look: Readonly<Record<string, string | number>>, fill: string) {
  return element("text", { x: 0, fill, ...look }, escaped(words));
}
