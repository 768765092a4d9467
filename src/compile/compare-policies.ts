import type { Redistribution, SpmdProgram } from "#core/program";
import {
  communicationCount,
  createReshardPlanner,
  fasterRange,
  type PlanReshard,
  type ReshardPlan,
  reachesLayout,
  type TimeLine,
  timeLine,
} from "#core/reshard";
import { edgesIn, namedAs, outcomeOf, type PolicyOutcome, systemReshard } from "#systems/system";
import type { EdgeComparison, OwnPlan } from "./compiled.ts";
import { reshardingSystems } from "./system-answers.ts";

/**
 * Compares sequences of steps for one redistribution: the planner's own front, and the steps of
 * other systems (redistribution.md §2.1, §2.2, dimops.md §6). All are priced alike; the result
 * tells why they differ from the planner's own, and for which tensor sizes they would be faster.
 * `ours` is the default plan, whatever the text chooses. The app computes this only for
 * redistributions on screen: for all edges of a large program it would take too long.
 */
export function comparePolicies(
  program: SpmdProgram,
  redistribution: Redistribution,
  planReshard: PlanReshard = createReshardPlanner(),
): EdgeComparison {
  const edge = edgesIn(program)(redistribution);
  if (edge === undefined) return { tensorBytes: 0, ours: [], outcomes: [] };
  const { from, to, shape, bytesPerElement } = edge;
  const tensorBytes = shape.reduce((product, size) => product * size, bytesPerElement);
  if (hasWindows(program, redistribution)) {
    const reason = "it knows blocks of layouts only, and has no word for windows";
    const outcomes = reshardingSystems().map(
      (system) => ({ kind: "declined", ...namedAs(system), reason }) as const,
    );
    return { tensorBytes, ours: [], outcomes };
  }
  const plan = planReshard(from, to, shape, { bytesPerElement });
  const lines = plan.points.map(({ steps }) => timeLine(steps, from, shape, { bytesPerElement }));
  const outcomes = reshardingSystems().map((system): PolicyOutcome => {
    const found = systemReshard(system, edge);
    const outcome = outcomeOf(system, { ...edge, ours: plan }, found);
    if (!found.ok || outcome.kind === "declined") return outcome;
    const { steps } = found.value;
    const line = timeLine(steps, from, shape, { bytesPerElement });
    const isUnfit = !reachesLayout(steps, from, to, shape);
    return { ...outcome, ...fasterFor(line, lines, tensorBytes), ...(isUnfit && { isUnfit }) };
  });
  return { tensorBytes, ours: plan.points.map((point) => ownPlan(point, plan)), outcomes };
}

function ownPlan(point: ReshardPlan["points"][number], plan: ReshardPlan): OwnPlan {
  const { steps, bytes, seconds } = point;
  const told = steps.map(({ collective, axes }) => ({ collective, axes, words: collective }));
  return {
    steps: told,
    sent: communicationCount(steps),
    bytes,
    seconds,
    isDefault: steps === plan.steps,
  };
}

/** Tensor sizes in bytes for which a plan is faster, if it is faster at the tensor's own size. */
function fasterFor(line: TimeLine, ours: readonly TimeLine[], tensorBytes: number) {
  const range = fasterRange(line, ours);
  if (range === undefined) return {};
  const { above, until } = range;
  return { faster: { above: above * tensorBytes, until: until * tensorBytes } };
}

/** Whether some device's boxes before or after differ from its block of the layout. */
function hasWindows({ values }: SpmdProgram, { input, output }: Redistribution): boolean {
  return values.some(({ id, held }) => held !== undefined && (id === input || id === output));
}
