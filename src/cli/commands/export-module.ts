import type { Compiled } from "#compile";
import {
  costsOf,
  createPlanWriter,
  type UnwrittenPlan,
  type WritablePlan,
  writablePlan,
} from "#edit";
import type { Document } from "#language/document";
import { type Optimized, optimize, PlannerMemory } from "#planner";
import type { LoadedTarget } from "#systems";
import type { Exported, Unexported } from "./exported.ts";
import { planRequestOf } from "./plan-request.ts";

/**
 * The plan as `plan.py` for an engine, with `launch.sh`. Claims are the results that the engine
 * must confirm: slices per device, and every collective with its groups and bytes. For a plan that
 * the engine cannot express, the fastest one that it can, if a `nearest` document is given.
 */
export function exportModule(
  compiled: Compiled,
  target: LoadedTarget,
  nearest?: Document,
): Exported | Unexported {
  const warnings = target.warnings(compiled);
  const written = target.write(compiled);
  if (written.ok) {
    const { files, claims } = written;
    return { files, diagnostics: warnings, claims };
  }
  const { reason } = written;
  const other = nearest && nearestPlan({ compiled, document: nearest, target, reason });
  if (other !== undefined) {
    const { code, source, otherwise } = other;
    const { files, claims } = code;
    const said = { code: "export/otherwise", severity: "warning", message: otherwise } as const;
    const text = source === undefined ? {} : { program: source };
    return { files, claims, ...text, diagnostics: [...warnings, said] };
  }
  const hint =
    target.writable === undefined
      ? ""
      : nearest === undefined
        ? '; with "nearest" the fastest plan is written that can be'
        : "; no other plan was found that can";
  const message = `the plan cannot be written for ${target.name}: ${reason}${hint}`;
  return { refusal: { code: "export/not-written", severity: "error", message }, warnings };
}

function nearestPlan(asked: Omit<UnwrittenPlan, "writer">): WritablePlan | undefined {
  const { document } = asked;
  const request = planRequestOf(document, { free: ["placements"] });
  if (!request.ok) return undefined;
  const memory = new PlannerMemory();
  const writer = createPlanWriter(document, memory.planReshard);
  const measure = ({ strategies, layouts }: Optimized) =>
    costsOf(writer.planned({ strategies, ...layouts }));
  return writablePlan({ ...asked, writer }, (limits) => {
    const found = optimize({ ...request.value, limits }, { memory, measure });
    return found.ok ? { strategies: found.value.strategies, ...found.value.layouts } : undefined;
  });
}
