import type { OperatorId } from "#core/ir";
import { blockCount } from "#core/mesh";
import type { Plan } from "#core/plan";
import { append, fieldOf } from "#core/records";
import type { Document } from "#language/document";
import { systems } from "#systems";

/** A system's different treatment of an operator. */
export interface Verdict {
  readonly system: string;
  /** A sentence that begins with the system's title: `… gathers "b" first.` */
  readonly text: string;
}

/**
 * Operators that real systems would split differently from the plan. Empty for a text written for a
 * system, since it already follows that system's rules.
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
