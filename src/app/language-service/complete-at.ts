import { insideOf, openBracketsAt, placeAt, type TextPlace, typedEnd } from "#language/tokens";
import { completeCode } from "./complete-code.ts";
import { completeCount } from "./complete-count.ts";
import { completeText } from "./complete-text.ts";
import { completeValue } from "./complete-value.ts";
import { type CompletionList, noCompletions } from "./completion.ts";
import type { Facts } from "./facts.ts";
import { soundItems } from "./sound-items.ts";
import { withText } from "./trial.ts";

/**
 * Completions at an offset. Candidates that change the plan are tried in turn to show their effect,
 * until `isSpent` returns true; later candidates are listed without it.
 */
export function completeAt(facts: Facts, offset: number, isSpent: () => boolean): CompletionList {
  return soundItems(facts.source, listAt(facts, offset, isSpent));
}

function listAt(facts: Facts, offset: number, isSpent: () => boolean): CompletionList {
  const place = typingPlace(facts, offset);
  const { token, open } = place;
  if (token?.kind === "comment") return noCompletions(offset);
  // After a stray quote, an inserted word would become part of a later string.
  if (token?.kind === "invalid" && /^\p{L}{0,2}["']/u.test(place.text))
    return noCompletions(offset);
  const isText = token?.kind === "string" && isInside(facts, place);
  const sound = soundFacts(facts, place);
  if (isText) return completeText(sound, place, isSpent);
  const value = completeValue(sound, place, isSpent);
  if (value !== undefined) return value;
  const counts = token === undefined || token.kind === "number" ? open.length > 0 : false;
  if (counts) {
    const list = completeCount(sound, place, isSpent);
    if (list.items.length > 0 || token !== undefined) return list;
  }
  return completeCode(sound, place);
}

/** The place of the caret; its token is the one before the caret. */
function typingPlace(facts: Facts, offset: number): TextPlace {
  const before = facts.tokens.find(({ from, to }) => from < offset && offset <= to);
  const text = before === undefined ? "" : facts.source.slice(before.from, before.to);
  const isMark =
    before !== undefined && /^[^\p{L}\p{N}_"']/u.test(text) && before.kind !== "comment";
  const number = facts.tokens.find(({ from, kind }) => from === offset && kind === "number");
  if (number !== undefined && (before === undefined || isMark)) return placeAt(facts, offset);
  if (before === undefined || isMark) {
    const open = openBracketsAt(facts.source, facts.tokens, offset);
    return { offset, token: undefined, text: "", open };
  }
  return { ...placeAt(facts, before.from), offset };
}

function isInside(facts: Facts, { offset, token }: TextPlace): boolean {
  if (token === undefined) return false;
  const { span, isClosed } = insideOf(facts.source, token);
  return span.from <= offset && (offset <= span.to || !isClosed);
}

/** The facts of the text with the brackets of the typed line closed. */
function soundFacts(facts: Facts, { token, offset }: TextPlace): Facts {
  const isOpen = facts.compiled.diagnostics.some(({ code }) =>
    /^python\/(syntax|indentation|tab)/.test(code),
  );
  if (!isOpen) return facts;
  const inside = token?.kind === "string" ? insideOf(facts.source, token) : undefined;
  const closer = inside === undefined || inside.isClosed ? "" : inside.quote;
  const at = inside?.isClosed === false ? typedEnd(facts.source, offset) : offset;
  const closed = withText(facts.source, { from: at, to: at }, closer);
  if (closed === facts.source) return facts;
  const { document, compiled } = facts.reread(closed);
  return { ...facts, document, compiled };
}
