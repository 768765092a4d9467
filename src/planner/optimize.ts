import { unknownTensor } from "#core/ir";
import { type Cases, casesOf } from "./cases.ts";
import { PinConflict } from "./choices.ts";
import { fitted, type Watch } from "./fitted.ts";
import { hidesWeights } from "./hidden-weights.ts";
import { type Network, networkOf, weighed } from "./network.ts";
import type { Measured, Optimized, OptimizeOutcome } from "./optimized.ts";
import { orderedIn, planFound } from "./plan-found.ts";
import type { PlannerMemory } from "./planner-memory.ts";
import type { PlanRequest } from "./problem.ts";
import { settled } from "./settled.ts";
import { Search, solvedBy } from "./solve.ts";
import { TooWide } from "./too-wide.ts";
import { PlacedInParts } from "./values.ts";

/** Options of a search, and its listeners. */
export interface OptimizeOptions {
  /**
   * Measures the whole program under a plan. The difference between measured and modelled seconds
   * is part of the gap between the plan and its bound.
   */
  readonly measure?: (found: Optimized) => Measured;
  /**
   * Peak bytes of a device under a plan, for callers that know them sooner than all of `measure`:
   * plans are then held against the limit by these.
   */
  readonly peakOf?: ((found: Optimized) => number) | undefined;
  /** Receives every measured plan within the limit that is faster than those before it. */
  readonly onFound?: (found: Optimized) => void;
  /** Results of earlier requests: a request like the last one is answered sooner. */
  readonly memory?: PlannerMemory | undefined;
  /** Whether any plan within the limit suffices, when plans are measured. */
  readonly isAnyEnough?: boolean;
}

/**
 * The cheapest plan of a program under a cost model: a strategy per operator and a layout at rest
 * per input and parameter (planner.md §4). What the request pins or places stays. Never throws for
 * a request: demands that cannot be met become a diagnostic.
 */
export function optimize(request: PlanRequest, options: OptimizeOptions = {}): OptimizeOutcome {
  const unknown = unknownTensor(request.graph);
  if (unknown !== undefined) {
    const message = `nobody knows the shape of "${unknown.name}": what a plan costs is not known`;
    return refused("planner/unknown-shape", message);
  }
  try {
    return narrowed(request, (cases) => {
      const search = searchOf(request, cases, options);
      const isSure = !hidesWeights(request) || !hasTwoFabrics(request);
      if (options.isAnyEnough === true) return search.from(search.on(1));
      const found = isSure
        ? search.from(search.on(1))
        : besideItself(search, options.measure !== undefined);
      return hidesWeights(request) ? orUnhidden(search, found) : found;
    });
  } catch (error) {
    if (error instanceof PinConflict) return refused("pin-conflict", error.message);
    if (error instanceof PlacedInParts) return refused("planner/placed-in-parts", error.message);
    if (error instanceof RangeError) {
      return refused("planner/too-large", `this program is too large to plan: ${error.message}`);
    }
    throw error;
  }
}

/**
 * Search that adapts to the amount of work that overlaps with weight traffic. It takes the amount
 * from the fastest plan before any plan is measured, and once more from the plan found.
 */
function besideItself(search: PlanSearch, isMeasured: boolean): OptimizeOutcome {
  const usual = search.on(usualBeside);
  if (!isMeasured) return search.from(usual);
  const told = fastestBeside(usual);
  const first = search.from(isAbout(told, usualBeside) ? usual : search.on(told));
  if (!first.ok) return first;
  const { ordered, work } = first.value;
  const beside = 1 + ordered / work;
  if (isAbout(beside, told) || isAbout(beside, usualBeside)) return first;
  const second = search.from(search.on(beside));
  return second.ok && second.value.seconds < first.value.seconds ? second : first;
}

/**
 * The given outcome, unless its plan takes longer than the search assumed because less weight
 * traffic is hidden. Then it is the better of this plan and the plan of a search that hides none.
 */
function orUnhidden(search: PlanSearch, found: OptimizeOutcome): OptimizeOutcome {
  if (!found.ok) return found;
  const { seconds, searched = seconds } = found.value;
  if (seconds <= searched * (1 + missTolerance)) return found;
  const other = search.from(search.on(0));
  return other.ok && other.value.seconds < seconds ? other : found;
}

/** Relative excess of a plan's time over the searched time up to which no second search is run. */
const missTolerance = 0.05;

/** Factor on the operators' work that overlaps with weight traffic, in the fastest plan. */
function fastestBeside(search: Search): number {
  if (search.isImpossible()) return usualBeside;
  const { plan, solved } = search.at({ perSecond: 1, perByte: 0 });
  if (!Number.isFinite(solved.cost)) return usualBeside;
  const { ordered, work } = orderedIn(search.network, plan);
  return 1 + ordered / work;
}

function isAbout(beside: number, assumed: number): boolean {
  return Math.abs(beside / assumed - 1) < besideTolerance;
}

/**
 * Assumed factor on the operators' work that overlaps with weight traffic, before a plan is known.
 */
const usualBeside = 1.35;

/** Relative deviation from the assumed factor up to which no second search is run. */
const besideTolerance = 0.1;

/** Whether devices may wait for one fabric while another carries the traffic of weights. */
function hasTwoFabrics({ mesh, hardware: { node } }: PlanRequest): boolean {
  const devices = mesh.axes.reduce((product, { size }) => product * size, 1);
  const isFar = mesh.axes.some(({ link }) => link?.fabric === "two-level");
  return isFar || (node !== undefined && devices > node);
}

/**
 * Searches of one request under an assumed factor on the work that overlaps with weight traffic.
 */
interface PlanSearch {
  readonly on: (beside: number) => Search;
  readonly from: (search: Search) => OptimizeOutcome;
}

