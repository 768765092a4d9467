import { greatestCommonDivisor } from "#core/arithmetic";
import { blockCount, createLayoutKeys, type Layout } from "#core/mesh";
import { type PricedSteps, priceDrafts, type ReshardStep } from "./price.ts";
import { isLess, type PriceOptions } from "./rates.ts";
import { type Found, findRoutes, type RouteLimit, type RouteOptions } from "./routes.ts";

/** The allowed steps of a plan, and the prices that compare plans. */
export type ReshardOptions = RouteOptions;

/** The cheapest sequence of collectives between two layouts, and the proof about it. */
export interface ReshardPlan extends PricedSteps {
  /** Lower bound of the elements of any plan. */
  readonly lowerBound: number;
  /** The best plans by communicating steps: each further one has more steps and fewer elements. */
  readonly front: readonly { readonly steps: number; readonly elements: number }[];
  /** Plans of the front, in the order of `front`. */
  readonly points: readonly PricedSteps[];
  /** Whether the front is proven optimal. */
  readonly exact: boolean;
  /**
   * Largest possible excess of the front over the optimum, relative to the lower bound; 0 if exact.
   */
  readonly gap: number;
  /** The reason why plans were left out as too large to write out. */
  readonly limit?: RouteLimit;
}

/**
 * Cheapest sequence of collectives between two layouts of one tensor (redistribution.md §7).
 *
 * Of the (steps, elements) front it takes the point with the fewest modelled seconds (ties: fewer
 * elements, then fewer steps). Among plans with equal steps and elements the fastest represents the
 * point. So the seconds do not depend on the order of dims or on the choice among equal axes. No
 * intermediate layout is larger than the larger of source and target, unless `limit` says so.
 * Layouts that put the same elements on the same devices need no step. The last step's layout is
 * `to` as written.
 */
export function planReshard(
  from: Layout,
  to: Layout,
  shape: readonly number[],
  options: ReshardOptions = {},
): ReshardPlan {
  return planOf(findRoutes(from, to, shape, options), shape, options);
}

/** The chosen plan of the found routes, with prices. */
function planOf(found: Found, shape: readonly number[], options: PriceOptions): ReshardPlan {
  const plans = pointsOf(found.routes.map((route) => priceDrafts(route, shape, options)));
  const chosen = plans.reduce((best, plan) => (isBetter(plan, best) ? plan : best));
  const { lowerBound, exact } = found;
  const front = plans.map((plan) => ({
    steps: communicationCount(plan.steps),
    elements: plan.elements,
  }));
  const { steps, elements, bytes, seconds } = chosen;
  const gap = gapOf(plans, found);
  const plan = { steps, elements, bytes, seconds, lowerBound, front, points: plans, exact, gap };
  return found.limit === undefined ? plan : { ...plan, limit: found.limit };
}

/**
 * One plan per point of the Pareto front: of plans with equal steps and elements the fastest, then
 * the first.
 */
function pointsOf(plans: readonly PricedSteps[]): readonly PricedSteps[] {
  if (plans.length < 2) return plans;
  const points: PricedSteps[] = [];
  for (const plan of plans) {
    const at = points.findIndex((point) => isSamePoint(point, plan));
    const point = points[at];
    if (point === undefined) points.push(plan);
    else if (isLess(plan.seconds, point.seconds)) points[at] = plan;
  }
  return points;
}

function isSamePoint(a: PricedSteps, b: PricedSteps): boolean {
  const isEqual = !isLess(a.elements, b.elements) && !isLess(b.elements, a.elements);
  return isEqual && communicationCount(a.steps) === communicationCount(b.steps);
}

/** The number of steps that communicate. */
export function communicationCount(steps: readonly Pick<ReshardStep, "collective">[]): number {
  return steps.filter(({ collective }) => collective !== "slice").length;
}

function gapOf(plans: readonly PricedSteps[], { exact, lowerBound }: Found): number {
  if (exact || lowerBound === 0) return 0;
  return Math.min(...plans.map((plan) => plan.elements)) / lowerBound - 1;
}

function isBetter(plan: PricedSteps, best: PricedSteps): boolean {
  if (plan.seconds !== best.seconds) return plan.seconds < best.seconds;
  if (plan.elements !== best.elements) return plan.elements < best.elements;
  return plan.steps.length < best.steps.length;
}

/** Plans a redistribution, as `planReshard` does. */
export type PlanReshard = (
  from: Layout,
  to: Layout,
  shape: readonly number[],
  options?: ReshardOptions,
) => ReshardPlan;

