import type { Bound } from "#core/dimops";
import type { Box } from "#core/indexspace";
import { blockCount } from "#core/mesh";
import { indexPieces, type OperatorPlan } from "#core/plan";
import { tensorPlaces } from "./from-dimops.ts";
import type { LoomGraph, LoomNode, OperationNode, TensorNode } from "./graph.ts";
import { operandSlots } from "./operands.ts";
import type { PlannedOperation } from "./planned-operation.ts";
import { shardsOver } from "./shard-operation.ts";
import { splitReduction } from "./split-reduction.ts";

/** The rewritten operation and its new nodes, or why a sum has no two stages. */
export type Stages =
  | { readonly ok: true; readonly nodes: readonly LoomNode[] }
  | { readonly ok: false; readonly why: string };

/**
 * Rewrites an operation of a graph whose summed axis is cut into `count` blocks as two stages on
 * the graph's own tensors (loom.md §4.2). The operation itself makes partial results with a block
 * dim; a second one adds them up. The blocks keep the name of the axis, so a plan for it still
 * fits.
 *
 * @param title distinguishes the new nodes from those of other operations
 */
export function inTwoStages(
  graph: LoomGraph,
  node: OperationNode,
  bound: Bound,
  { axis, count, title }: { readonly axis: string; readonly count: number; readonly title: string },
): Stages {
  const slots = operandSlots(node);
  const places = tensorPlaces(bound);
  const byPlace = Array.from({ length: bound.inputs.length + bound.outputs.length }, (_, place) => {
    return slots[places.indexOf(place)];
  });
  const tensors = byPlace.map((slot) => tensorAt(graph, slot?.selection.tensorId));
  const split = splitReduction(bound, {
    ...{ axis, count, kernel: title, tensors },
    dtype: tensors.at(-1)?.dtype ?? "float32",
    names: byPlace.map((slot) => slot?.name ?? ""),
    starts: byPlace.map((slot) => (slot?.selection.range ?? []).map(({ start }) => start)),
    addAfter: addedAfter(node, bound, axis),
  });
  if (!split.ok) return split;
  const suffixes = ["", "_sum", "_add"];
  const added = split.graph.nodes.filter((each) => !tensors.some((own) => own === each));
  const nodes = added.map((each): LoomNode => {
    if (each.kind !== "Operation") return each;
    const suffix = suffixes.shift() ?? "";
    const own = suffix === "" ? { id: node.id } : {};
    return { ...each, ...own, kernel: `${node.kernel}${suffix}` };
  });
  return { ok: true, nodes };
}

/** An operation in two stages (`inTwoStages`), with the shards of a plan. */
export function splitStages(
  graph: LoomGraph,
  node: OperationNode,
  { bound, operator }: PlannedOperation,
  plan: OperatorPlan,
): Stages {
  const isSummed = (name: string) =>
    operator.axes.find((axis) => axis.name === name)?.reduction === "+";
  const cut = Object.entries(plan.strategy.cuts).filter(([, parts]) => parts.length > 0);
  const [first, ...others] = cut.filter(([name]) => isSummed(name));
  if (first === undefined || bound === undefined || others.length > 0)
    return { ok: false, why: "sums over several axes at once have no two stages" };
  const [axis, parts] = first;
  const count = blockCount(parts);
  const stages = inTwoStages(graph, node, bound, { axis, count, title: operator.name });
  if (!stages.ok) return stages;
  const names = namesOf(stages.nodes);
  const pieces = indexPieces(operator, plan).flat();
  const rangeOf = (box: Box, name: string) => {
    const at = operator.axes.findIndex((each) => each.name === name);
    const { start, stop } = box[at] ?? { start: 0, stop: 1 };
    const length = name === axis ? (operator.axes[at]?.size ?? count) / count : 1;
    return { start: start / length, stop: stop / length };
  };
  const boxesOf = (stage: OperationNode) => {
    const own = stage.id === node.id ? names : names.filter((name) => name !== axis);
    return distinct(pieces.map((box) => own.map((name) => rangeOf(box, name))));
  };
  const nodes = stages.nodes.flatMap((each): readonly LoomNode[] =>
    each.kind === "Operation" ? [each, ...shardsOver(each, boxesOf(each))] : [each],
  );
  return { ok: true, nodes };
}

/** Names of the first stage's index axes. */
function namesOf(nodes: readonly LoomNode[]): readonly string[] {
  const first = nodes.find((node) => node.kind === "Operation");
  const names = first?.kind === "Operation" ? first.params.get("index_names") : undefined;
  return Array.isArray(names) ? names.map(String) : [];
}

function distinct(boxes: readonly Box[]): readonly Box[] {
  const filled = boxes.filter((box) => box.every(({ start, stop }) => start < stop));
  return [...new Map(filled.map((box) => [JSON.stringify(box), box])).values()];
}

function tensorAt(graph: LoomGraph, id: string | undefined): TensorNode | undefined {
  const found = graph.nodes.find((node) => node.id === id);
  return found?.kind === "Tensor" ? found : undefined;
}

/** Input positions of a linear layer's bias, which must be added once and not by every block. */
function addedAfter({ kernel }: OperationNode, bound: Bound, axis: string): readonly number[] {
  if (!/(^|[:.])(linear|addmm)$/.test(kernel)) return [];
  return bound.annotation.inputs.flatMap(({ dims }, at) => {
    const names = dims.flatMap(({ identifiers }) => identifiers.map(({ name }) => name));
    return names.includes(axis) || bound.inputs[at]?.kind !== "tensor" ? [] : [at];
  });
}
