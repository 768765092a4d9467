import type { OperatorId } from "#core/ir";
import { blockCount } from "#core/mesh";
import type { Plan } from "#core/plan";
import { append, fieldOf } from "#core/records";
import type { Document } from "#language/document";
import { systems } from "#systems";

/** What a system does otherwise with an operator of a plan. */
export interface Verdict {
  readonly system: string;
  /** A sentence that begins with its title: `… gathers "b" first.` */
  readonly text: string;
}

/**
 * Where real systems would split operators otherwise than the plan does. A text that is written for
 * a system follows its rules already: of that nothing is said.
 */
export function verdictsOf(
  { trace, built }: Pick<Document, "trace" | "built">,
  plan: Plan,
): ReadonlyMap<OperatorId, readonly Verdict[]> {
  const found = new Map<OperatorId, Verdict[]>();
  if (trace.followsAnnotations === true) return found;
  for (const [traced, operator] of built.operatorOf) {
    const cut: string[] = [];
    const { cuts = {} } = plan.operators.get(operator.id)?.strategy ?? {};
    for (const name in cuts) if (blockCount(fieldOf(cuts, name) ?? []) > 1) cut.push(name);
    if (cut.length === 0) continue;
    for (const { name, title, verdict } of systems) {
      const said = verdict?.({ operator, traced, cut });
      if (said !== undefined)
        append(found, operator.id, { system: name, text: `${title} ${said}.` });
    }
  }
  return found;
}
