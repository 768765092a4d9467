import { compileDocument } from "#compile";
import { costsOf, createPlanWriter, planQuestion, writablePlan } from "#edit";
import { type Optimized, optimize, PlannerMemory } from "#planner";
import { codeTargets, loadTarget } from "#systems";
import { codeOf, type PlanCode } from "./plan-code.ts";
import { requestOf } from "./plan-of.ts";
import type { NearestAsked } from "./plan-protocol.ts";
import { openText } from "./plan-search.ts";

/**
 * Code for the fastest plan that the engine can express; a sentence fragment with the reason if
 * there is none. Rejects if the code writer cannot be loaded.
 */
export async function nearestCode(
  { source, target: name, memoryLimit }: NearestAsked,
  memory = new PlannerMemory(),
): Promise<PlanCode | string> {
  const opened = openText(source);
  if (typeof opened === "string") return opened;
  const known = codeTargets().find(({ target }) => target === name);
  if (known === undefined) return "nothing is written for this engine";
  const target = await loadTarget(known);
  const { document } = opened;
  const compiled = compileDocument(document);
  const written = target.write(compiled);
  const warnings = target.warnings(compiled);
  if (written.ok) return codeOf(target, written, warnings);
  const request = requestOf(planQuestion(document, { freesPlaces: true }), memoryLimit);
  const writer = createPlanWriter(document, memory.planReshard);
  const measure = ({ strategies, layouts }: Optimized) =>
    costsOf(writer.planned({ strategies, ...layouts }));
  const { reason } = written;
  const other = writablePlan({ document, compiled, target, reason, writer }, (limits) => {
    const found = optimize({ ...request, limits }, { memory, measure });
    return found.ok ? { strategies: found.value.strategies, ...found.value.layouts } : undefined;
  });
  if (other === undefined) return "no other plan was found that can be written";
  const text = other.source === undefined ? {} : { source: opened.whole(other.source) };
  return { ...codeOf(target, other.code, warnings), ...text };
}