function searchOf(
  request: PlanRequest,
  cases: Cases,
  { measure, peakOf, onFound, memory, isAnyEnough = false }: OptimizeOptions,
): PlanSearch {
  const { memoryLimit } = request;
  const known = measure && measuredOnce(measure);
  const on = (beside: number) => new Search(networkOf(request, memory, cases, beside));
  const from = (search: Search): OptimizeOutcome => {
    const { network } = search;
    if (known === undefined) return floored(network, outcomeOf(search, memoryLimit));
    const whole = (found: Optimized) => asMeasured(found, known, leastOf(network));
    const fits = (limit: number, peak: (found: Optimized) => number) =>
      fittedOf(search, limit, {
        peakOf: peak,
        onFound: (found) => onFound?.(whole(found)),
        isAnyEnough,
      });
    const within = (limit: number) => {
      const outcome = fits(limit, peakOf ?? ((found) => known(found).bytes));
      const isOver = outcome.ok && known(outcome.value).bytes > limit;
      return isOver ? fits(limit, (found) => known(found).bytes) : outcome;
    };
    const outcome = memoryLimit === undefined ? outcomeOf(search, undefined) : within(memoryLimit);
    const found = floored(network, outcome);
    return found.ok ? { ok: true, value: whole(found.value) } : found;
  };
  return { on, from };
}

/**
 * The outcome of a network that leaves strategies out, with the bound lowered to one that holds for
 * all strategies.
 */
function floored({ floor, joined, request }: Network, outcome: OptimizeOutcome): OptimizeOutcome {
  if (floor === undefined || joined === undefined || !outcome.ok) return outcome;
  const bound = Math.min(outcome.value.bound, floor);
  const { axes } = request.mesh;
  const names = joined.map((group) => group.map((at) => axes[at]?.name ?? ""));
  return { ok: true, value: { ...outcome.value, bound, joined: names } };
}

/**
 * Search that falls back if it is too wide: first to values priced reader by reader, then to a
 * bound for the part that it cannot solve, then to axes that cut in groups.
 */
function narrowed<T>(request: PlanRequest, search: (cases: Cases) => T): T {
  const all = casesOf(request);
  for (const cases of all) {
    try {
      return search(cases);
    } catch (error) {
      if (!(error instanceof TooWide) || cases === all.at(-1)) throw error;
    }
  }
  throw new TooWide();
}

/**
 * The plan with the measured seconds and bytes of the whole program. A search adds up the costs of
 * a program's parts, but a program is a schedule of them (cost.md §5). The difference of both
 * widens the gap of the search, since other plans may differ by as much.
 */
function asMeasured(
  found: Optimized,
  measure: (found: Optimized) => Measured,
  least: number | undefined,
): Optimized {
  const { seconds, bytes, communicationSeconds = found.communication } = measure(found);
  const searched = found.seconds;
  const own = { ...found, seconds, searched, bytes, communication: communicationSeconds };
  if (least !== undefined) return { ...own, bound: Math.min(seconds, least) };
  const difference = Math.abs(seconds - found.seconds);
  const isPriced = difference <= 1e-9 * seconds;
  const isProven = found.bound >= found.seconds * (1 - 1e-12);
  if (isPriced && isProven) return { ...own, bound: seconds };
  const gap = Math.max(0, found.seconds - found.bound) + (isPriced ? 0 : difference);
  return { ...own, bound: Math.max(0, seconds - gap) };
}

/**
 * Lower bound for a training step whose schedule may hide all communication behind compute;
 * `undefined` for other requests.
 */
function leastOf({ request, floor }: Network): number | undefined {
  return hidesWeights(request) ? floor : undefined;
}

/** `measure` with a cache, so that no plan is compiled twice. */
function measuredOnce(measure: (found: Optimized) => Measured): (found: Optimized) => Measured {
  const known = new Map<Optimized["strategies"], Measured>();
  return (found) => {
    const measured = known.get(found.strategies) ?? measure(found);
    known.set(found.strategies, measured);
    return measured;
  };
}

function fittedOf(search: Search, limit: number, watch: Watch): OptimizeOutcome {
  return fitted(search, limit, watch, {
    // Uses only layouts at rest that take at most the bytes counted by the search.
    planned: (plan, bound) => {
      const { network } = search;
      const weight = weighed(network, plan);
      return planFound(network, settled(network, { plan, ...weight, bound }, weight.bytes));
    },
    tooLarge: (leanest) => tooLarge(limit, leanest, "no plan was found that holds"),
    impossible: noPlan,
  });
}

function noPlan(): Extract<OptimizeOutcome, { ok: false }> {
  return refused("planner/no-plan", "no plan meets what is pinned, placed, asked and forbidden");
}

function outcomeOf(search: Search, limit: number | undefined): OptimizeOutcome {
  const outcome = solvedBy(search, limit);
  if (outcome.kind === "found") {
    const { network } = search;
    return { ok: true, value: planFound(network, settled(network, outcome.found, limit)) };
  }
  if (outcome.kind === "impossible") {
    return noPlan();
  }
  const claim =
    search.network.floor === undefined ? "no plan holds" : "no plan was found that holds";
  return tooLarge(limit ?? 0, planFound(search.network, outcome.least), claim);
}

function tooLarge(
  limit: number,
  leanest: Optimized,
  claim: string,
): Extract<OptimizeOutcome, { ok: false }> {
  const { bytes } = leanest;
  const message = `${claim} at most ${limit} bytes on a device: the leanest takes ${bytes}, ${bytes - limit} more`;
  return { ...refused("infeasible-memory", message), leanest };
}

function refused(code: DiagnosticCode, message: string): Extract<OptimizeOutcome, { ok: false }> {
  return { ok: false, diagnostic: { code, severity: "error", message } };
}
