import { systemOf } from "#compile";
import type { Diagnostic } from "#core/diagnostics";
import { append } from "#core/records";
import type { Document } from "#language/document";
import { ownWords } from "#systems";
import { plannedLists } from "./plan-passages.ts";
import type { PlannedProgram } from "./planned-words.ts";

/** Most operators that a note names per reason. */
const mostNames = 3;

/** Notes on the parts of a plan that a program's own system cannot express, with the reasons. */
export function ownWordsNotes(
  before: Document,
  after: Document,
  planned: PlannedProgram,
): readonly Diagnostic[] {
  const countOf = ({ trace }: Document) => trace.strategies.length + trace.places.length;
  if (countOf(before) > 0 || countOf(after) === 0) return [];
  const reasons = unsaidReasons(before, after, planned);
  const own = systemOf(before);
  const name = reasons.system ?? (own?.says && own.title);
  if (name === undefined) return [];
  const said = `${name} has no words for a part of this plan: it is said with strategy(…) and place(…), which ${name} does not read`;
  const message = reasons.text === "" ? said : `${said} (${reasons.text})`;
  return [{ code: "planner/own-words", severity: "info", message }];
}

/**
 * Reasons why the system cannot express the cuts of operators that the text now splits with
 * `strategy(…)`.
 */
function unsaidReasons(
  before: Document,
  after: Document,
  planned: PlannedProgram,
): { readonly system: string | undefined; readonly text: string } {
  const wanted = new Set(planned.strategies.keys());
  const { unsaid } = ownWords(before, plannedLists(planned), wanted);
  const names = new Map<string, string[]>();
  for (const { id, name } of before.graph.operators) {
    const reason = after.strategyCalls.has(id) ? unsaid.get(id)?.reason : undefined;
    if (reason !== undefined) append(names, reason, `"${name}"`);
  }
  const parts = [...names].map(([reason, all]) => {
    const more = all.length > mostNames ? ` and ${all.length - mostNames} more` : "";
    return `${all.slice(0, mostNames).join(", ")}${more}: ${reason}`;
  });
  const [first] = unsaid.values();
  return { system: first?.system, text: parts.join("; ") };
}
