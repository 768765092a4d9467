import { differenceText } from "#app/scene/card";
import type { CanvasLayout } from "#app/scene/graph";
import { type Selection, tensorView } from "#app/state";
import type { Compiled } from "#compile";
import type { Operator, OperatorId, Tensor, TensorId } from "#core/ir";
import type { Redistribution } from "#core/program";
import { groupedBy } from "#core/records";
import { operatorSentence, redistributionSentence, stepsOf, tensorSentence } from "../words.ts";

/** One line of the outline; its words are computed when it is shown. */
export interface OutlineLine {
  readonly key: string;
  readonly level: number;
  readonly text: () => string;
  readonly select: Selection;
  /** The run of equal blocks that the line opens or folds. */
  readonly block?: OutlineBlock;
  /** The open run that contains the line. */
  readonly inRun?: string;
}

export interface OutlineBlock {
  readonly run: string;
  readonly isOpen: boolean;
  /** The node of the canvas that shows the same. */
  readonly node: string;
}

/**
 * The plan as lines of a tree: inputs and parameters, then operators with what they make and send.
 * With a layout equal blocks are folded as they are on the canvas.
 *
 * @param most so many lines from the first on; further ones are not made
 */
export function outlineLines(
  compiled: Compiled,
  layout?: CanvasLayout,
  most = Number.POSITIVE_INFINITY,
): readonly OutlineLine[] {
  const lines: OutlineLine[] = [];
  for (const line of eachLine(compiled, layout)) {
    if (lines.length >= most) break;
    lines.push(line);
  }
  return lines;
}

function* eachLine(compiled: Compiled, layout?: CanvasLayout): Generator<OutlineLine> {
  const parts = outlineFacts(compiled);
  const folds = layout === undefined ? noFolds : foldsOf(layout);
  const { graph, program } = compiled;
  const lineOf = (tensor: Tensor, level: number): OutlineLine => ({
    key: `tensor ${tensor.id}`,
    level,
    text: () => tensorSentence(tensor, tensorView(compiled, tensor.id)),
    select: { tensor: tensor.id },
  });
  const lineFor = (redistribution: Redistribution, level: number): OutlineLine => ({
    key: `redistribution ${redistribution.index}`,
    level,
    text: () => redistributionSentence(redistribution, stepsOf(compiled, redistribution)),
    select: { redistribution: redistribution.index, tensor: redistribution.tensor },
  });
  const given = graph.tensors.filter(
    ({ id, producer }) => producer === undefined && !folds.hidden.has(id),
  );
  const early = program.redistributions.filter(
    ({ tensor }) => parts.isGiven.has(tensor) && !folds.hidden.has(tensor),
  );
  const linesFor = (operator: Operator, outer: number): readonly OutlineLine[] => {
    const head = folds.heads.get(operator.id) ?? [];
    if (folds.folded.has(operator.id)) return head;
    const run = folds.runs.get(operator.id);
    const level = folds.runs.has(operator.id) ? outer + 1 : outer;
    const outputs = operator.outputs.flatMap(({ tensor }) => parts.tensors.get(tensor) ?? []);
    const moved = outputs.flatMap(({ id }) => parts.moves.get(id) ?? []);
    const lines = [
      operatorLine(compiled, operator, level),
      ...outputs.map((tensor) => lineOf(tensor, level + 1)),
      ...moved.map((each) => lineFor(each, level + 1)),
    ];
    return [
      ...head,
      ...(run === undefined ? lines : lines.map((line) => ({ ...line, inRun: run }))),
    ];
  };
  const givenLines = (tensor: Tensor): readonly OutlineLine[] => {
    if (folds.hidden.has(tensor.id)) return [];
    const moved = parts.moves.get(tensor.id) ?? [];
    return [lineOf(tensor, 2), ...moved.map((each) => lineFor(each, 3))];
  };
  for (const tensor of given) yield lineOf(tensor, 1);
  for (const each of early) yield lineFor(each, 1);
  for (const operator of graph.operators) yield* linesFor(operator, 1);
  yield* laterLines(compiled, (operator) => linesFor(operator, 2), givenLines);
}

function operatorLine(compiled: Compiled, operator: Operator, level: number): OutlineLine {
  const made = operator.outputs[0]?.tensor;
  return {
    key: `operator ${operator.id}`,
    level,
    text: () => operatorSentence(operator, compiled.plan.operators.get(operator.id)),
    select: { operator: operator.id, ...(made !== undefined && { tensor: made }) },
  };
}

