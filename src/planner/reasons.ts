import type { OperatorId } from "#core/ir";
import type { Strategy, WantedStrategies } from "#core/plan";
import { append } from "#core/records";
import {
  alternativesOf,
  type Comparison,
  comparisonOf,
  type Difference,
  type PlanAlternative,
} from "./alternatives.ts";
import type { Network } from "./network.ts";
import type { GivenPlan } from "./planned.ts";
import { strategyText } from "./planned.ts";
import type { PlannerMemory } from "./planner-memory.ts";
import type { PlanRequest } from "./problem.ts";
import { valueAsMet } from "./value-shares.ts";

/** The chosen strategy's standing against its best rival. */
export type Standing =
  /** The rival is slower. */
  | "cheaper"
  /** The rival is cheaper alone, but its redistributions cost more. */
  | "loses-elsewhere"
  /** The rival would be faster but is not allowed; `why` gives the reason. */
  | "unavailable"
  /** Both take the same time. */
  | "tie"
  /** The rival is faster: the plan was made by hand, or is not proven best. */
  | "rival-cheaper"
  /** There is no other way to cut the operator. */
  | "only";

/** The part of a program by which two strategies differ most. */
export type Decided = keyof Difference | "memory";

/** The reason for the cut of an operator, or of several equal ones. */
export interface Reason {
  /** Names of the operators, in program order. */
  readonly operators: readonly string[];
  readonly chosen: Strategy;
  readonly rival?: Strategy;
  readonly standing: Standing;
  readonly decided?: Decided;
  /** Seconds by which the rival is slower, with all other operators unchanged. */
  readonly more?: Difference & { readonly seconds: number; readonly bytes: number };
  /** Seconds by which the rival is slower with everything else planned anew. */
  readonly replannedMore?: number;
  /** One sentence. */
  readonly text: string;
}

/** Checks beyond the model that a reason may need. */
export interface Doubts {
  /** The reason why a plan is not possible, such as that it does not fit in memory. */
  readonly refusal?: (strategies: WantedStrategies) => string | undefined;
}

/** Relative difference below which two times of one program are equal. */
const tolerance = 1e-9;

/**
 * The most entries of all tables, times classes of operators, for planning everything else anew.
 */
const replanLimit = 3_000_000;

/**
 * The reasons for the cuts of all operators of a plan, equal ones together: the best rival with
 * another strategy, its cost, and the part that decides (planner.md §1.3). Pinned operators are
 * compared with their choices without the pin.
 */
export function reasonsOf(
  request: PlanRequest,
  given: GivenPlan,
  doubts: Doubts = {},
  memory?: PlannerMemory,
): readonly Reason[] {
  const comparison = comparisonOf(request, given, memory);
  const classes = classesOf(comparison, request);
  const entries = comparison.network.tables.reduce((sum, { seconds }) => sum + seconds.length, 0);
  // A network that only has bounds cannot give the cost of the rest of the plan.
  const isSolved = comparison.network.cases.isBounded !== true;
  const replans = isSolved && classes.length * entries <= replanLimit ? 2 : 0;
  return classes.map(({ first, names }) => {
    const own = alternativesOf(comparison, first, replans);
    return { operators: names, ...reasonFor(request, given, first, own, doubts) };
  });
}

interface Class {
  readonly first: OperatorId;
  readonly names: readonly string[];
}

/**
 * Classes of equal operators with equal strategies and equal neighbours: which of several equal
 * readers of a value an operator is makes no difference.
 */
function classesOf({ network, plan }: Comparison, request: PlanRequest): readonly Class[] {
  const touching = touchingOf(network, plan);
  const classes = new Map<string, { first: OperatorId; names: string[] }>();
  for (const [at, { id, name }] of request.graph.operators.entries()) {
    const isPinned = request.pins.has(id);
    const around = touching.get(at) ?? [];
    const key = [network.unknowns[at]?.key, plan[at], isPinned, ...around].join("|");
    const known = classes.get(key);
    if (known === undefined) classes.set(key, { first: id, names: [name] });
    else known.names.push(name);
  }
  return [...classes.values()];
}

/**
 * For each operator, the values that it makes or reads, with the strategies of all operators that
 * do.
 */
function touchingOf(
  { shares }: Network,
  plan: readonly number[],
): ReadonlyMap<number, readonly string[]> {
  const touching = new Map<number, string[]>();
  for (const [value, share] of shares) {
    for (const at of share.scope) append(touching, at, valueAsMet(value, share, plan, at));
  }
  return touching;
}

