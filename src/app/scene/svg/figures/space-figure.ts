import type { Compiled } from "#compile";
import type { OperatorId } from "#core/ir";
import {
  boxRects,
  cutLine,
  drawingOf,
  gridLines,
  rectsOf,
  type SpaceDrawing,
} from "../../index-space/projection-drawing.ts";
import { imagesOf } from "../../index-space/projection-images.ts";
import {
  projectionSpaceOf,
  type SpaceCut,
  type SpaceDim,
} from "../../index-space/projection-space.ts";
import type { Rect } from "../../mark.ts";
import type { SvgColours } from "../svg-colours.ts";
import { element, type SvgBody } from "../svg-writer.ts";
import { cutDashes, widthOf, wordsAt } from "./words.ts";

const spaceSize = { width: 240, height: 180 };
const tensorSize = { width: 150, height: 112 };
const gap = 28;
const [headRoom, leftRoom] = [38, 22];

/**
 * The index space of an operator with its cuts, the part that its first device computes, and the
 * cells of each tensor that this part touches; `undefined` if there is no such operator.
 */
export function spaceBody(
  compiled: Compiled,
  operator: OperatorId,
  colours: SvgColours,
): SvgBody | undefined {
  const space = projectionSpaceOf(compiled, operator);
  const [first] = space?.shards ?? [];
  if (space === undefined || first === undefined) return undefined;
  const images = imagesOf(space, first.box);
  const own = drawingOf(space.axes, spaceSize);
  const panels: readonly Panel[] = [
    {
      title: space.call,
      note: `device ${first.device} computes the grey part`,
      drawing: own,
      touched: boxRects(own, first.box),
      cuts: space.cuts,
    },
    ...space.operands.map((operand, at): Panel => {
      const drawing = drawingOf(operand.dims, tensorSize);
      return {
        title: operand.name,
        note: operand.side === "input" ? "reads" : "makes",
        drawing,
        touched: rectsOf(drawing, images[at]?.runs ?? []),
        cuts: [],
      };
    }),
  ];
  return besides(panels, colours);
}

interface Panel {
  readonly title: string;
  readonly note: string;
  readonly drawing: SpaceDrawing;
  readonly touched: readonly Rect[];
  readonly cuts: readonly SpaceCut[];
}

function besides(panels: readonly Panel[], colours: SvgColours): SvgBody {
  const marks: string[] = [];
  let x = 0;
  for (const panel of panels) {
    const move = `translate(${x + leftRoom} ${headRoom})`;
    marks.push(
      panelWords(panel, x, colours),
      element("g", { transform: move }, planeSvg(panel, colours)),
    );
    const words = Math.max(widthOf(panel.title), widthOf(panel.note, 11));
    x += Math.max(panel.drawing.size.width + leftRoom, words) + gap;
  }
  const height = headRoom + Math.max(...panels.map(({ drawing }) => drawing.size.height));
  return { width: x - gap, height, marks: marks.join("\n") };
}

function panelWords({ title, note, drawing }: Panel, x: number, colours: SvgColours): string {
  const { dims, plane, row, column } = drawing;
  const small = { face: "mono" as const, size: 11, fill: colours.ink2 };
  return [
    wordsAt(title, x, 11, colours, { face: "mono", weight: 600 }),
    wordsAt(note, x, 26, colours, { size: 11, fill: colours.ink2 }),
    row === undefined
      ? ""
      : wordsAt(nameOf(dims[row]), x, headRoom + plane.y + plane.height / 2, colours, small),
    column === undefined
      ? ""
      : wordsAt(nameOf(dims[column]), x + leftRoom + plane.width, 34, colours, {
          ...small,
          anchor: "end",
        }),
  ].join("");
}

function nameOf(dim: SpaceDim | undefined): string {
  return dim?.name ?? "";
}

function planeSvg({ drawing, touched, cuts }: Panel, colours: SvgColours): string {
  const rect = ({ x, y, width, height }: Rect, look: Record<string, string | number>) =>
    element("rect", { x, y, width, height, ...look });
  const line = ({ x, y, width, height }: Rect, stroke: string, width2: number, dash?: string) =>
    element("path", {
      d: `M${x} ${y}l${width} ${height}`,
      stroke,
      "stroke-width": width2,
      "stroke-dasharray": dash,
    });
  const papers = [drawing.plane, ...drawing.strips.map((strip) => strip.rect)];
  return [
    ...touched.map((each) => rect(each, { fill: colours.edge, opacity: 0.45 })),
    ...gridLines(drawing).map((each) => line(each, colours.faint, 1)),
    ...cuts.flatMap(({ axis, at, hue }) => {
      const cut = cutLine(drawing, axis, at);
      return cut === undefined ? [] : [line(cut, colours.axes[hue], 2, cutDashes[hue])];
    }),
    ...papers.map((each) => rect(each, { fill: "none", stroke: colours.edge })),
    ...drawing.strips.map(({ dim, rect: { x, y } }) =>
      wordsAt(nameOf(drawing.dims[dim]), x + 3, y + 12, colours, { face: "mono", size: 11 }),
    ),
  ].join("");
}
