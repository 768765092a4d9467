import type { Compiled } from "#compile";
import type { TensorId } from "#core/ir";
import type { CanvasFrame, CanvasNode, RedistributionBadge, RunHead } from "./canvas.ts";
import type { CanvasColumns } from "./canvas-columns.ts";
import type { OpenRun } from "./canvas-folds.ts";
import { operatorHeat } from "./canvas-heat.ts";
import { type At, type CanvasRows, canvasSizes, type LeftStack } from "./canvas-rows.ts";
import { blockStacks } from "./canvas-stacks.ts";
import { type Flow, type FlowNode, flowKey } from "./flow.ts";
import { badgeWidth } from "./redistribution-badge.ts";
import { captionOf, layoutsOf } from "./tensor-caption.ts";

/** All boxes, and which box stands for which flow node. */
export interface CanvasNodes {
  readonly nodes: readonly CanvasNode[];
  readonly frames: readonly CanvasFrame[];
  readonly byFlow: ReadonlyMap<string, CanvasNode>;
}

const badgeInset = 12;

/** Puts a box around everything that has a row and a column. */
export function canvasNodes(
  compiled: Compiled,
  flow: Flow,
  rows: CanvasRows,
  columns: CanvasColumns,
  badges: ReadonlyMap<number, RedistributionBadge>,
): CanvasNodes {
  const byFlow = new Map<string, CanvasNode>();
  const middle = columns.cardX + canvasSizes.card.width / 2;
  const keep = (at: FlowNode, node: CanvasNode | undefined): readonly CanvasNode[] => {
    if (node === undefined) return [];
    byFlow.set(flowKey(at), node);
    return [node];
  };
  const badgeAt = (redistribution: number, place: BadgePlace) =>
    keep({ kind: "badge", redistribution }, badgeNode(badges, redistribution, place));
  const tensor = tensorNodes(compiled, flow);
  const card = cardNodes(compiled, flow, columns.cardX);
  const stack = (at: At<LeftStack>, x: number, width: number, side: "left" | "alone") => [
    ...keep(
      { kind: "source", tensor: at.item.tensor },
      tensor(at.item.tensor, side, x, at.y, width),
    ),
    ...at.item.under.flatMap(({ item, y }) => badgeAt(item, { left: x, y, isShort: true })),
  ];
  const nodes = [
    ...topNode(rows, columns).flatMap((node) =>
      keep({ kind: "source", tensor: node.tensor }, node),
    ),
    ...rows.cards.flatMap(({ item, y }) => keep({ kind: "card", row: item }, card(item, y))),
    ...rows.runs.map((at) => headNode(at, columns)),
    ...rows.badges.flatMap(({ item, y }) => badgeAt(item, { middle, y, isShort: false })),
    ...rows.arrivals.flatMap(({ item, y }) => {
      if (item.badge === undefined) return [];
      const right = columns.leftEnd > 0 ? columns.leftEnd : columns.cardX - badgeInset;
      return badgeAt(item.badge, { right, y: y - canvasSizes.badge / 2, isShort: false });
    }),
    ...rows.ends.flatMap(({ item, y }) => endNode(compiled, item, columns.cardX, y)),
    ...rows.left.flatMap((at) =>
      stack(at, columns.leftEnd - columns.leftWidth, columns.leftWidth, "left"),
    ),
    ...rows.right.flatMap(({ item, y }) => {
      const node = tensor(item, "right", columns.rightX, y, columns.rightWidth);
      return node === undefined ? [] : [node];
    }),
    ...rows.alone.flatMap((at) => stack(at, columns.cardX, columns.aloneWidth, "alone")),
  ];
  return { nodes, byFlow, frames: rows.runs.map((at) => frameOf(at, columns)) };
}

interface BadgePlace {
  readonly y: number;
  readonly isShort: boolean;
  readonly left?: number;
  readonly middle?: number;
  readonly right?: number;
}