interface OutlineFacts {
  readonly moves: ReadonlyMap<TensorId, readonly Redistribution[]>;
  readonly isGiven: ReadonlySet<TensorId>;
  readonly tensors: ReadonlyMap<TensorId, Tensor>;
}

function outlineFacts({ graph, program }: Compiled): OutlineFacts {
  const moves = groupedBy(program.redistributions, ({ tensor }) => tensor);
  const isGiven = new Set(
    graph.tensors.flatMap(({ id, producer }) => (producer === undefined ? [id] : [])),
  );
  return { moves, isGiven, tensors: new Map(program.graph.tensors.map((each) => [each.id, each])) };
}

interface Folds {
  /** Lines in front of the first operator of a stack or an open run. */
  readonly heads: ReadonlyMap<OperatorId, readonly OutlineLine[]>;
  readonly folded: ReadonlySet<OperatorId>;
  readonly hidden: ReadonlySet<TensorId>;
  /** The open run that contains the operator. */
  readonly runs: ReadonlyMap<OperatorId, string | undefined>;
}

const noFolds: Folds = { heads: new Map(), folded: new Set(), hidden: new Set(), runs: new Map() };

/** The blocks that the canvas folds, and those that it has opened. */
function foldsOf({ nodes }: CanvasLayout): Folds {
  const heads = new Map<OperatorId, readonly OutlineLine[]>();
  const folded = new Set<OperatorId>();
  const hidden = new Set<TensorId>();
  const runs = new Map<OperatorId, string | undefined>();
  for (const node of nodes) {
    if (node.kind === "run") {
      const { key, label, place, count, operators, differsBy } = node.run;
      const [first] = operators;
      if (differsBy !== undefined) {
        const text = () => `${label} ${differenceText(differsBy)}.`;
        if (first !== undefined) heads.set(first, [{ key: node.id, level: 1, text, select: {} }]);
        for (const operator of operators) runs.set(operator, undefined);
        continue;
      }
      const text = () => `${label}, ${place} of ${count} equal blocks.`;
      const block = { run: key, isOpen: true, node: node.id };
      if (first !== undefined)
        heads.set(first, [{ key: node.id, level: 1, text, select: {}, block }]);
      for (const operator of operators) runs.set(operator, key);
    }
    if (node.kind !== "stack") continue;
    const { label, count, each, all } = node.stack;
    const [first] = node.stack.runs;
    const operator = first?.operators[0];
    if (first === undefined || operator === undefined) continue;
    const text = () =>
      `${label}, ${count === 1 ? "one block" : `${count} equal blocks`}: ${each}; ${all}.`;
    const block = { run: first.key, isOpen: false, node: node.id };
    heads.set(operator, [{ key: node.id, level: 1, text, select: {}, block }]);
    for (const run of node.stack.runs) {
      for (const id of run.operators) folded.add(id);
      for (const id of run.tensors) hidden.add(id);
    }
  }
  return { heads, folded, hidden, runs };
}

const phaseTitles = {
  recompute: "What is computed again",
  backward: "The backward pass",
  update: "The update of the parameters",
} as const;

/**
 * The phases of a training step that the text does not write out, in their order: the values that
 * each gets, then its operators with their results and collectives.
 */
function* laterLines(
  { graph, program }: Compiled,
  linesFor: (operator: Operator) => readonly OutlineLine[],
  givenLines: (tensor: Tensor) => readonly OutlineLine[],
): Generator<OutlineLine> {
  if (program.graph.operators.length === graph.operators.length) return;
  const given = program.graph.tensors.filter(
    ({ producer, role }) => producer === undefined && (role === "gradient" || role === "state"),
  );
  for (const phase of ["recompute", "backward", "update"] as const) {
    const operators = program.graph.operators.filter((each) => each.phase === phase);
    if (operators.length === 0) continue;
    const count = operators.length === 1 ? "1 operator" : `${operators.length} operators`;
    const text = () => `${phaseTitles[phase]}: ${count}.`;
    yield { key: phase, level: 1, text, select: {} };
    const reads = new Set(operators.flatMap(({ inputs }) => inputs.map(({ tensor }) => tensor)));
    const role = phase === "update" ? "state" : "gradient";
    const begins = given.filter((each) => each.role === role && reads.has(each.id));
    for (const tensor of begins) yield* givenLines(tensor);
    for (const operator of operators) yield* linesFor(operator);
  }
}