function reasonFor(
  request: PlanRequest,
  given: GivenPlan,
  operator: OperatorId,
  alternatives: readonly PlanAlternative[],
  doubts: Doubts,
): Omit<Reason, "operators"> {
  const chosen = alternatives.find(({ isChosen }) => isChosen);
  const rival = alternatives.find(({ isChosen }) => !isChosen);
  const strategy = given.strategies.get(operator) ?? { cuts: {}, carry: [] };
  if (chosen === undefined || rival === undefined) {
    return { chosen: strategy, standing: "only", text: "There is no other way to cut it." };
  }
  const seconds = rival.seconds - chosen.seconds;
  const bytes = rival.bytes - chosen.bytes;
  const refused = () => refusalOf(request, given, operator, rival, bytes, doubts);
  const isFaster = seconds < -tolerance * chosen.seconds;
  const why = isFaster ? refused() : undefined;
  const standing = why === undefined ? standingOf(rival, chosen.seconds) : "unavailable";
  const decided = why?.isMemory === true ? "memory" : decidedBy(rival.difference, standing);
  const replanned = rival.replannedSeconds;
  return {
    chosen: strategy,
    rival: rival.strategy,
    standing,
    ...(decided !== undefined && { decided }),
    more: { ...rival.difference, seconds, bytes },
    ...(replanned !== undefined && { replannedMore: replanned - chosen.seconds }),
    text: sentence(rival, standing, decided, why?.words),
  };
}

function standingOf({ difference, seconds }: PlanAlternative, chosenSeconds: number): Standing {
  const more = seconds - chosenSeconds;
  const equal = tolerance * chosenSeconds;
  if (Math.abs(more) <= equal) return "tie";
  if (more < 0) return "rival-cheaper";
  const alone = difference.compute + difference.before;
  return alone < -equal ? "loses-elsewhere" : "cheaper";
}

/** The largest part in favour of the strategy that wins; `undefined` for a tie. */
function decidedBy(difference: Difference, standing: Standing): keyof Difference | undefined {
  if (standing === "tie") return undefined;
  const sign = standing === "cheaper" || standing === "loses-elsewhere" ? 1 : -1;
  const parts = ["compute", "before", "behind"] as const;
  return parts.reduce((best, part) =>
    sign * difference[part] > sign * difference[best] ? part : best,
  );
}

/** The reason why a faster rival is not allowed: a pin, or memory. */
function refusalOf(
  { pins, model, memoryLimit, graph }: PlanRequest,
  { strategies }: GivenPlan,
  operator: OperatorId,
  rival: PlanAlternative,
  moreBytes: number,
  { refusal }: Doubts,
): { readonly words: string; readonly isMemory: boolean } | undefined {
  if (pins.has(operator)) {
    const name = graph.operators.find(({ id }) => id === operator)?.name ?? "";
    return { words: `"${name}" is pinned`, isMemory: false };
  }
  if (model !== undefined && memoryLimit !== undefined && rival.bytes > memoryLimit) {
    return { words: `it takes ${moreBytes} bytes more, which do not fit`, isMemory: true };
  }
  const words = refusal?.(new Map([...strategies, [operator, rival.strategy]]));
  return words === undefined ? undefined : { words, isMemory: true };
}

const parts: Readonly<Record<Decided, string>> = {
  compute: "its own work",
  before: "what brings its operands to it",
  behind: "what brings its result to those who read it",
  memory: "memory",
};

function sentence(
  { strategy }: PlanAlternative,
  standing: Standing,
  decided: Decided | undefined,
  why: string | undefined,
): string {
  const rival = strategyText(strategy);
  const part = decided === undefined ? "" : parts[decided];
  switch (standing) {
    case "cheaper":
      return `The next best, ${rival}, takes longer, most of all by ${part}.`;
    case "loses-elsewhere":
      return `The next best, ${rival}, is cheaper by itself, but takes longer by ${part}.`;
    case "unavailable":
      return `Cut ${rival} the program would be faster, but ${why ?? ""}.`;
    case "tie":
      return `Cut ${rival} the program takes the same.`;
    case "rival-cheaper":
      return `Cut ${rival} the program would be faster, most of all by ${part}.`;
    case "only":
      return "There is no other way to cut it.";
  }
}
