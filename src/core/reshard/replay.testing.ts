import { product } from "#core/arithmetic";
import {
  firstMismatch,
  isComplete,
  type LayoutStep,
  replayCollective,
  scatter,
  stepElements,
} from "#core/collective";
import { type Layout, localElements, printLayout } from "#core/mesh";
import type { ReshardPlan } from "./plan-reshard.ts";
import type { ReshardStep } from "./price.ts";

/** The steps of a plan as collectives between layouts. */
function collectivesOf(from: Layout, steps: readonly ReshardStep[]): readonly LayoutStep[] {
  return steps.map((step, at) => ({
    collective: step.collective,
    moves: step.moves,
    groups: step.groups,
    ...(step.transfers && { transfers: step.transfers }),
    before: steps[at - 1]?.layout ?? from,
    after: step.layout,
  }));
}

/** The faults of a plan when it runs on numbered elements; empty without any. */
export function faultsOf(
  plan: ReshardPlan,
  from: Layout,
  to: Layout,
  shape: readonly number[],
): readonly string[] {
  const faults = [...faultsIn(plan.steps, from, to, shape)];
  if (plan.steps.length > 0 && plan.steps.at(-1)?.layout !== to) {
    faults.push("the last layout is not the wanted one");
  }
  const sum = plan.steps.reduce((total, step) => total + step.elements, 0);
  if (sum !== plan.elements) faults.push("elements do not add up");
  if (plan.elements < plan.lowerBound - 1e-9) faults.push("below the lower bound");
  const bound = Math.max(localElements(from, shape), localElements(to, shape));
  const peak = Math.max(...plan.steps.map((step) => localElements(step.layout, shape)), 0);
  if (peak > bound) faults.push(`a layout of ${peak} elements above the bound of ${bound}`);
  return faults;
}

/** The faults of steps, of any system, when they run on numbered elements. */
export function faultsIn(
  steps: readonly ReshardStep[],
  from: Layout,
  to: Layout,
  shape: readonly number[],
): readonly string[] {
  const faults: string[] = [];
  const whole = Float64Array.from({ length: product(shape) }, (_, i) => i);
  let blocks = scatter(from, shape, whole);
  for (const [at, step] of collectivesOf(from, steps).entries()) {
    const name = `${step.collective} to ${printLayout(step.after)}`;
    if (!isComplete(step, shape)) faults.push(`${name} does not reach its blocks`);
    const counted = stepElements(step, shape);
    const said = steps[at]?.elements ?? -1;
    if (Math.abs(counted - said) > 1e-9) faults.push(`${name}: ${said} said, ${counted} counted`);
    blocks = replayCollective(step, blocks, shape);
  }
  if (firstMismatch(to, shape, blocks, whole) !== undefined) faults.push("wrong data");
  return faults;
}
