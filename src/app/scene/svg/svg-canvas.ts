import type { Compiled } from "#compile";
import { unreachable } from "#core/diagnostics";
import type { Status, TensorId } from "#core/ir";
import type { CanvasEdge, CanvasLayout, CanvasNode, LaneHead } from "../graph/canvas.ts";
import type { Point, Rect } from "../mark.ts";
import {
  annotationText,
  badgeMarks,
  chipMarks,
  fitted,
  strategyChips,
} from "./svg-canvas-parts.ts";
import type { SvgColours } from "./svg-colours.ts";
import { arrowHead } from "./svg-marks.ts";
import { stateMarks, tensorWords } from "./svg-tensor.ts";
import { element, escaped, monoFont, type SvgBody, short, uiFont } from "./svg-writer.ts";

/** The whole canvas as a drawing: what the screen shows, at its full size, text as text. */
export function canvasBody(
  compiled: Compiled,
  { width, height, nodes, edges, frames, heads }: CanvasLayout,
  colours: SvgColours,
): SvgBody {
  return {
    width,
    height,
    marks: [
      ...frames.map((frame) => framed(frame, { ...colours, surface: "none" }, 6)),
      ...heads.map((head) => headMarks(head, colours)),
      ...edges.map((edge) => edgeMarks(edge, colours)),
      ...nodes.map((node) => nodeMarks(compiled, node, colours)),
    ].join("\n"),
  };
}

/** The head of a column, and the line that parts it from the one before. */
function headMarks({ text, x, y, height, isParted }: LaneHead, colours: SvgColours): string {
  const look = { ...words, "font-weight": 600, fill: colours.ink2 };
  const head = line(text, { x: x + (isParted ? 12 : 0), y: y + 14 }, look);
  if (!isParted) return head;
  const d = `M${x} ${y}V${y + height}`;
  return head + element("path", { d, fill: "none", stroke: colours.line, "stroke-width": 1 });
}

function edgeMarks({ path, points, hasArrow }: CanvasEdge, colours: SvgColours): string {
  const line = element("path", {
    d: path,
    fill: "none",
    stroke: colours.edge,
    "stroke-width": hasArrow ? 1.5 : 1.2,
  });
  const [end, before] = [points.at(-1), points.at(-2)];
  if (!hasArrow || end === undefined || before === undefined) return line;
  return line + arrowHead(end, directionOf(before, end), colours.edge);
}

function directionOf(from: Point, to: Point): readonly [number, number] {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  return Math.abs(dx) > Math.abs(dy) ? [Math.sign(dx), 0] : [0, Math.sign(dy)];
}

function nodeMarks(compiled: Compiled, node: CanvasNode, colours: SvgColours): string {
  switch (node.kind) {
    case "operator":
      return cardMarks(compiled, node, colours);
    case "stack":
      return stackMarks(node, colours);
    case "run":
      return line(
        `${node.run.label}, ${node.run.place} of ${node.run.count}`,
        { x: node.x + 28, y: node.y + 17 },
        { ...words, fill: colours.ink2 },
      );
    case "input":
      return (
        framed(node, colours, 22) + tensorWords(compiled, node.tensor, inputRoom(node), colours)
      );
    case "tensor":
      if (node.side === "state") return stateMarks(compiled, node, colours);
      return tensorWords(compiled, node.tensor, node, colours);
    case "redistribution":
      return badgeMarks(node, colours);
    case "output":
      return line(
        `result ${nameOf(compiled, node.tensor)}`,
        { x: node.x + node.width / 2, y: node.y + node.height / 2 + 4 },
        { ...words, fill: colours.ink3, "text-anchor": "middle" },
      );
    default:
      return unreachable(node);
  }
}

function inputRoom({ x, y, width, height }: Rect): Rect {
  return { x: x + 14, y: y + 2, width: width - 28, height: height - 4 };
}

function nameOf({ graph }: Compiled, tensor: TensorId): string {
  return graph.tensors.find(({ id }) => id === tensor)?.name ?? tensor;
}

const mono = { "font-family": monoFont, "font-size": 11 };
const words = { "font-family": uiFont, "font-size": 11 };

function line(text: string, at: Point, look: Readonly<Record<string, string | number>>): string {
  return element("text", { x: at.x, y: at.y, ...look }, escaped(text));
}

