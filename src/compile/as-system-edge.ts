import { groupsOf } from "#core/collective";
import { type Checked, passed } from "#core/diagnostics";
import { bytesOf } from "#core/ir";
import { type Layout, sameBlocks } from "#core/mesh";
import { flatSteps, type Redistribution, type SpmdProgram } from "#core/program";
import { type PricedSteps, type PriceOptions, planReshard, priceSteps } from "#core/reshard";
import { dtensorReshard } from "#systems/dtensor";
import { mindsporeReshard } from "#systems/mindspore";
import { nnscalerReshard } from "#systems/nnscaler";
import { shardyReshard } from "#systems/shardy";
import { mindsporeLists } from "./as-system-lists.ts";
import { type EdgeFigures, whyItDiffers } from "./as-system-why.ts";
import { wordsOf } from "./as-system-words.ts";
import type { PolicyName, PolicyOutcome } from "./compiled.ts";

/** An edge of a program: a tensor from one layout to another, and what ours does with it. */
export interface Edge {
  readonly from: Layout;
  readonly to: Layout;
  readonly shape: readonly number[];
  readonly bytesPerElement: number;
  readonly ours: EdgeFigures;
  /** The text itself says how the operator's sum ends (`out_strategy`). */
  readonly isWritten: boolean;
}

/** The edge of each redistribution of a program; `undefined` of one that is not of it. */
export function edgesIn(program: SpmdProgram): (wanted: Redistribution) => Edge | undefined {
  const layouts = new Map(program.values.map(({ id, layout }) => [id, layout]));
  const tensors = new Map(program.graph.tensors.map((tensor) => [tensor.id, tensor]));
  const steps = new Map<number, EdgeFigures["steps"][number][]>();
  for (const step of flatSteps(program)) {
    if (step.kind !== "collective") continue;
    const { reshard, collective, axes } = step;
    steps.set(reshard, [...(steps.get(reshard) ?? []), { collective, axes }]);
  }
  return ({ index, input, output, tensor: id, bytes, seconds, reasons }) => {
    const [from, to, tensor] = [layouts.get(input), layouts.get(output), tensors.get(id)];
    if (from === undefined || to === undefined || tensor === undefined) return undefined;
    return {
      from,
      to,
      shape: tensor.shape,
      bytesPerElement: bytesOf(tensor.dtype),
      ours: { steps: steps.get(index) ?? [], bytes, seconds },
      isWritten: reasons.some(({ kind }) => kind === "reduction"),
    };
  };
}

type Reshard = (
  from: Layout,
  to: Layout,
  shape: readonly number[],
  options: PriceOptions,
) => Checked<PricedSteps>;

const reshards: Readonly<Record<PolicyName, Reshard>> = {
  shardy: shardyReshard,
  dtensor: dtensorReshard,
  mindspore: mindsporeReshard,
  nnscaler: nnscalerReshard,
};

/** What a system would do on an edge, priced as ours, and why that differs. */
export function outcomeOf(
  policy: PolicyName,
  edge: Edge,
  checked: Checked<PricedSteps> = systemReshard(policy, edge),
): PolicyOutcome {
  const { from, to, ours } = edge;
  const isPartial = from.partials.length > to.partials.length;
  if (!checked.ok) {
    return { kind: "declined", policy, reason: checked.diagnostics[0]?.message ?? "" };
  }
  const { bytes, seconds } = checked.value;
  const steps = checked.value.steps.map((step) => ({
    collective: step.collective,
    axes: step.axes,
    words: wordsOf(policy, step),
  }));
  const theirs = { steps, bytes, seconds };
  const facts = {
    isPartial,
    isAcross: sizesOf(from) !== sizesOf(to),
    isCopied: checked.diagnostics.some(({ code }) => code === "nnscaler/copied-everywhere"),
  };
  const why = whyItDiffers(policy, ours, theirs, facts);
  const isEnded = isPartial && edge.isWritten;
  const lists = policy === "mindspore" && !isEnded ? mindsporeLists(edge) : [];
  return { kind: "planned", policy, ...theirs, why, ...(lists.length > 0 && { lists }) };
}

function sizesOf({ mesh }: Layout): string {
  return mesh.axes.map(({ size }) => size).join();
}

/** A system's own steps on an edge. */
export function systemReshard(policy: PolicyName, edge: Omit<Edge, "ours">): Checked<PricedSteps> {
  const { from, to, shape, bytesPerElement } = edge;
  const isSum = policy === "mindspore" && from.partials.length > to.partials.length;
  if (isSum) return reducedInside(edge);
  return reshards[policy](from, to, shape, { bytesPerElement });
}

/**
 * MindSpore has no partial layouts: an operator adds its parts by one AllReduce, or into the layout
 * that its `out_strategy` says, and only then is the tensor redistributed (mindspore.md §3.9).
 */
function reducedInside({
  from,
  to,
  shape,
  bytesPerElement,
  isWritten,
}: Omit<Edge, "ours">): Checked<PricedSteps> {
  const options = { bytesPerElement };
  const whole: Layout = { ...from, partials: [] };
  if (isWritten && !sameBlocks(whole, to, shape)) {
    return passed(planReshard(from, to, shape, options));
  }
  const parts = from.partials.map(({ part }) => part);
  const sum = {
    collective: "all-reduce",
    moves: parts.map((part) => ({ part })),
    groups: groupsOf(from.mesh, parts),
    before: from,
    after: whole,
  } as const;
  const reduced = priceSteps([sum], shape, options);
  if (sameBlocks(whole, to, shape)) return passed(reduced);
  const moved = mindsporeReshard(whole, to, shape, options);
  if (!moved.ok) return moved;
  return passed({
    steps: [...reduced.steps, ...moved.value.steps],
    elements: reduced.elements + moved.value.elements,
    bytes: reduced.bytes + moved.value.bytes,
    seconds: reduced.seconds + moved.value.seconds,
  });
}
