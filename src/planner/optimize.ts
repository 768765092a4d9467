import type { Diagnostic } from "#core/diagnostics";
import type { OperatorId, TensorId } from "#core/ir";
import type { Layout } from "#core/mesh";
import type { Strategy } from "#core/plan";
import { layoutOf } from "#core/reshard";
import { type Cases, fewCases, wholeCases } from "./cases.ts";
import { PinConflict, strategyIn } from "./choices.ts";
import type { Found } from "./found.ts";
import { type Network, networkOf, updateRule } from "./network.ts";
import type { PlannerMemory } from "./planner-memory.ts";
import type { PlanRequest } from "./problem.ts";
import { settled } from "./settled.ts";
import { type Outcome as SolveOutcome, solve } from "./solve.ts";
import { TooWide } from "./too-wide.ts";
import { usageIn } from "./usage.ts";
import { routesOf } from "./value-cost.ts";

/** The layouts of a plan: of inputs and parameters at rest, of results as they end. */
export interface PlannedLayouts {
  readonly rest: ReadonlyMap<TensorId, Layout>;
  readonly ends: ReadonlyMap<TensorId, Layout>;
}

/** A plan that was found. */
export interface Optimized {
  /** Seconds under the model, and what no plan goes below; equal where the plan is proven best. */
  readonly seconds: number;
  readonly bound: number;
  /** Of `seconds` what redistributions take. */
  readonly communication: number;
  /** Bytes of the fullest device: measured where that is asked for, else under the model. */
  readonly bytes: number;
  readonly strategies: ReadonlyMap<OperatorId, Strategy>;
  readonly layouts: PlannedLayouts;
  /** How often each collective runs. */
  readonly collectives: ReadonlyMap<string, number>;
}

/** What a whole program takes: seconds, and bytes of its fullest device. */
export interface Measured {
  readonly seconds: number;
  readonly bytes: number;
}

/** A plan, or why there is none. */
export type OptimizeOutcome =
  | { readonly ok: true; readonly value: Optimized }
  | { readonly ok: false; readonly diagnostic: Diagnostic; readonly leastBytes?: number };

/** What a search may use, and who hears of it. */
export interface OptimizeOptions {
  /**
   * What the whole program takes by a plan, where that can be asked: a price that says otherwise
   * proves nothing, and the bound is then 0.
   */
  readonly measure?: (found: Optimized) => Measured;
  /** Hears of every measured plan within the limit that is faster than those before it. */
  readonly onFound?: (found: Optimized) => void;
  /** What earlier requests worked out: a request like the last one is answered sooner. */
  readonly memory?: PlannerMemory | undefined;
}

/**
 * The cheapest plan of a program under a cost model: a strategy per operator and a layout at rest
 * per input and parameter (planner.md §4). What the request pins or places stays. Never throws for
 * a request: what cannot be met is a diagnostic.
 */
export function optimize(
  request: PlanRequest,
  { measure, onFound = () => {}, memory }: OptimizeOptions = {},
): OptimizeOutcome {
  try {
    return narrowed(request, (cases) => {
      const network = networkOf(request, memory, cases);
      const within = (limit: number | undefined) =>
        outcomeOf(network, limit, solve(network, limit));
      if (measure === undefined) return within(request.memoryLimit);
      const outcome = fitted(within, request.memoryLimit, {
        peakOf: (found) => measure(found).bytes,
        onFound: (found) => onFound(asMeasured(found, measure)),
      });
      return outcome.ok ? { ok: true, value: asMeasured(outcome.value, measure) } : outcome;
    });
  } catch (error) {
    if (error instanceof PinConflict) return refused("pin-conflict", error.message);
    if (error instanceof RangeError) {
      return refused("planner/too-large", `this program is too large to plan: ${error.message}`);
    }
    throw error;
  }
}

/** A search, and where it is too wide the same one with values priced reader by reader. */
function narrowed<T>(request: PlanRequest, search: (cases: Cases) => T): T {
  try {
    return search(wholeCases(request));
  } catch (error) {
    if (error instanceof TooWide) return search(fewCases);
    throw error;
  }
}

/** The same plan with the seconds and bytes that the whole program takes. */
function asMeasured(found: Optimized, measure: (found: Optimized) => Measured): Optimized {
  const { seconds, bytes } = measure(found);
  const isPriced = Math.abs(seconds - found.seconds) <= 1e-9 * seconds;
  const isProven = found.bound >= found.seconds * (1 - 1e-12);
  const bound = isProven ? seconds : Math.min(found.bound, seconds);
  return { ...found, seconds, bytes, bound: isPriced ? bound : 0 };
}

