import type { OperatorId } from "#core/ir";
import type { Part } from "#core/mesh";
import type { Strategy, WantedStrategies } from "#core/plan";
import { type PlanQuestion, planQuestion } from "#edit";
import type { Document } from "#language/document";
import type { PatternedPlan, PatternPart, PlannedLayouts } from "#planner";
import { groundsOf, patternsOf } from "#planner";
import type { PlanChange, PlanPattern } from "./plan-protocol.ts";

/** Plan of a document in the form that pattern detection takes. */
export function patternedPlan(
  document: Document,
  strategies: WantedStrategies,
  rest: PlannedLayouts["rest"],
): PatternedPlan {
  const { graph, mesh, training } = planQuestion(document, { freesPlaces: false });
  const zero = training === undefined ? {} : { zero: training.zero };
  return { graph, mesh, strategies, rest, ...zero };
}

/** Named patterns of a plan, and the role of each operator in them. */
export function patternsIn(plan: PatternedPlan): {
  readonly patterns: readonly PlanPattern[];
  readonly parts: readonly PatternPart[];
} {
  const found = patternsOf(plan).map((pattern) => ({ pattern, grounds: groundsOf(pattern, plan) }));
  return {
    patterns: found.map(({ pattern, grounds }) => ({ ...pattern, by: grounds.text })),
    parts: found.flatMap(({ grounds }) => grounds.parts),
  };
}

/** Operators whose cuts differ in the new plan; equal changes in equal blocks share a row. */
export function changesOf(
  { graph, plan }: PlanQuestion,
  strategies: WantedStrategies,
  parts: readonly PatternPart[] = [],
): readonly PlanChange[] {
  const rolesOf = new Map<OperatorId, readonly string[]>();
  for (const { operator, text } of parts) {
    rolesOf.set(operator, [...(rolesOf.get(operator) ?? []), text]);
  }
  const rows = new Map<string, PlanChange>();
  for (const { id, name: own } of graph.operators) {
    const [before, after] = [
      wordsOf(plan.operators.get(id)?.strategy),
      wordsOf(strategies.get(id)),
    ];
    if (before === after) continue;
    const name = own.replace(/\[\d+\]/gu, "[*]");
    const roles = rolesOf.get(id) ?? [];
    const key = JSON.stringify([name, before, after, roles]);
    const known = rows.get(key);
    rows.set(
      key,
      known === undefined
        ? { name: own, count: 1, before, after, roles }
        : { ...known, name, count: known.count + 1 },
    );
  }
  return [...rows.values()];
}

/** Cuts as text: `m over dp, k over (sp, mp)`; empty if nothing is cut. */
function wordsOf(strategy: Strategy | undefined): string {
  const cuts = Object.entries(strategy?.cuts ?? {}).filter(([, parts]) => parts.length > 0);
  return cuts
    .map(([name, parts]) => `${name} over ${axesText(parts)}`)
    .sort()
    .join(", ");
}

function axesText(parts: readonly Part[]): string {
  const axes = parts.flatMap((part) => (part.kind === "axis" ? [part.axis] : []));
  return axes.length === 1 ? axes.join("") : `(${axes.join(", ")})`;
}
