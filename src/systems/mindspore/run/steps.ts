import { type Collective, groupsOf } from "#core/collective";
import { type Checked, passed } from "#core/diagnostics";
import { type Layout, sameBlocks } from "#core/mesh";
import { type PricedSteps, planReshard, priceSteps, type ReshardStep } from "#core/reshard";
import {
  type Cause,
  does,
  type Edge,
  movesPieces,
  type ReshardingSystem,
  type SystemReshards,
} from "#systems/system";
import { mindsporeReshard } from "../mindspore-reshard.ts";
import { mindsporeLists } from "./lists.ts";

/** MindSpore's redistribution, including the sums inside operators. */
export const mindsporeReshards: SystemReshards = {
  note: "MindSpore's own operators as it infers them, without AllToAll",
  between: mindsporeReshard,
  onEdge: (edge) => {
    const { from, to, shape, bytesPerElement } = edge;
    if (isSum(edge)) return reducedInside(edge);
    return mindsporeReshard(from, to, shape, { bytesPerElement });
  },
  wordsOf,
  cause: ownCause,
  lists: (edge) => (isSum(edge) && edge.isWritten ? [] : mindsporeLists(edge)),
};

/** MindSpore as a resharding system, for rows of its runs. */
export const mindsporeSteps: ReshardingSystem = {
  name: "mindspore",
  title: "MindSpore",
  reshards: mindsporeReshards,
};

function isSum({ from, to }: Pick<Edge, "from" | "to">): boolean {
  return from.partials.length > to.partials.length;
}

/**
 * MindSpore has no partial layouts: an operator combines its partial sums by one AllReduce, or into
 * the layout of its `out_strategy`, and only then is the tensor redistributed (mindspore.md §3.9).
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

/**
 * Why MindSpore's plan of an edge differs from ours, if its own rules explain it; else `undefined`.
 */
export function ownCause(
  ...[ours, theirs, { isPartial, isAcross }]: Parameters<Cause>
): string | undefined {
  const [we, they] = [does(ours), does(theirs)];
  if (isPartial && they("all-reduce") && !we("all-reduce")) {
    return "MindSpore completes a sum inside the operator, before it knows what the reader wants, so every device receives all of it; ours sums straight into the reader's layout.";
  }
  if (isAcross && they("all-gather")) {
    return "MindSpore finds no common arrangement of the devices for both ends, so it gathers the whole tensor and cuts it again.";
  }
  if (they("all-gather") && movesPieces(we)) {
    return "MindSpore gathers a dim and then cuts: its AllToAll is off unless enable_alltoall is set; ours sends only the pieces that change their device.";
  }
  return undefined;
}

/** MindSpore's primitives for a step of its redistribution. */
function wordsOf({ collective, moves }: Pick<ReshardStep, "collective" | "moves">): string {
  const isFirstDim = (moves[0]?.from?.dim ?? 0) === 0;
  const isInside = collective === "all-gather" && !isFirstDim;
  return isInside ? "AllGather, Split, Concat" : (words[collective] ?? collective);
}

const words: Partial<Readonly<Record<Collective, string>>> = {
  slice: "StridedSlice",
  "all-gather": "AllGather",
  "reduce-scatter": "ReduceScatter",
  "all-reduce": "AllReduce",
  "all-to-all": "AlltoAll",
};