function outcomeOf(
  network: Network,
  limit: number | undefined,
  outcome: SolveOutcome,
): OptimizeOutcome {
  if (outcome.kind === "found") {
    return { ok: true, value: planFound(network, settled(network, outcome.found, limit)) };
  }
  if (outcome.kind === "impossible") {
    return refused("planner/no-plan", "no plan meets what is pinned, placed, asked and forbidden");
  }
  const { bytes } = outcome.least;
  return tooLarge(limit ?? 0, bytes);
}

function tooLarge(
  limit: number,
  least: number,
  claim = "no plan holds",
): Extract<OptimizeOutcome, { ok: false }> {
  const message = `${claim} at most ${limit} bytes on a device: the leanest takes ${least}, ${least - limit} more`;
  return { ...refused("infeasible-memory", message), leastBytes: least };
}

/** What is asked of whole plans, and who hears of those that fit. */
interface Watch {
  readonly peakOf: (found: Optimized) => number;
  readonly onFound: (found: Optimized) => void;
}

/** Limits tried between the fastest plan and the leanest. */
const roundLimit = 7;

/**
 * The cheapest plan found whose real peak is within a limit. What a model counts as memory adds up
 * over all values; what a device holds at its fullest moment is known of a whole plan alone. So the
 * limit of the model is halved in on. `bound` stays that of the fastest plan of all: the plan may be
 * nearer to the best one that fits than it says.
 */
function fitted(
  within: (limit: number | undefined) => OptimizeOutcome,
  limit: number | undefined,
  { peakOf, onFound }: Watch,
): OptimizeOutcome {
  const fastest = within(undefined);
  if (!fastest.ok || limit === undefined) return fastest;
  if (peakOf(fastest.value) <= limit) return fastest;
  const none = within(-1);
  let low = none.ok ? 0 : (none.leastBytes ?? 0);
  const leanest = within(low);
  if (!leanest.ok) return leanest;
  const least = Math.min(peakOf(leanest.value), peakOf(fastest.value));
  if (least > limit) return tooLarge(limit, least, "no plan was found that holds");
  const { bound } = fastest.value;
  let [best, high] = [leanest.value, fastest.value.bytes];
  const tell = () => onFound({ ...best, bound });
  tell();
  for (let round = 0; round < roundLimit; round += 1) {
    const middle = (low + high) / 2;
    const next = within(middle);
    const fits = next.ok && peakOf(next.value) <= limit;
    if (next.ok && fits && next.value.seconds < best.seconds) {
      best = next.value;
      tell();
    }
    if (fits) low = middle;
    else high = middle;
  }
  return { ok: true, value: { ...best, bound } };
}

function refused(code: string, message: string): Extract<OptimizeOutcome, { ok: false }> {
  return { ok: false, diagnostic: { code, severity: "error", message } };
}

function planFound(network: Network, { plan, seconds, bound, bytes }: Found): Optimized {
  const { request, choices } = network;
  const strategies = new Map(
    request.graph.operators.flatMap(({ id }, at) => {
      const choice = choices[at]?.[plan[at] ?? -1];
      return choice === undefined ? [] : [[id, strategyIn(choice.strategy, request.mesh)] as const];
    }),
  );
  const { rest, ends, collectives, communication } = movements(network, plan);
  const layouts = { rest, ends };
  return { seconds, bound, communication, bytes, strategies, layouts, collectives };
}

function movements(network: Network, plan: readonly number[]) {
  const { values, choices, restOf, request } = network;
  const rest = new Map<TensorId, Layout>();
  const ends = new Map<TensorId, Layout>();
  const collectives = new Map<string, number>();
  const rule = updateRule(request, network.pricing);
  let communication = 0;
  for (const value of values) {
    const { routes, tensor } = value;
    const use = usageIn(value, plan, choices, restOf);
    const layout = (state: number) => layoutOf(routes.state(state), request.mesh);
    if (value.source.kind === "rest") rest.set(tensor.id, layout(use.source));
    for (const { from, to, runs } of routesOf(value, use, rule)) {
      communication += runs * routes.seconds(from, to);
      for (const kind of routes.collectives(from, to)) {
        collectives.set(kind, (collectives.get(kind) ?? 0) + runs);
      }
      if (value.isResult && from === use.source) ends.set(tensor.id, layout(to));
    }
  }
  return { rest, ends, collectives, communication };
}
