import { type CostModel, costUnderModel, type Hardware, memoryUnderModel } from "#core/cost";
import type { Diagnostic } from "#core/diagnostics";
import { bytesOf, type Graph, type Operator, type TensorId } from "#core/ir";
import { blockCount, type DeviceMesh, type Layout, partSize, printPart } from "#core/mesh";
import { type Plan, type PlanMemory, propagate } from "#core/plan";
import { lower, type SystemReshard } from "#core/program";
import { fieldOf } from "#core/records";
import { createRoutePlanner, type PlanReshard } from "#core/reshard";
import { expandTraining, type Training } from "#core/training";

/** Inputs of an evaluation under a cost model. */
export interface Evaluated {
  readonly graph: Graph;
  readonly mesh: DeviceMesh;
  readonly hardware: Hardware;
  readonly model: CostModel;
  /** Plan of the forward program. */
  readonly plan: Plan;
  readonly training?: Training;
  /**
   * Layouts in which results must end; the others end in the cheapest layout without partial sums.
   */
  readonly ends: ReadonlyMap<TensorId, Layout>;
}

/** Planning and lowering services shared by programs. */
export interface Services {
  readonly planReshard: PlanReshard;
  readonly plans: PlanMemory;
  readonly systems?: SystemReshard;
}

/**
 * Costs of a plan under a cost model (planner-plain.md). The per-device program has one step for
 * every single-axis collective on the model's cheapest routes; cost and memory are derived from it.
 */
export function evaluatePlan(
  { graph, mesh, hardware, model, plan, training, ends }: Evaluated,
  { planReshard, plans, systems }: Services,
) {
  const { priceMove: price, fuses = false, meanPieces = false } = model;
  const rules = { price, fuses, meanPieces, link: hardware.link };
  const routes = createRoutePlanner(rules, planReshard);
  const step = training && expandTraining(graph, plan, training, { kind: "whole" });
  const spread =
    step === undefined ? plan : propagate(step.graph, mesh, step.requests, planReshard, plans).plan;
  const whole = { ...spread, ...step?.asked, ends };
  const program = lower(step?.graph ?? graph, whole, routes.planReshard, plans, systems, {
    keepsGathered: true,
    endOf: (layout, { shape, dtype }) => routes.endOf(layout, shape, bytesOf(dtype)),
  });
  return {
    expanded: step?.graph ?? graph,
    plan: spread,
    program,
    cost: costUnderModel(program, model),
    memory: memoryUnderModel(program, {
      placements: plan.placements,
      ...(training !== undefined && { training }),
    }),
    diagnostics: [...(step?.diagnostics ?? []), ...unevenCuts(graph, plan)],
  };
}

/**
 * Diagnostics of cuts into unequal pieces, which no cost model here prices (planner-plain.md §2).
 */
function unevenCuts({ operators }: Graph, plan: Plan): readonly Diagnostic[] {
  return operators.flatMap((operator) => unevenIn(operator, plan));
}

function unevenIn({ id, axes, name, span }: Operator, plan: Plan): readonly Diagnostic[] {
  const own = plan.operators.get(id);
  return axes.flatMap(({ name: identifier, size }): readonly Diagnostic[] => {
    const parts = fieldOf(own?.strategy.cuts, identifier) ?? [];
    const count = blockCount(parts);
    if (own === undefined || size % count === 0) return [];
    const cut = parts.map((part) => `${printPart(own.mesh, part)}=${partSize(part)}`).join(" × ");
    const message = `"${identifier}" of "${name}" has ${size} elements, which ${cut} does not divide: no cost model here prices unequal pieces`;
    return [{ code: "not-divisible", severity: "error", message, ...(span && { span }) }];
  });
}
