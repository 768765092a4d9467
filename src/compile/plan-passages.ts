import { applyEdits, type TextEdit } from "#core/diagnostics";
import type { OperatorId } from "#core/ir";
import { isCutAs } from "#core/plan";
import type { AxisLists, Document } from "#language/document";
import { ownWords } from "#systems";
import { agreeing, isReached, isSameMesh } from "./plan-entries.ts";
import { cutLists, type PlannedProgram } from "./planned-words.ts";

/**
 * The edits that say in a system's own words of its operators what a plan wants, beside edits that
 * are made already: `.shard(…)` of primitives that have none. A passage after which the operators
 * are not cut as planned, or the mesh is another one, is written in its next manner, at last not at all.
 */
export function plannedPassages(
  document: Document,
  planned: PlannedProgram,
  made: readonly TextEdit[],
): readonly TextEdit[] {
  const { passages } = ownWords(document, wantedIn(document, planned, made));
  const manners = passages.map(() => 0);
  const chosen = () => passages.map(({ manners: all }, at) => all[manners[at] ?? 0]);
  for (;;) {
    const edits = agreeing([made, ...chosen().map((manner) => manner?.edits ?? [])]);
    const own = edits.slice(made.length);
    if (own.length === 0) return [];
    const after = document.reread(applyEdits(document.source, edits));
    const isRight = passages.map(({ operators }) =>
      operators.every((id) => isReached(after, planned, { id })),
    );
    const isSame = isSameMesh(document, after);
    const used = chosen().map((manner) => manner !== undefined);
    const next = used.map((isUsed, at) => isUsed && isRight[at] !== true);
    if (isSame && !next.includes(true)) return own;
    // On another mesh no passage is to blame alone: all of them then name the document's own axes.
    const isFaulty = (at: number) => (isSame ? next[at] === true : used[at] === true);
    for (const at of manners.keys()) if (isFaulty(at)) manners[at] = (manners[at] ?? 0) + 1;
  }
}

/** The operators that no words cut as planned yet; those of `strategy(…)` calls are left to these. */
function wantedIn(
  document: Document,
  planned: PlannedProgram,
  made: readonly TextEdit[],
): ReadonlyMap<OperatorId, AxisLists> {
  const now = made.length === 0 ? document : document.reread(applyEdits(document.source, made));
  const { mesh } = document.mesh;
  return new Map(
    [...planned.strategies].flatMap(([id, wanted]) => {
      if (wanted.carry.length > 0 || document.strategyCalls.has(id)) return [];
      const plan = now.requests.operators.get(id);
      return plan !== undefined && isCutAs(plan, wanted, mesh) ? [] : [[id, cutLists(wanted)]];
    }),
  );
}