/** The remembered plans of a planner. */
interface Answers {
  readonly keyOf: (layout: Layout) => string;
  readonly plans: Map<string, ReshardPlan>;
  readonly routes: Map<string, Found>;
}

/** Limit on remembered questions; beyond it a planner forgets all. */
const mostQuestions = 50_000;

/**
 * `planReshard` with a memory of its plans, since the equal blocks of a program ask for the same
 * plans repeatedly. If only the sizes of tensors differ, one search serves them all. A remembered
 * plan has the layout objects of its first call.
 */
export function createReshardPlanner(): PlanReshard {
  let answers = noAnswers();
  let asked = 0;
  return (from, to, shape, options = {}) => {
    asked += 1;
    if (asked > mostQuestions) {
      answers = noAnswers();
      asked = 1;
    }
    const { keyOf, plans, routes } = answers;
    const pair = `${keyOf(from)};${keyOf(to)}`;
    const key = `${pair};${shape.join()};${JSON.stringify(options)}`;
    const known = plans.get(key);
    if (known !== undefined) return known;
    const found = foundBy(routes, pair, from, to, shape, options);
    const plan = planOf(found, shape, options);
    plans.set(key, plan);
    return plan;
  };
}

function noAnswers(): Answers {
  return { keyOf: createLayoutKeys(), plans: new Map(), routes: new Map() };
}

/** The routes for a shape, found on its reduced shape if there is one. */
function foundBy(
  routes: Map<string, Found>,
  pair: string,
  from: Layout,
  to: Layout,
  shape: readonly number[],
  options: ReshardOptions,
): Found {
  const isUsual = options.exchange !== true && options.boundElements === undefined;
  const reduced = isUsual ? reducedShapeOf(from, to, shape) : undefined;
  if (reduced === undefined) return findRoutes(from, to, shape, options);
  const { links, launchSeconds } = options;
  const price = { ...(links && { links }), ...(launchSeconds !== undefined && { launchSeconds }) };
  const key = `${pair};${reduced.shape.join()};${JSON.stringify(price)}`;
  const small = routes.get(key) ?? findRoutes(from, to, reduced.shape, price);
  routes.set(key, small);
  return enlarged(small, reduced.ratio) ?? findRoutes(from, to, shape, options);
}

/** A smaller shape that is planned in place of the actual one, and the ratio of their elements. */
export interface ReducedShape {
  readonly shape: readonly number[];
  readonly ratio: number;
}

/**
 * The smallest shape for which the search between two layouts finds the same routes. While every cut
 * is even, a dim's size matters only by the divisors that it shares with the square of the number of
 * devices: no layout on the way cuts a dim further. `undefined` for layouts with uneven cuts.
 */
function reducedShapeOf(
  from: Layout,
  to: Layout,
  shape: readonly number[],
): ReducedShape | undefined {
  if (from.mesh !== to.mesh || !isEven(from, shape) || !isEven(to, shape)) return undefined;
  const most = from.mesh.devices.length ** 2;
  const small = shape.map((size) => greatestCommonDivisor(size, most));
  const ratio = shape.reduce((n, size, at) => n * (size / (small[at] ?? 1)), 1);
  return { shape: small, ratio };
}

/**
 * The routes of the reduced shape, enlarged to the shape itself; `undefined` if rounding could
 * differ.
 */
function enlarged(found: Found, ratio: number): Found | undefined {
  if (!found.isProportional || !isSafe(found.lowerBound, ratio)) return undefined;
  for (const route of found.routes)
    for (const { elements } of route) if (!isSafe(elements, ratio)) return undefined;
  const routes = found.routes.map((route) =>
    route.map((step) => ({ ...step, elements: step.elements * ratio })),
  );
  return { ...found, routes, lowerBound: found.lowerBound * ratio };
}

/** Whether a figure and its multiple are whole numbers without rounding. */
function isSafe(figure: number, ratio: number): boolean {
  return Number.isSafeInteger(figure) && Number.isSafeInteger(figure * ratio);
}

function isEven({ dims }: Layout, shape: readonly number[]): boolean {
  return dims.every((dim, at) => {
    const size = shape[at] ?? 0;
    const isPlain = dim.sizes === undefined && dim.parts.every(({ kind }) => kind === "axis");
    return isPlain && size > 0 && size % blockCount(dim.parts) === 0;
  });
}
