import { optimalityGap } from "#core/cost";
import { type DeviceMesh, printLayout, printPart } from "#core/mesh";
import type { Strategy } from "#core/plan";
import { plannedCosts } from "#edit";
import type { Document } from "#language/document";
import {
  type Optimized,
  type PlannerMemory,
  type PlanRequest,
  patternsOf,
  patternText,
  reasonsOf,
} from "#planner";

/** A plan as fields of the answer (commands.md). */
export function rowsOf(found: Optimized, request: PlanRequest) {
  const { graph, mesh, model } = request;
  const { seconds, bound, communication, bytes, strategies, layouts, collectives } = found;
  const names = new Map(graph.tensors.map(({ id, name }) => [id, name]));
  const rows = [...layouts.rest, ...layouts.ends].map(
    ([id, layout]) => [names.get(id) ?? id, printLayout(layout)] as const,
  );
  const kinds = ["slice", "all-gather", "reduce-scatter", "all-reduce", "all-to-all"] as const;
  return {
    model: model?.name ?? "shardboard",
    objective: seconds,
    bound,
    gap: optimalityGap({ seconds, bound }),
    strategies: Object.fromEntries(
      graph.operators.map(({ id, name }) => [name, cutsOf(strategies.get(id), mesh)]),
    ),
    layouts: Object.fromEntries(rows),
    collectives: Object.fromEntries(
      [...kinds, "collective-permute"].map((kind) => [kind, collectives.get(kind) ?? 0]),
    ),
    cost: { seconds, compute: seconds - communication, communication },
    memory: bytes,
    ...patternRow(found, request),
  };
}

/** Why each operator is cut as it is (`Reason`), with equal ones in one row. */
export function reasonRows(
  document: Document,
  request: PlanRequest,
  { strategies, layouts }: Optimized,
  memory: PlannerMemory,
) {
  const { model, memoryLimit, mesh } = request;
  const refusal = (others: Optimized["strategies"]) => {
    const { bytes } = plannedCosts(document, { strategies: others, ...layouts });
    const more = bytes - (memoryLimit ?? Number.POSITIVE_INFINITY);
    return more > 0 ? `it takes ${more} bytes more than a device has` : undefined;
  };
  const given = { strategies, rest: layouts.rest };
  const reasons = reasonsOf(request, given, model === undefined ? { refusal } : {}, memory);
  return reasons.map(({ chosen, rival, ...reason }) => ({
    ...reason,
    chosen: cutsOf(chosen, mesh),
    ...(rival !== undefined && { rival: cutsOf(rival, mesh) }),
  }));
}

/** Name of the plan's pattern, if it has one. */
function patternRow(
  { strategies, layouts }: Optimized,
  { graph, mesh, training, model }: PlanRequest,
) {
  // Models of single-axis steps choose the layouts at rest themselves (planner-plain.md §9).
  const zero = model === undefined ? (training?.zero ?? 0) : 0;
  const patterns = patternsOf({ graph, mesh, strategies, rest: layouts.rest, zero });
  const pattern = patternText(patterns, mesh);
  return pattern === undefined ? {} : { pattern };
}

function cutsOf(strategy: Strategy | undefined, mesh: DeviceMesh) {
  const cuts = Object.entries(strategy?.cuts ?? {}).filter(([, parts]) => parts.length > 0);
  return Object.fromEntries(
    cuts.map(([name, parts]) => [name, parts.map((part) => printPart(mesh, part))]),
  );
}
