import type { Compiled } from "#compile";
import type { Operator, OperatorId, Tensor, TensorId } from "#core/ir";
import { append } from "#core/records";
import type { RedistributionBadge } from "../graph/canvas.ts";
import { badgesByIndex } from "../graph/redistribution-badge.ts";
import { rememberedFor } from "../remembered.ts";
import { formatBytes, formatSeconds } from "../text/numbers.ts";
import type { BoardLane, BoardView, HiddenRows } from "./board.ts";
import { type BoardFacts, boardFacts, type Send } from "./board-facts.ts";
import { shownRunText } from "./board-frames.ts";
import { type BoardModule, operatorsOfItem } from "./board-item.ts";
import { exposedOf, totalsOf } from "./board-pills.ts";
import { type BoardRow, type BoardRows, boardRows } from "./board-rows.ts";
import { hiddenRows, type PassSeconds, passSeconds } from "./board-seconds.ts";
import { type BoardTree, boardTree } from "./board-tree.ts";
import { pillLines } from "./pill-lines.ts";
import { countTexts, rowName, rowSeconds } from "./row-words.ts";
import { weightSends } from "./weight-sends.ts";

interface Line {
  readonly id: string;
  /** Nesting level; 1 outside modules. */
  readonly level: number;
  readonly name: string;
  readonly seconds: PassSeconds;
}

/** A folded or open module, with the equal ones it represents. */
export interface ModuleLine extends Line {
  readonly kind: "module";
  /** Key by which the module opens, the same as on the board. */
  readonly key: string;
  readonly isOpen: boolean;
  /** `4 operators, 2 sends each` for a folded module, `number 7 shown` for an open one. */
  readonly note: string;
  /** Paths of the equal modules that the line represents; the one at index `shown` is expanded. */
  readonly runs: readonly string[];
  readonly shown: number;
  readonly members: readonly OperatorId[];
}

/** The redistributions at the operator above; equal ones share one line. */
export interface RedistributionLine extends Line {
  readonly kind: "send";
  readonly redistribution: number;
  readonly tensor: TensorId;
  readonly others: readonly number[];
  readonly lane: BoardLane;
  readonly badge: RedistributionBadge;
  readonly bytes: number;
  /** Share of its time in which nothing is computed, 0 to 1; absent if unknown. */
  readonly exposed?: number;
}

/** One line of the tree of modules. */
export type OutlineItem =
  | ModuleLine
  | RedistributionLine
  | (Line & {
      readonly kind: "operator";
      readonly operator: OperatorId;
      readonly tensor?: TensorId;
    })
  | (Line & { readonly kind: "input" | "weight"; readonly tensor: TensorId });

/** A program as the tree of its modules, line by line. */
export interface ModuleOutline extends HiddenRows {
  readonly lines: readonly OutlineItem[];
}

/**
 * The rows of the board as a tree: its modules, its operators, and below each row its
 * redistributions.
 */
export function moduleOutline(compiled: Compiled, view: Omit<BoardView, "zoom">): ModuleOutline {
  const facts = boardFacts(compiled);
  const tree = boardTree(facts, view.runs, view.showsViews);
  const placed = boardRows(facts, tree, view.open);
  const setting = { facts, tree, placed, sendsAt: sendsByRow(facts, placed, view) };
  const weights = weightsByRow(facts, placed);
  const lines = placed.rows.flatMap((row, at): readonly OutlineItem[] => [
    ...placed.frames
      .filter(({ first }) => first === at)
      .map(({ module, depth }) => openLine(facts, module, depth + 1)),
    ...(weights.get(at) ?? []).map((each) => tensorLine("weight", each, row.depth + 1)),
    rowLine(setting, row),
    ...(setting.sendsAt.get(at) ?? []).map((group) => sendLine(facts, group, row.depth + 1)),
  ]);
  const unread = unreadIn(compiled).map((each) => tensorLine("input", each, 1));
  return {
    lines: [...lines, ...unread],
    ...hiddenRows(facts, tree, view.forwardOnly),
  };
}

interface Setting {
  readonly facts: BoardFacts;
  readonly tree: BoardTree;
  readonly placed: BoardRows;
  readonly sendsAt: ReadonlyMap<number, readonly (readonly Send[])[]>;
}

function openLine(facts: BoardFacts, module: BoardModule, level: number): ModuleLine {
  const seconds = passSeconds(facts, module.runs[module.shown]?.operators ?? []);
  return moduleLine(module, {
    ...{ level, seconds, isOpen: true },
    note: module.runs.length > 1 ? shownRunText(module) : "",
  });
}

function moduleLine(
  module: BoardModule,
  line: Pick<ModuleLine, "level" | "seconds" | "isOpen" | "note">,
): ModuleLine {
  const { key, name, runs, shown } = module;
  return {
    ...{ kind: "module", id: `module-${key}`, key, name, shown, ...line },
    ...{ runs: runs.map(({ path }) => path), members: operatorsOfItem(module) },
  };
}

