import { createLayoutKeys, type Layout } from "#core/mesh";
import { planOf, type ReshardOptions, type ReshardPlan } from "./plan-reshard.ts";
import { enlarged, reducedShapeOf } from "./reduced-shape.ts";
import { type Found, findRoutes } from "./routes.ts";

/** Plans a redistribution, as `planReshard` does. */
export type PlanReshard = (
  from: Layout,
  to: Layout,
  shape: readonly number[],
  options?: ReshardOptions,
) => ReshardPlan;

/** What a planner remembers. */
interface Answers {
  readonly keyOf: (layout: Layout) => string;
  readonly plans: Map<string, ReshardPlan>;
  readonly routes: Map<string, Found>;
}

/** After so many questions a planner that goes from edit to edit begins anew. */
const mostQuestions = 50_000;

/**
 * `planReshard` that answers a question once: equal blocks of a program ask the same again and
 * again, and where only the sizes of tensors differ, one search serves them all. The layouts of an
 * answer are those of the first question, equal but perhaps not the same.
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

/** The routes for a shape, found on its reduced shape where there is one. */
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