function framed({ x, y, width, height }: Rect, colours: SvgColours, rx: number): string {
  const look = { fill: colours.surface, stroke: colours.line, "stroke-width": 1 };
  return element("rect", {
    x: x + 0.5,
    y: y + 0.5,
    width: width - 1,
    height: height - 1,
    rx,
    ...look,
  });
}

/** Name, call and status; below, the annotation with its strategy. */
function cardMarks(
  compiled: Compiled,
  node: Extract<CanvasNode, { kind: "operator" }>,
  colours: SvgColours,
): string {
  const operator = compiled.program.graph.operators.find(({ id }) => id === node.operator);
  if (operator === undefined) return framed(node, colours, 6);
  const plan = compiled.plan.operators.get(operator.id);
  const { x, y, width } = node;
  const right = x + width - 10;
  const phase = operator.phase ?? "forward";
  const status = phase === "forward" ? (plan?.status ?? "inferred") : undefined;
  const aside = status ?? (phase === "recompute" ? "recomputed" : "");
  const nameWidth = operator.name.length * 7.3;
  const callRoom = width - 20 - nameWidth - 6 - aside.length * 6 - 22;
  const chips = plan === undefined ? [] : strategyChips(plan);
  const chipsWidth = chips.reduce((sum, chip) => sum + chip.width + 4, 0);
  return [
    framed(node, colours, 6),
    line(
      operator.name,
      { x: x + 10, y: y + 20 },
      { ...mono, "font-size": 12, "font-weight": 600, fill: colours.ink },
    ),
    line(
      fitted(`= ${operator.call}`, callRoom, 6.6),
      { x: x + 16 + nameWidth, y: y + 20 },
      { ...mono, fill: colours.ink3 },
    ),
    status === undefined
      ? line(aside, { x: right, y: y + 19 }, { ...words, fill: colours.ink3, "text-anchor": "end" })
      : statusMarks(status, { x: right, y: y + 19 }, colours),
    element(
      "text",
      { x: x + 10, y: y + 42, ...mono, fill: colours.ink2 },
      annotationText(operator.annotation, plan, colours, width - 28 - chipsWidth),
    ),
    chipMarks(chips, { x: right - chipsWidth + 4, y: y + 28 }, colours),
  ].join("");
}

/** A filled dot, a ring or open corners, always with the word. */
function statusMarks(status: Status, end: Point, colours: SvgColours): string {
  const text = line(status, end, { ...words, fill: colours.ink3, "text-anchor": "end" });
  const center = { x: end.x - status.length * 5.6 - 11, y: end.y - 4 };
  if (status === "assumed") {
    const box = { x: center.x - 3.5, y: center.y - 3.5, width: 7, height: 7 };
    return (
      text +
      element("rect", { ...box, fill: "none", stroke: colours.edge, "stroke-dasharray": "2 2" })
    );
  }
  const fill = status === "set" ? colours.ink2 : "none";
  const stroke = status === "set" ? colours.ink2 : colours.edge;
  return (
    text +
    element("circle", { cx: center.x, cy: center.y, r: 3.5, fill, stroke, "stroke-width": 1.5 })
  );
}

/** Equal blocks as one card before the edges of two more. */
function stackMarks(node: Extract<CanvasNode, { kind: "stack" }>, colours: SvgColours): string {
  const { x, y, width, height, stack } = node;
  const card = (by: number): Rect => ({
    x: x + by,
    y: y + by,
    width: width - 8,
    height: height - 8,
  });
  const room = width - 8 - 40 - 44;
  const at = (top: number): Point => ({ x: x + 14, y: y + top });
  const small = { ...words, fill: colours.ink2 };
  return [
    ...[8, 4, 0].map((by) => framed(card(by), colours, 6)),
    line(fitted(stack.label, room, 7.3), at(20), {
      ...mono,
      "font-size": 12,
      "font-weight": 600,
      fill: colours.ink,
    }),
    line(fitted(stack.each, room + 30, 5.8), at(36), small),
    line(fitted(stack.all, room + 30, 5.8), at(51), small),
    line(
      `×${short(stack.count)}`,
      { x: x + width - 22, y: y + 34 },
      { ...mono, "font-size": 13, "font-weight": 600, fill: colours.ink, "text-anchor": "end" },
    ),
  ].join("");
}
