import type { Compiled } from "#compile";
import type { TensorId } from "#core/ir";
import type { Rect } from "../mark.ts";
import type { CanvasFrame, CanvasNode, RunHead } from "./canvas.ts";
import type { CanvasColumns } from "./canvas-columns.ts";
import { forwardNames, type OpenRun } from "./canvas-folds.ts";
import { operatorHeat } from "./canvas-heat.ts";
import type { CanvasRows } from "./canvas-rows.ts";
import { canvasSizes } from "./canvas-sizes.ts";
import { blockStacks } from "./canvas-stacks.ts";
import { clearance, countsByRow, glyphEnd, stacksByRow } from "./column-widths.ts";
import { type Flow, type FlowNode, flowKey } from "./flow.ts";
import type { At, LeftStack } from "./left-stacks.ts";
import type { Ranking } from "./ranks.ts";
import { type Badges, badgeWidth } from "./redistribution-badge.ts";
import { captionOf, layoutsOf, tensorsOf } from "./tensor-caption.ts";

/** All boxes, and the box of each flow node by its key. */
export interface CanvasNodes {
  readonly nodes: readonly CanvasNode[];
  readonly frames: readonly CanvasFrame[];
  readonly byFlow: ReadonlyMap<string, CanvasNode>;
}

const badgeInset = 12;

/** Inputs of box placement: ranks, heights and columns of all nodes. */
export interface Placing {
  readonly flow: Flow;
  readonly ranking: Ranking;
  readonly rows: CanvasRows;
  readonly columns: CanvasColumns;
  readonly badges: Badges;
}

/** Creates a box for every node that has a row and a column. */
export function canvasNodes(compiled: Compiled, placing: Placing): CanvasNodes {
  const { flow, ranking, rows, columns } = placing;
  const { middleOf } = columns;
  const byFlow = new Map<string, CanvasNode>();
  const keep: Keep = (at, node) => {
    if (node === undefined) return [];
    byFlow.set(flowKey(at), node);
    return [node];
  };
  const card = cardNodes(compiled, flow);
  const nodes = [
    ...topNode(rows, middleOf(ranking.main)).flatMap((node) =>
      keep({ kind: "source", tensor: node.tensor }, node),
    ),
    ...rows.cards.flatMap(({ item, y, width, height }) => {
      const box = { x: middleOf(ranking.columnOf(item)) - width / 2, y, width, height };
      return keep({ kind: "card", row: item }, card(item, box));
    }),
    ...rows.runs.map((at) => headNode(at, columns)),
    ...badgeNodes(placing, keep),
    ...rows.ends.flatMap(({ item, y, column, isNarrow }) => {
      const width = isNarrow ? canvasSizes.abreast : canvasSizes.end.width;
      const box = { x: middleOf(column) - width / 2, y, width, height: canvasSizes.end.height };
      return endNode(compiled, item, box);
    }),
    ...glyphNodes(compiled, placing, keep),
  ];
  return { nodes, byFlow, frames: rows.runs.map((at) => frameOf(at, columns, nodes)) };
}

/** Records the box of a flow node and returns it in a list; an empty list without a box. */
type Keep = (at: FlowNode, node: CanvasNode | undefined) => readonly CanvasNode[];

/** Badges on the lines between cards, and on lines that arrive from the lanes. */
function badgeNodes({ rows, columns, badges }: Placing, keep: Keep): readonly CanvasNode[] {
  const { middleOf, shiftOf } = columns;
  const badgeAt = (redistribution: number, place: BadgePlace) =>
    keep({ kind: "badge", redistribution }, badgeNode(badges, redistribution, place));
  const isWide = (badge: number) => {
    const words = badges(badge);
    return words !== undefined && badgeWidth(words, false) > columns.pitch - clearance;
  };
  return [
    ...rows.badges.flatMap(({ item, y, column, isNarrow }) =>
      badgeAt(item, { middle: middleOf(column), y, isShort: isNarrow && isWide(item) }),
    ),
    ...rows.arrivals.flatMap(({ item, y }) => {
      if (item.badge === undefined) return [];
      const end = columns.leftEnd > 0 ? columns.leftEnd : columns.cardX - badgeInset;
      const right = end + shiftOf(0);
      return badgeAt(item.badge, { right, y: y - canvasSizes.badge / 2, isShort: false });
    }),
  ];
}

/** Glyphs of inputs, parameters and results: beside their cards, or above and below them. */
function glyphNodes(
  compiled: Compiled,
  { flow, ranking, rows, columns, badges }: Placing,
  keep: Keep,
): readonly CanvasNode[] {
  const { middleOf, shiftOf, widths, leftWidth } = columns;
  const tensor = tensorNodes(compiled, flow);
  const stack = (at: At<LeftStack>, x: number, width: number, side: "left" | "alone") => [
    ...keep(
      { kind: "source", tensor: at.item.tensor },
      tensor(at.item.tensor, side, x, at.y, width),
    ),
    ...at.item.under.flatMap(({ item, y }) =>
      keep(
        { kind: "badge", redistribution: item },
        badgeNode(badges, item, { left: x, y, isShort: true }),
      ),
    ),
  ];
  const result = (item: TensorId, x: number, y: number, width: number) => {
    const node = tensor(item, "right", x, y, width);
    return node === undefined ? [] : [node];
  };
  const middleAt = (row: number) => middleOf(ranking.columnOf(row));
  const shiftAt = (row: number) => shiftOf(ranking.columnOf(row));
  const above = stacksByRow(rows.above, widths.stack);
  const below = countsByRow(rows.below);
  return [
    ...rows.left.flatMap((at) =>
      stack(at, columns.leftEnd - leftWidth + shiftAt(at.row), leftWidth, "left"),
    ),
    ...rows.above.flatMap((at) => {
      const { width, count } = above.get(at.row) ?? { width: 0, count: 1 };
      return stack(at, glyphEnd(middleAt(at.row), count) - width, width, "left");
    }),
    ...rows.right.flatMap(({ item, y, row }) =>
      result(item, columns.rightX + shiftAt(row), y, columns.rightWidth),
    ),
    ...rows.below.flatMap(({ item, y, row }) => {
      const width = widths.tensor(item);
      return result(item, glyphEnd(middleAt(row), below.get(row) ?? 1) - width, y, width);
    }),
    ...rows.alone.flatMap((at) =>
      stack(at, columns.cardX + shiftOf(ranking.main), columns.aloneWidth, "alone"),
    ),
  ];
}