function badgeNode(
  badges: ReadonlyMap<number, RedistributionBadge>,
  redistribution: number,
  { y, isShort, left, middle, right }: BadgePlace,
): CanvasNode | undefined {
  const badge = badges.get(redistribution);
  if (badge === undefined) return undefined;
  const width = badgeWidth(badge, isShort);
  const x = left ?? (middle === undefined ? (right ?? width) - width : middle - width / 2);
  const box = { x, y, width, height: canvasSizes.badge };
  const id = `redist-${redistribution}`;
  return { id, kind: "redistribution", redistribution, badge, isShort, ...box };
}

function tensorNodes(compiled: Compiled, { folding }: Flow) {
  const tensors = new Map(compiled.graph.tensors.map((tensor) => [tensor.id, tensor]));
  const layouts = layoutsOf(compiled);
  return (
    id: TensorId,
    side: "left" | "right" | "alone",
    x: number,
    y: number,
    width: number,
  ): CanvasNode | undefined => {
    const tensor = tensors.get(id);
    if (tensor === undefined) return undefined;
    const caption = captionOf(tensor, layouts.get(id), folding.nameIn(id, tensor.name));
    const box = { x, y, width, height: canvasSizes.tensor };
    return { id: `tensor-${id}`, kind: "tensor", tensor: id, side, caption, ...box };
  };
}

function topNode({ top }: CanvasRows, { cardX }: CanvasColumns) {
  if (top === undefined) return [];
  const id = `tensor-${top.item}`;
  return [{ id, kind: "input" as const, tensor: top.item, x: cardX, y: top.y, ...canvasSizes.end }];
}

function cardNodes(compiled: Compiled, flow: Flow, x: number) {
  const stackOf = blockStacks(compiled, flow);
  const { heatOf, shareOf } = operatorHeat(compiled);
  const names = new Map(compiled.graph.operators.map(({ id, name }) => [id, name]));
  return (at: number, y: number): CanvasNode | undefined => {
    const row = flow.rows[at];
    if (row === undefined) return undefined;
    if (row.kind === "operator") {
      const { operator } = row;
      const [id, heat] = [`operator-${operator}`, heatOf(operator)];
      const name = flow.folding.nameIn(operator, names.get(operator) ?? operator);
      return { id, kind: "operator", operator, name, heat, x, y, ...canvasSizes.card };
    }
    const stack = stackOf(row.runs);
    const id = `stack-${row.runs[0]?.key}`;
    const heat = shareOf(stack.seconds / stack.count);
    return { id, kind: "stack", stack, heat, x, y, ...canvasSizes.stack };
  };
}

type RunAt = CanvasRows["runs"][number];

const framePad = 8;

function headNode({ item, y }: RunAt, { cardX }: CanvasColumns): CanvasNode {
  const head = headOf(item);
  const width = cardX + canvasSizes.card.width / 2 - headGap + framePad;
  const box = { x: -framePad, y, width, height: canvasSizes.head };
  return { id: `run-${head.key}`, kind: "run", run: head, ...box };
}

/** What stands above an open run. */
export function headOf({ run, place, count, differsBy }: OpenRun): RunHead {
  const { key, label, operators } = run;
  const head = { key, label, place, count, operators };
  return differsBy === undefined ? head : { ...head, differsBy };
}

function frameOf({ item, y, bottom }: RunAt, columns: CanvasColumns): CanvasFrame {
  const { cardX, rightX, rightWidth } = columns;
  const right = rightWidth === 0 ? cardX + canvasSizes.card.width : rightX + rightWidth;
  const x = -framePad;
  const isFoldable = item.differsBy === undefined;
  return { key: item.run.key, isFoldable, x, y, width: right + framePad - x, height: bottom - y };
}

/** Between the head of a frame and the line that comes in from above. */
const headGap = 16;

function endNode(
  compiled: Compiled,
  redistribution: number,
  x: number,
  y: number,
): readonly CanvasNode[] {
  const found = compiled.program.redistributions.find((each) => each.index === redistribution);
  if (found === undefined) return [];
  const { tensor, output: value } = found;
  const id = `output-${redistribution}`;
  return [{ id, kind: "output", tensor, value, x, y, ...canvasSizes.end }];
}
