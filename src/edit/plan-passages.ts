import { applyEdits, type TextEdit } from "#core/diagnostics";
import type { OperatorId } from "#core/ir";
import { isCutAs } from "#core/plan";
import type { Document } from "#language/document";
import type { AxisLists } from "#language/document/trace";
import { ownWords } from "#systems";
import { agreeing, isReached, isSameMesh } from "./plan-entries.ts";
import { cutLists, type PlannedProgram } from "./planned-words.ts";

/**
 * All edits that write a plan in a system's own words (`.shard(…)` for primitives without one, a
 * policy), including those already `made`. A passage falls back to its next manner, and finally is
 * not written, if its operators are then not cut as planned or are refused, or if the mesh changes.
 * A passage for a whole program may leave some operators to other statements.
 */
export function withPassages(
  document: Document,
  planned: PlannedProgram,
  made: readonly TextEdit[],
): readonly TextEdit[] {
  const wanted = unreached(document, planned, made);
  const { passages } = ownWords(document, plannedLists(planned), wanted);
  const manners = passages.map(() => 0);
  for (;;) {
    const chosen = passages.map(({ manners: all }, at) => all[manners[at] ?? 0]);
    const used = chosen.map((manner) => manner !== undefined);
    if (!used.includes(true)) return made;
    const whole = chosen.flatMap((manner, at) =>
      passages[at]?.isWhole === true ? (manner?.edits ?? []) : [],
    );
    const kept = made.filter((edit) => !whole.some((other) => overlaps(edit, other)));
    const edits = agreeing([kept, ...chosen.map((manner) => manner?.edits ?? [])]);
    const after = document.reread(applyEdits(document.source, edits));
    const isSame = isSameMesh(document, after);
    const refused = refusedIn(after);
    const isRight = passages.map(({ operators, isWhole }) => {
      if (operators.some((id) => refused.has(id))) return false;
      const isCut = (id: OperatorId) => isReached(after, planned, { id });
      return isWhole === true ? operators.some(isCut) : operators.every(isCut);
    });
    // If the mesh changed, no single passage is at fault: all of them then use the document's own
    // axes.
    const isFaulty = used.map((isUsed, at) => isUsed && !(isSame && isRight[at] === true));
    if (!isFaulty.includes(true)) return edits;
    for (const at of manners.keys())
      if (isFaulty[at] === true) manners[at] = (manners[at] ?? 0) + 1;
  }
}

/** Operators whose strategies a system refuses, by the span of the error. */
function refusedIn({ diagnostics, built }: Document): ReadonlySet<OperatorId> {
  const faults = diagnostics.filter(({ severity }) => severity === "error");
  if (faults.length === 0) return new Set();
  const places = new Set(faults.map(({ span }) => span?.from));
  const refused = [...built.operatorOf].filter(
    ([{ strategy }]) => strategy !== undefined && places.has(strategy.span.from),
  );
  return new Set(refused.map(([, { id }]) => id));
}

/** Axes per identifier of operators that pass on no partial sums, which no system can express. */
export function plannedLists({ strategies }: PlannedProgram): ReadonlyMap<OperatorId, AxisLists> {
  return new Map(
    [...strategies].flatMap(([id, strategy]) =>
      strategy.carry.length > 0 ? [] : [[id, cutLists(strategy)]],
    ),
  );
}

function overlaps(a: TextEdit, b: TextEdit): boolean {
  return a.from < b.to && b.from < a.to;
}

/**
 * Operators that no passage has cut as planned yet; those with `strategy(…)` calls are left to
 * these calls.
 */
function unreached(
  document: Document,
  planned: PlannedProgram,
  made: readonly TextEdit[],
): ReadonlySet<OperatorId> {
  const now = made.length === 0 ? document : document.reread(applyEdits(document.source, made));
  return new Set(
    [...planned.strategies].flatMap(([id, wanted]) => {
      if (document.strategyCalls.has(id)) return [];
      const plan = now.requests.operators.get(id);
      return plan !== undefined && isCutAs(plan, wanted, now.mesh.mesh) ? [] : [id];
    }),
  );
}