interface BadgePlace {
  readonly y: number;
  readonly isShort: boolean;
  readonly left?: number;
  readonly middle?: number;
  readonly right?: number;
}

/** The box of a redistribution. */
export function badgeNode(
  badges: Badges,
  redistribution: number,
  { y, isShort, left, middle, right }: BadgePlace,
): CanvasNode | undefined {
  const badge = badges(redistribution);
  if (badge === undefined) return undefined;
  const width = badgeWidth(badge, isShort);
  const x = left ?? (middle === undefined ? (right ?? width) - width : middle - width / 2);
  const box = { x, y, width, height: canvasSizes.badge };
  const id = `redist-${redistribution}`;
  return { id, kind: "redistribution", redistribution, badge, isShort, ...box };
}

function tensorNodes(compiled: Compiled, { folding }: Flow) {
  const tensors = tensorsOf(compiled.graph);
  const layouts = layoutsOf(compiled);
  const names = forwardNames(compiled, folding);
  return (
    id: TensorId,
    side: "left" | "right" | "alone",
    x: number,
    y: number,
    width: number,
  ): CanvasNode | undefined => {
    const tensor = tensors.get(id);
    if (tensor === undefined) return undefined;
    const caption = captionOf(tensor, layouts.get(id), names.tensor(tensor));
    const box = { x, y, width, height: canvasSizes.tensor };
    return { id: `tensor-${id}`, kind: "tensor", tensor: id, side, caption, ...box };
  };
}

function topNode({ top }: CanvasRows, middle: number) {
  if (top === undefined) return [];
  const id = `tensor-${top.item}`;
  const x = middle - canvasSizes.end.width / 2;
  return [{ id, kind: "input" as const, tensor: top.item, x, y: top.y, ...canvasSizes.end }];
}

function cardNodes(compiled: Compiled, flow: Flow) {
  const stackOf = blockStacks(compiled, flow);
  const { heatOf, shareOf } = operatorHeat(compiled);
  const titles = forwardNames(compiled, flow.folding);
  const names = new Map(compiled.graph.operators.map(({ id, name }) => [id, name]));
  return (at: number, box: Rect): CanvasNode | undefined => {
    const row = flow.rows[at];
    if (row === undefined) return undefined;
    if (row.kind === "operator") {
      const { operator } = row;
      const [id, heat] = [`operator-${operator}`, heatOf(operator)];
      const name = titles.operator(operator, names.get(operator) ?? operator);
      return { id, kind: "operator", operator, name, heat, ...box };
    }
    const stack = { ...stackOf(row.runs), together: row.together };
    const id = `stack-${row.runs[0]?.key}`;
    const heat = shareOf(stack.seconds / stack.count);
    return { id, kind: "stack", stack, heat, ...box };
  };
}

type RunAt = CanvasRows["runs"][number];

const framePad = 8;

function headNode({ item, y }: RunAt, { middleOf }: CanvasColumns): CanvasNode {
  const head = headOf(item);
  const width = middleOf(0) - headGap + framePad;
  const box = { x: -framePad, y, width, height: canvasSizes.head };
  return { id: `run-${head.key}`, kind: "run", run: head, ...box };
}

/** The head above an open run. */
export function headOf({ run, place, count, together, differsBy }: OpenRun): RunHead {
  const { key, label, operators, made, parameters } = run;
  const tensors = [...made, ...parameters];
  return {
    ...{ key, label, place, count, operators, tensors },
    ...(together > 1 && { together }),
    ...(differsBy !== undefined && { differsBy }),
  };
}

function frameOf(
  { item, y, bottom }: RunAt,
  { cardX, rightX, rightWidth, pitch }: CanvasColumns,
  nodes: readonly CanvasNode[],
): CanvasFrame {
  const end = rightWidth === 0 ? cardX + canvasSizes.card.width : rightX + rightWidth;
  const right =
    pitch === 0 ? end : nodes.reduce((most, box) => Math.max(most, box.x + box.width), 0);
  const x = -framePad;
  const isFoldable = item.differsBy === undefined;
  return { key: item.run.key, isFoldable, x, y, width: right + framePad - x, height: bottom - y };
}

/** Gap (px) between the head of a frame and the line that comes in from above. */
const headGap = 16;

function endNode(compiled: Compiled, redistribution: number, box: Rect): readonly CanvasNode[] {
  const found = compiled.program.redistributions.find((each) => each.index === redistribution);
  if (found === undefined) return [];
  const { tensor, output: value } = found;
  const id = `output-${redistribution}`;
  return [{ id, kind: "output", tensor, value, ...box }];
}
