import type { Compiled } from "#compile";
import { cellMarks } from "../../glyph/cell-marks.ts";
import { type Hue, hueOf } from "../../hue.ts";
import type { Rect } from "../../mark.ts";
import type { SvgColours } from "../svg-colours.ts";
import { marksSvg } from "../svg-marks.ts";
import { element, type SvgBody } from "../svg-writer.ts";
import { cutDashes, widthOf, wordsAt } from "./words.ts";

const swatch = { width: 32, height: 20 };
const pitch = 28;
/** Number of shown coordinates per axis; further ones repeat these textures. */
const mostShown = 4;
const lineX = mostShown * (swatch.width + 2) + 4;
const lineLength = 36;
const wordsX = lineX + lineLength + 12;

/** The meaning of a plan's colours and textures: each axis, copies, and sums not yet added. */
export function legendBody(
  { mesh: { mesh } }: Pick<Compiled, "mesh">,
  colours: SvgColours,
): SvgBody {
  const axes = mesh.axes.filter(({ size }) => size > 1);
  const hue = axes[0] === undefined ? 1 : hueOf(mesh, axes[0].name);
  const rows = [
    ...axes.map(({ name, size }) => ({
      name,
      words: `mesh axis of ${size} devices`,
      swatches: (at: Rect) =>
        axisSwatch(at, hueOf(mesh, name), size, colours) + cutSvg(at, hueOf(mesh, name), colours),
    })),
    {
      name: "copies",
      words: "every device of the axis has the same",
      swatches: (at: Rect) =>
        marksSvg(cellMarks(at, whole, { partialHues: [], hatch: hue }), colours) +
        outlined(at, "outline", colours),
    },
    {
      name: "Σ",
      words: "a part of a sum that is still to be added up",
      swatches: (at: Rect) =>
        marksSvg(cellMarks(at, whole, { partialHues: [hue], hatch: undefined }), colours) +
        outlined(at, "broken", colours),
    },
  ];
  const marks = rows.map(({ name, words, swatches }, at) => {
    const y = at * pitch;
    const nameWidth = Math.max(...rows.map((row) => widthOf(row.name))) + 12;
    return (
      swatches({ x: 0, y, ...swatch }) +
      wordsAt(name, wordsX, y + 15, colours, { face: "mono", weight: 600 }) +
      wordsAt(words, wordsX + nameWidth, y + 15, colours)
    );
  });
  const longest = Math.max(...rows.map(({ name, words }) => widthOf(name) + widthOf(words)));
  return { width: wordsX + longest + 12, height: rows.length * pitch - 8, marks: marks.join("\n") };
}

const whole = { fill: undefined, strips: [] };

/** The cut line of an axis. */
function cutSvg({ y, height }: Rect, hue: Hue, colours: SvgColours): string {
  return element("path", {
    d: `M${lineX} ${y + height / 2}h${lineLength}`,
    stroke: colours.axes[hue],
    "stroke-width": 2,
    "stroke-dasharray": cutDashes[hue],
  });
}

/** The first coordinates of an axis side by side. */
function axisSwatch({ x, y }: Rect, hue: Hue, size: number, colours: SvgColours): string {
  return Array.from({ length: Math.min(size, mostShown) }, (_, digit) => {
    const area = { x: x + digit * (swatch.width + 2), y, ...swatch };
    const fill = { hue, digit, size };
    const look = { partialHues: [], hatch: undefined };
    return (
      marksSvg(cellMarks(area, { fill, strips: [] }, look), colours) +
      outlined(area, "outline", colours)
    );
  }).join("");
}

function outlined(area: Rect, role: "outline" | "broken", colours: SvgColours): string {
  return marksSvg([{ kind: "rect", role, ...area }], colours);
}
