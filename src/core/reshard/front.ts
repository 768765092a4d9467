import type { DraftStep } from "./emit.ts";
import { secondsOfDraft } from "./price.ts";
import { isLess, type PriceOptions } from "./rates.ts";

/** The undominated plans by number of collectives; of equal ones the quickest. */
export function frontOf(
  routes: readonly (readonly DraftStep[])[],
  shape: readonly number[],
  price: PriceOptions,
): readonly (readonly DraftStep[])[] {
  const counted = routes.map((route) => ({
    route,
    count: countOfSteps(route),
    elements: elementsIn(route),
  }));
  const known = new Map<readonly DraftStep[], number>();
  const secondsOf = (route: readonly DraftStep[]) => {
    const sum = () => route.reduce((total, step) => total + secondsOfDraft(step, shape, price), 0);
    const seconds = known.get(route) ?? sum();
    known.set(route, seconds);
    return seconds;
  };
  counted.sort((a, b) => {
    if (a.count !== b.count) return a.count - b.count;
    const isEqual = !isLess(a.elements, b.elements) && !isLess(b.elements, a.elements);
    return isEqual ? secondsOf(a.route) - secondsOf(b.route) : a.elements - b.elements;
  });
  let least = Number.POSITIVE_INFINITY;
  return counted.flatMap(({ route, elements }) => {
    if (!isLess(elements, least)) return [];
    least = elements;
    return [route];
  });
}

/** Number of communicating steps of a plan. */
export function countOfSteps(route: readonly DraftStep[]): number {
  return route.filter((step) => step.collective !== "slice").length;
}

/** Elements that the busiest device receives in a plan. */
export function elementsIn(route: readonly DraftStep[]): number {
  return route.reduce((sum, step) => sum + step.elements, 0);
}
