import type { Compiled } from "#compile";
import {
  glyphRooms,
  inputPadding,
  type PaperLook,
  paperEdge,
  papers,
  stackStep,
} from "../card/card-look.ts";
import { cardOf, cardSourceOf } from "../card/card-of.ts";
import {
  edgeArrow,
  frameLook,
  headLook,
  lineLook,
  lineWidth,
  rangeHalo,
  rangePlace,
} from "../card/line-look.ts";
import type {
  CanvasEdge,
  CanvasFrame,
  CanvasLayout,
  CanvasNode,
  LaneHead,
} from "../graph/canvas.ts";
import type { Rect } from "../mark.ts";
import { cardSvg } from "./svg-card.ts";
import { textAttributes, toBaseline } from "./svg-card-measure.ts";
import type { SvgColours } from "./svg-colours.ts";
import { areaSvg } from "./svg-marks.ts";
import { type GlyphRoom, glyphSvg } from "./svg-tensor.ts";
import { element, escaped, type SvgBody } from "./svg-writer.ts";

/** The whole canvas as a drawing at full size, with text as text elements. */
export function canvasBody(
  compiled: Compiled,
  { width, height, nodes, edges, frames, heads }: CanvasLayout,
  colours: SvgColours,
): SvgBody {
  const source = cardSourceOf(compiled);
  return {
    width,
    height,
    marks: [
      ...frames.map((frame) => frameSvg(frame, colours)),
      ...heads.map((head) => headSvg(head, colours)),
      ...edges.map((edge) => rangeSvg(edge, colours)),
      ...edges.map((edge) => edgeSvg(edge, colours)),
      ...nodes.map((node) =>
        [
          paperSvg(node, colours),
          ...glyphOfNode(compiled, node, colours),
          cardSvg(cardOf(source, node), node, colours),
        ].join(""),
      ),
    ]
      .filter((mark) => mark !== "")
      .join("\n"),
  };
}

function frameSvg({ x, y, width, height }: CanvasFrame, colours: SvgColours): string {
  const look = { fill: "none", stroke: colours[frameLook.tone], "stroke-width": frameLook.width };
  return element("rect", { x, y, width, height, rx: frameLook.radius, ...look });
}

/** The head of a column, and the line that separates it from the column before. */
function headSvg({ text, x, y, height, isParted }: LaneHead, colours: SvgColours): string {
  const { tone, width, inset } = headLook;
  const at = { x: x + (isParted ? inset : 0), y: y + headMiddle + toBaseline };
  const head = element("text", { ...at, ...textAttributes("head", colours) }, escaped(text));
  if (!isParted) return head;
  const d = `M${x} ${y}V${y + height}`;
  return head + element("path", { d, fill: "none", stroke: colours[tone], "stroke-width": width });
}

/** Distance (px) from the top of a column to the middle of its head. */
const headMiddle = 10;

/** The tensor range on a line, with a halo in the background colour. */
function rangeSvg(edge: CanvasEdge, colours: SvgColours): string {
  const place = edge.range === undefined ? undefined : rangePlace(edge);
  if (edge.range === undefined || place === undefined) return "";
  const { x, y, anchor } = place;
  const paper = { "paint-order": "stroke", stroke: colours.surface, "stroke-width": rangeHalo };
  const look = { ...textAttributes("range", colours), ...paper };
  return element("text", { x, y, "text-anchor": anchor, ...look }, escaped(edge.range));
}

function edgeSvg(edge: CanvasEdge, colours: SvgColours): string {
  const stroke = colours[lineLook.tone];
  const look = { fill: "none", stroke, "stroke-width": lineWidth(edge) };
  const arrow = edgeArrow(edge);
  return (
    element("path", { d: edge.path, ...look }) + (arrow === undefined ? "" : areaSvg(arrow, stroke))
  );
}

/** The paper below a box; three sheets for a stack. */
function paperSvg(node: CanvasNode, colours: SvgColours): string {
  switch (node.kind) {
    case "stack": {
      const { x, y, width, height } = node;
      const size = { width: width - 2 * stackStep, height: height - 2 * stackStep };
      return [2, 1, 0]
        .map((at) => ({ x: x + at * stackStep, y: y + at * stackStep, ...size }))
        .map((box) => sheetSvg(box, papers.stack, colours))
        .join("");
    }
    case "operator":
    case "input":
    case "redistribution":
      return sheetSvg(node, papers[node.kind], colours);
    default:
      return "";
  }
}

function sheetSvg({ x, y, width, height }: Rect, { radius, edge }: PaperLook, colours: SvgColours) {
  const half = paperEdge / 2;
  return element("rect", {
    x: x + half,
    y: y + half,
    width: width - paperEdge,
    height: height - paperEdge,
    rx: radius,
    fill: colours.surface,
    stroke: colours[edge],
    "stroke-width": paperEdge,
  });
}

function glyphOfNode(compiled: Compiled, node: CanvasNode, colours: SvgColours): readonly string[] {
  const place = glyphRoomOf(node);
  if (place === undefined || (node.kind !== "input" && node.kind !== "tensor")) return [];
  return [glyphSvg(compiled, node.tensor, place, colours)];
}

/** The room of a box's glyph, which is centred in it; `undefined` for a box without a glyph. */
function glyphRoomOf(node: CanvasNode): GlyphRoom | undefined {
  const { x, y, width, height } = node;
  const middle = y + height / 2;
  if (node.kind === "input") {
    return { x: x + paperEdge + inputPadding.x, middle, ...glyphRooms.input };
  }
  if (node.kind !== "tensor") return undefined;
  if (node.side !== "state") return { x, middle, ...glyphRooms.tensor };
  const room = glyphRooms.state;
  return { x: x + (width - room.width) / 2, middle: y + 1 + room.height / 2, ...room };
}
