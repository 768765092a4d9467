import { localElements, printLayout } from "#core/mesh";
import { type PricedSteps, planReshard, type ReshardPlan } from "#core/reshard";
import { dtensorReshard } from "#systems/dtensor";
import { mindsporeReshard } from "#systems/mindspore";
import { nnscalerReshard } from "#systems/nnscaler";
import { shardyReshard } from "#systems/shardy";
import { allEdges, type Edge, randomEdges, shape } from "./edges.ts";

/** The plans of another policy on one mesh, compared with the planner's own. */
interface Distribution {
  readonly title: string;
  readonly policy: string;
  readonly pairs: readonly Pair[];
  /** Number of edges for which the policy has no plan. */
  readonly refused: number;
  /** Edges on which the policy threw an error. */
  readonly broken: readonly Edge[];
}

/** One edge, planned by both. */
interface Pair {
  readonly ours: ReshardPlan;
  readonly least: number;
  readonly theirs: PricedSteps;
  readonly count: number;
  /**
   * Whether all its intermediate layouts are at most as large as source and target, as the
   * planner's own must be.
   */
  readonly isWithin: boolean;
}

const policies = {
  Shardy: shardyReshard,
  DTensor: dtensorReshard,
  MindSpore: mindsporeReshard,
  nnScaler: nnscalerReshard,
};

/** Compares every policy with the planner's own plans, on all or many pairs of three meshes. */
export function distributions(): readonly Distribution[] {
  return [
    ...against("2×2×2 rank 3, all pairs", allEdges([2, 2, 2])),
    ...against("4×2×2 rank 3, random pairs", randomEdges([4, 2, 2], 5_000)),
    ...against("8×4×4 rank 3, random pairs", randomEdges([8, 4, 4], 5_000)),
  ];
}

/**
 * Number of pairs whose plan stays within the memory limit and is not matched by the planner's own
 * front.
 */
export function unmatched({ pairs }: Distribution): number {
  return pairs.filter((pair) => pair.isWithin && !isMatched(pair)).length;
}

/** A distribution as text. */
export function lineOf(distribution: Distribution): string {
  const { title, policy, pairs } = distribution;
  const broken = `${distribution.broken.length} broken${exampleOf(distribution.broken)}`;
  const overBound = ratios(pairs, ({ least, ours }) => over(least, ours.lowerBound));
  const overOurs = ratios(pairs, ({ theirs, least }) => over(theirs.elements, least));
  const beyond = pairs.filter((pair) => !pair.isWithin).length;
  return [
    `${title}, ${policy}: ${pairs.length} pairs, ${distribution.refused} refused, ${broken}`,
    `ours above the lower bound ${share(overBound, pairs)}, worst ${worst(overBound)}`,
    `${policy} above ours ${share(overOurs, pairs)}, by ${mean(overOurs)} in the geometric mean, worst ${worst(overOurs)}`,
    `${policy} beyond our memory bound ${beyond}`,
    `ours unmatched ${unmatched(distribution)}`,
  ].join("; ");
}

function against(title: string, edges: readonly Edge[]): readonly Distribution[] {
  const planned = edges.map((edge) => ({ ...edge, ours: planReshard(edge.from, edge.to, shape) }));
  return Object.entries(policies).map(([policy, plan]) => {
    const answers = planned.map((edge) => ({ ...edge, ...answerOf(plan, edge) }));
    return {
      title,
      policy,
      pairs: answers.flatMap((each) => {
        const { theirs } = each;
        return theirs === undefined ? [] : [pairOf({ ...each, theirs })];
      }),
      refused: answers.filter(({ theirs, isBroken }) => theirs === undefined && !isBroken).length,
      broken: answers.filter(({ isBroken }) => isBroken),
    };
  });
}

/** The answer of a policy; an error is recorded, so that one edge does not stop the others. */
function answerOf(plan: typeof shardyReshard, { from, to }: Edge): Theirs {
  try {
    const answer = plan(from, to, shape);
    return { theirs: answer.ok ? answer.value : undefined, isBroken: false };
  } catch {
    return { theirs: undefined, isBroken: true };
  }
}

interface Theirs {
  readonly theirs: PricedSteps | undefined;
  readonly isBroken: boolean;
}

function pairOf(edge: Edge & { readonly ours: ReshardPlan; readonly theirs: PricedSteps }): Pair {
  const { from, to, ours, theirs } = edge;
  const bound = Math.max(localElements(from, shape), localElements(to, shape));
  return {
    ours,
    theirs,
    least: Math.min(...ours.front.map(({ elements }) => elements)),
    count: theirs.steps.filter(({ collective }) => collective !== "slice").length,
    isWithin: theirs.steps.every(({ layout }) => localElements(layout, shape) <= bound),
  };
}

function exampleOf([edge]: readonly Edge[]): string {
  return edge === undefined ? "" : ` (${printLayout(edge.from)} to ${printLayout(edge.to)})`;
}

function isMatched({ ours, theirs, count }: Pair): boolean {
  return ours.front.some(({ steps, elements }) => steps <= count && elements <= theirs.elements);
}

/** Quotients above 1. */
function ratios(pairs: readonly Pair[], ratio: (pair: Pair) => number): readonly number[] {
  return pairs.map(ratio).filter((times) => times > 1 + 1e-9);
}

function over(elements: number, base: number): number {
  return elements === base ? 1 : elements / base;
}

function share(some: readonly number[], all: readonly Pair[]): string {
  return `${some.length} (${((100 * some.length) / all.length).toFixed(1)} %)`;
}

function worst(times: readonly number[]): string {
  return `${times.reduce((most, each) => Math.max(most, each), 1).toFixed(2)}×`;
}

/** The geometric mean. */
function mean(times: readonly number[]): string {
  const logs = times.reduce((sum, each) => sum + Math.log(each), 0);
  return `${Math.exp(logs / Math.max(1, times.length)).toFixed(3)}×`;
}
