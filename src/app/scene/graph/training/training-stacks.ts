import type { Compiled } from "#compile";
import type { Operator, OperatorId, Tensor, TensorId } from "#core/ir";
import { formatBytes } from "../../text/numbers.ts";
import type { BlockStack, RunMembers } from "../canvas.ts";
import { stretchLabel } from "../canvas-blocks.ts";
import { tensorsOf } from "../tensor-caption.ts";
import type { TrainingFlow, TrainingItem } from "./training-items.ts";

/** Summaries of folded blocks in the backward pass or in the update of their parameters. */
export function trainingStacks(
  compiled: Compiled,
  training: TrainingFlow,
): (item: TrainingItem) => BlockStack {
  const tensors = tensorsOf(compiled.program.graph);
  const later = new Map(
    training.items.flatMap(({ operators }) => operators.map((each) => [each.id, each] as const)),
  );
  return (item) => {
    const { runs, kind, inside } = item;
    const runOf = runsByOperator(item, tensors, later);
    const runOfTensor = (id: TensorId) => {
      const maker = later.get(tensors.get(id)?.producer ?? ("" as OperatorId));
      const near = tensors.get(id)?.gradientOf ?? id;
      const byParameter = runs.findIndex(({ parameters }) => parameters.includes(near));
      return maker === undefined ? Math.max(0, byParameter) : runOf(maker);
    };
    const members = runs.map(({ key, label }, at): RunMembers => {
      const operators = item.operators.filter((each) => runOf(each) === at);
      const own = inside.filter(({ tensor }) => runOfTensor(tensor) === at);
      const made = operators.flatMap(({ outputs }) => outputs.map(({ tensor }) => tensor));
      const kept = operators.flatMap(({ inputs }) =>
        inputs.flatMap(({ tensor }) => (tensors.get(tensor)?.role === "state" ? [tensor] : [])),
      );
      return {
        key,
        label,
        operators: operators.map(({ id }) => id),
        tensors: [...made, ...kept],
        redistributions: own.map(({ index }) => index),
      };
    });
    const bytes = inside.reduce((sum, each) => sum + each.bytes, 0);
    const words = kind === "update" ? "updates" : "backward";
    return {
      label: `${stretchLabel(runs)} ${words}`,
      count: runs.length,
      each: eachText(members, kind),
      all: bytes === 0 ? "nothing is sent" : `comm ${formatBytes(bytes)}`,
      bytes,
      seconds: inside.reduce((sum, each) => sum + each.seconds, 0),
      runs: members,
    };
  };
}

/**
 * Summary `7 operators, 2 redistributions each`; totals without `each` if the runs differ in size.
 */
function eachText(runs: readonly RunMembers[], kind: TrainingItem["kind"]): string {
  const [first] = runs;
  const isAlike = runs.every(
    ({ operators, redistributions }) =>
      operators.length === first?.operators.length &&
      redistributions.length === first.redistributions.length,
  );
  const [operators, moves] = (["operators", "redistributions"] as const).map((part) =>
    isAlike
      ? (first?.[part].length ?? 0)
      : runs.reduce((sum, { [part]: members }) => sum + members.length, 0),
  );
  const each = isAlike && runs.length > 1 ? " each" : "";
  const what = counted(operators ?? 0, kind === "update" ? "update" : "operator");
  return moves === 0
    ? `${what}${each}`
    : `${what}, ${counted(moves ?? 0, "redistribution")}${each}`;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

/**
 * Index of an operator's run: by its forward operator, the tensor of its results, or the producers
 * of its operands.
 */
function runsByOperator(
  { runs }: TrainingItem,
  tensors: ReadonlyMap<TensorId, Tensor>,
  later: ReadonlyMap<OperatorId, Operator>,
): (operator: Operator) => number {
  const known = new Map<OperatorId | TensorId, number>();
  for (const [at, { operators, parameters }] of runs.entries()) {
    for (const id of [...operators, ...parameters]) known.set(id, at);
  }
  const runOf = (operator: Operator, depth: number): number => {
    const own = operator.of === undefined ? undefined : known.get(operator.of);
    if (own !== undefined) return own;
    const near = operator.outputs.flatMap(({ tensor }) => {
      const made = tensors.get(tensor);
      const of = made?.replaces ?? made?.gradientOf;
      return (of === undefined ? undefined : known.get(of)) ?? [];
    });
    if (near[0] !== undefined || depth === 0) return near[0] ?? 0;
    const makers = operator.inputs.flatMap(
      ({ tensor }) => later.get(tensors.get(tensor)?.producer ?? operator.id) ?? [],
    );
    const [maker] = makers.filter((each) => each !== operator);
    return maker === undefined ? 0 : runOf(maker, depth - 1);
  };
  return (operator) => runOf(operator, 4);
}