function rowLine({ facts, tree, placed }: Setting, row: BoardRow): OutlineItem {
  const plan = { facts, tree, placed };
  const seconds = rowSeconds(plan, row);
  const level = row.depth + 1;
  if (row.kind === "input") return tensorLine("input", row.tensor, level);
  if (row.kind === "module") {
    const [note = ""] = countTexts(plan, row);
    return moduleLine(row.module, { level, seconds, note, isOpen: false });
  }
  const { operator } = row;
  const tensor = operator.outputs[0]?.tensor;
  return {
    ...{ kind: "operator", id: `operator-${operator.id}`, operator: operator.id },
    ...{ level, seconds, name: rowName(plan, row) },
    ...(tensor !== undefined && { tensor }),
  };
}

const noTime: PassSeconds = { forward: 0, backward: 0 };

function tensorLine(kind: "input" | "weight", tensor: Tensor, level: number): OutlineItem {
  const { id, name } = tensor;
  return { kind, id: `tensor-${id}`, level, name, seconds: noTime, tensor: id };
}

const laneWords: Readonly<Record<BoardLane, string>> = {
  ...{ forward: "", weight: "weights", gradient: "gradients", update: "updates" },
};

function sendLine(facts: BoardFacts, sends: readonly Send[], level: number): RedistributionLine {
  const [first, ...others] = sends;
  if (first === undefined) throw new Error("a line of sends has one at least");
  const { redistribution, lane } = first;
  const { index, tensor } = redistribution;
  const { bytes, seconds } = totalsOf(facts, sends);
  const exposed = exposedOf(facts, sends);
  const count = sends.length > 1 ? ` ×${sends.length}` : "";
  const numbers = bytes === 0 ? "0 B" : `${formatBytes(bytes)} · ${formatSeconds(seconds)}`;
  const of = lane === "weight" && first.isAgain ? "weights again" : laneWords[lane];
  const isLater = lane === "gradient" || lane === "update" || first.isAgain;
  return {
    ...{ kind: "send", id: `redist-${index}`, level, name: of },
    ...{ redistribution: index, tensor, lane, bytes },
    others: others.map((each) => each.redistribution.index),
    seconds: { forward: isLater ? 0 : seconds, backward: isLater ? seconds : 0 },
    badge: {
      ...{ steps: badgesByIndex(facts.compiled)(index)?.steps ?? [] },
      ...{ numbers: `${numbers}${count}` },
      ...(lane !== "forward" && { of }),
    },
    ...(exposed !== undefined && { exposed }),
  };
}

/**
 * The redistributions at each row, in groups with equal pills: values, weights, gradients, updates.
 */
function sendsByRow(
  facts: BoardFacts,
  placed: BoardRows,
  { forwardOnly }: Pick<BoardView, "forwardOnly">,
): Setting["sendsAt"] {
  const hasGradients = !forwardOnly && facts.gradients.size > 0;
  const { gathers, updates } = weightSends(placed, hasGradients && facts.updates.length > 0);
  const found = new Map<number, readonly (readonly Send[])[]>();
  for (const at of placed.rows.keys()) {
    const forward = (placed.sends.get(at) ?? []).filter(({ lane }) => lane === "forward");
    const gathered = gathers.get(at) ?? [];
    const groups = [
      ...alike(forward),
      ...alike(gathered.filter(({ isAgain }) => !isAgain)),
      ...alike(gathered.filter(({ isAgain }) => isAgain)),
      ...(hasGradients ? alike(placed.below.get(at) ?? []) : []),
      ...alike(updates.get(at) ?? []),
    ];
    if (groups.length > 0) found.set(at, groups);
  }
  return found;
}

function alike(sends: readonly Send[]): readonly (readonly Send[])[] {
  return pillLines(sends, 1).flatMap((line) => line.map(({ first, others }) => [first, ...others]));
}

/**
 * Parameters by the row of the operator that reads them first; parameters of folded modules are
 * left out.
 */
function weightsByRow(
  { operators, tensors }: BoardFacts,
  { rows, rowOf, standsFor }: BoardRows,
): ReadonlyMap<number, readonly Tensor[]> {
  const seen = new Set<TensorId>();
  const found = new Map<number, Tensor[]>();
  for (const operator of operators) {
    const at = rowOf.get(operator.id);
    const row = at === undefined ? undefined : rows[at];
    const isShown = row !== undefined && !standsFor.has(operator.id) && !isInside(row, operator);
    for (const { tensor } of operator.inputs) {
      const known = tensors.get(tensor);
      if (known?.role !== "parameter" || known.producer !== undefined || seen.has(tensor)) continue;
      seen.add(tensor);
      if (isShown && at !== undefined) append(found, at, known);
    }
  }
  return found;
}

function isInside(row: BoardRow, { id }: Operator): boolean {
  return row.kind === "module" && operatorsOfItem(row.module).includes(id);
}

/** Inputs and parameters that no operator reads; they have no row. */
const unreadIn = rememberedFor(({ graph }: Compiled): readonly Tensor[] => {
  const read = new Set(graph.operators.flatMap(({ inputs }) => inputs.map(({ tensor }) => tensor)));
  return graph.tensors.filter(
    ({ id, producer, isMadeInside }) => producer === undefined && !isMadeInside && !read.has(id),
  );
});
