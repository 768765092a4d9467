import type { Layout } from "#core/mesh";
import { type PricedSteps, priceDrafts } from "./price.ts";
import type { PriceOptions } from "./price-options.ts";
import { isLess } from "./rates.ts";
import { type Found, findRoutes, type RouteLimit, type RouteOptions } from "./routes.ts";
import type { ReshardStep } from "./step.ts";

/** What a plan may use, and what it is priced with. */
export type ReshardOptions = RouteOptions;

/** The cheapest sequence of collectives between two layouts, and what was proven about it. */
export interface ReshardPlan extends PricedSteps {
  /** Elements that no plan can go below. */
  readonly lowerBound: number;
  /** The best plans by communicating steps: each further one has more steps and fewer elements. */
  readonly front: readonly { readonly steps: number; readonly elements: number }[];
  /** The plans of the front, in the same order. */
  readonly points: readonly PricedSteps[];
  /** Whether nothing lies below the front. */
  readonly exact: boolean;
  /** By how much, relative to the lower bound, the front may lie above the optimum; 0 if exact. */
  readonly gap: number;
  /** What had to be given up because it is too large to be written out. */
  readonly limit?: RouteLimit;
}

/**
 * The cheapest sequence of collectives between two layouts of one tensor (redistribution.md §7).
 *
 * Of the (steps, elements) front it takes the point with the least modelled seconds, ties by fewer
 * elements, then fewer steps; of plans equal in steps and elements the quickest is the point. So the
 * seconds do not depend on the order of dims, nor on which of several equal axes is meant. No layout on the way is larger than the larger of source and target,
 * unless `limit` says so.
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

/** The plan that is chosen among the routes found, priced. */
export function planOf(found: Found, shape: readonly number[], options: PriceOptions): ReshardPlan {
  const plans = pointsOf(found.routes.map((route) => priceDrafts(route, shape, options)));
  const chosen = plans.reduce((best, plan) => (isBetter(plan, best) ? plan : best));
  const { lowerBound, exact } = found;
  const front = plans.map((plan) => ({
    steps: sentSteps(plan.steps),
    elements: plan.elements,
  }));
  const { steps, elements, bytes, seconds } = chosen;
  const gap = gapOf(plans, found);
  const plan = { steps, elements, bytes, seconds, lowerBound, front, points: plans, exact, gap };
  return found.limit === undefined ? plan : { ...plan, limit: found.limit };
}

/** Of plans with as many steps and elements the quickest, of equally quick ones the first. */
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
  return isEqual && sentSteps(a.steps) === sentSteps(b.steps);
}

/** How many steps communicate. */
export function sentSteps(steps: readonly Pick<ReshardStep, "collective">[]): number {
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
