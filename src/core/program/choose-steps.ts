import { type Checked, failed, passed } from "#core/diagnostics";
import type { Layout } from "#core/mesh";
import type { ReshardRequest } from "#core/plan";
import { arrives, type PricedSteps, type ReshardPlan } from "#core/reshard";
import type { ChosenSteps } from "./program.ts";

/** What is redistributed. */
export interface ReshardEdge {
  readonly from: Layout;
  readonly to: Layout;
  readonly shape: readonly number[];
  readonly bytesPerElement: number;
  /** It ends the partial sums of an operator that reduces inside. */
  readonly isInside: boolean;
}

/** Another system's own steps on an edge, priced as ours; fails with the reason where it has none. */
export type SystemReshard = (system: string, edge: ReshardEdge) => Checked<PricedSteps>;

/** Steps with the choice that they follow, or could not follow. */
export interface Chosen {
  readonly steps: PricedSteps["steps"];
  readonly chosen?: ChosenSteps;
}

/** The steps that the text chooses on an edge, else those of the default plan. */
export function chooseSteps(
  requests: readonly ReshardRequest[],
  request: number | undefined,
  edge: ReshardEdge,
  plan: ReshardPlan,
  systems: SystemReshard,
): Chosen {
  const asked = request === undefined ? undefined : requests[request];
  if (request === undefined || asked === undefined) return { steps: plan.steps };
  const { steps } = asked;
  const found = typeof steps === "number" ? pointOf(plan, steps) : ownSteps(systems, steps, edge);
  if (found.ok) return { steps: found.value.steps, chosen: { request, steps } };
  const declined = found.diagnostics[0]?.message ?? "there is none";
  return { steps: plan.steps, chosen: { request, steps, declined } };
}

/** The plan of the front with so many steps. */
function pointOf({ front, points }: ReshardPlan, steps: number): Checked<PricedSteps> {
  const point = points[front.findIndex((each) => each.steps === steps)];
  if (point !== undefined) return passed(point);
  const there = front.map((each) => `${each.steps} (${each.elements} elements)`);
  return refuse(`the numbers of steps that pay are ${there.join(", ")}`);
}

/** Another system's own steps, if they end in the very blocks that are wanted. */
function ownSteps(systems: SystemReshard, system: string, edge: ReshardEdge): Checked<PricedSteps> {
  const found = systems(system, edge);
  if (!found.ok || arrives(found.value.steps, edge.from, edge.to, edge.shape)) return found;
  return refuse("it cuts a dim that does not divide evenly into other blocks");
}

function refuse(message: string): Checked<PricedSteps> {
  return failed({ code: "reshard/no-such-steps", severity: "warning", message });
}
