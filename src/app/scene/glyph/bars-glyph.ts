import { blockCount } from "#core/mesh";
import { type Hue, hueOf } from "../hue.ts";
import type { Badge, Glyph, Mark, Rect, Size } from "../mark.ts";
import { type Coordinate, cellMarks } from "./cell-marks.ts";
import { type DrawnDims, type DrawnTensor, type Side, splitDims } from "./drawn-dims.ts";
import { haloMark, hueAlong } from "./halo-marks.ts";
import { haloDim } from "./halos.ts";
import { rulerRoom } from "./panels.ts";
import { rulerMarks } from "./ruler-marks.ts";

const partWidth = 22;
const partHeight = 18;
const haloStrip = 5;
const textFrom = 112;

/**
 * The coarse drawing of a tensor with too many parts: its axis bars, one representative part and,
 * if there is room, the number of parts. It shows no ranges: the table does.
 */
export function barsGlyph(
  tensor: DrawnTensor,
  dims: DrawnDims,
  size: Size,
  badges: readonly Badge[],
): Glyph {
  const sides = barSides(dims);
  const [left, top] = [rulerRoom(sides.down), rulerRoom(sides.across)];
  const isVector = tensor.shape.length === 1;
  const rect = {
    x: left,
    y: top,
    width: size.width - left,
    height: isVector ? Math.min(24, size.height - top) : size.height - top,
  };
  const rulers = [
    ...rulerMarks(sides.across.slots, {
      direction: "across",
      start: rect.x,
      length: rect.width,
      offset: 0,
    }),
    ...rulerMarks(sides.down.slots, {
      direction: "down",
      start: rect.y,
      length: rect.height,
      offset: 0,
    }),
  ];
  const isPartial = tensor.layout.partials.length > 0;
  const used = { width: rect.x + rect.width, height: rect.y + rect.height };
  return {
    detail: "bars",
    ...used,
    marks: [
      ...rulers,
      { kind: "rect", role: "whole", ...rect },
      ...partMarks(tensor, sides, rect),
      { kind: "rect", role: isPartial ? "broken" : "outline", ...rect },
    ],
    cells: [],
    badges,
  };
}

interface BarSides {
  readonly across: Side;
  readonly down: Side;
}

/** Bars of the sharded dims: the outer dims if the inner ones are whole. */
function barSides(dims: DrawnDims): BarSides {
  const isCut = (side: Side) => side.slots.slots.length > 1;
  return {
    across: isCut(dims.columns) ? dims.columns : dims.outerColumns,
    down: isCut(dims.rows) ? dims.rows : dims.outerRows,
  };
}

/** One representative part as it would look close up, with its halo, and `1 of 256` beside it. */
function partMarks(tensor: DrawnTensor, sides: BarSides, rect: Rect): readonly Mark[] {
  const { layout } = tensor;
  const coordinates = splitDims(layout).flatMap((dim) =>
    (layout.dims[dim]?.parts ?? []).flatMap((part): readonly Coordinate[] =>
      part.kind === "axis" ? [{ hue: hueOf(layout.mesh, part.axis), digit: 1, size: 2 }] : [],
    ),
  );
  const area = {
    x: rect.x + Math.min(16, Math.max(0, rect.width - partWidth) / 2),
    y: rect.y + Math.min(9, Math.max(0, rect.height - partHeight) / 2),
    width: Math.min(partWidth, rect.width),
    height: Math.min(partHeight, rect.height),
  };
  const look = { partialHues: [], hatch: undefined };
  const [other, fill] = [coordinates.at(-2), coordinates.at(-1)];
  const strips = other === undefined ? [] : [{ edge: "top" as const, coordinate: other }];
  const parts = layout.dims.reduce((product, dim) => product * blockCount(dim.parts), 1);
  const halos = haloSides(tensor, sides, area, rect);
  const right = Math.max(...[area, ...halos].map(({ x, width }) => x + width));
  const textAt = { x: right + 14, y: area.y + partHeight / 2 + 4 };
  const line = { x: right, y: area.y + partHeight / 2 };
  const words: readonly Mark[] =
    rect.width < textFrom
      ? []
      : [
          {
            kind: "line",
            role: "outline",
            thickness: 1,
            from: line,
            to: { x: textAt.x - 4, y: line.y },
          },
          {
            kind: "text",
            role: "text",
            at: textAt,
            text: `1 of ${parts}`,
            anchor: "start",
            style: "name",
          },
        ];
  return [
    { kind: "rect", role: "back", ...area },
    ...cellMarks(area, { fill, strips }, look),
    { kind: "rect", role: "outline", ...area },
    ...halos.flatMap(({ hue, ...strip }) => haloMark(strip, hue)),
    ...words,
  ];
}

/** Strips beside the part, on the sides where some device reads beyond its own part. */
function haloSides(
  tensor: DrawnTensor,
  { across, down }: BarSides,
  { x, y, width, height }: Rect,
  rect: Rect,
): readonly (Rect & { readonly hue?: Hue })[] {
  const [right, bottom] = [rect.x + rect.width - haloStrip, rect.y + rect.height - haloStrip];
  const places = {
    before: { x: Math.max(x - haloStrip, rect.x), y, width: haloStrip, height },
    behind: { x: Math.min(x + width, right), y, width: haloStrip, height },
    above: { x, y: Math.max(y - haloStrip, rect.y), width, height: haloStrip },
    below: { x, y: Math.min(y + height, bottom), width, height: haloStrip },
  };
  const found = new Map<keyof typeof places, number>();
  for (const { halos, own } of tensor.halos?.devices ?? []) {
    for (const halo of halos) {
      const dim = haloDim(halo, own);
      const isFirst = own.some((box) => (halo[dim]?.stop ?? 0) <= (box[dim]?.start ?? 0));
      // For a dim without a bar the strip is drawn where the next rows would be.
      const isDown = dim === down.dim || dim !== across.dim;
      found.set(isDown ? (isFirst ? "above" : "below") : isFirst ? "before" : "behind", dim);
    }
  }
  return [...found].map(([place, dim]) => {
    const hue = hueAlong(tensor, dim);
    return { ...places[place], ...(hue !== undefined && { hue }) };
  });
}
