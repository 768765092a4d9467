import type { Compiled } from "#compile";
import { applyEdits, hasErrors, type Span, type TextEdit } from "#core/diagnostics";
import { operatorTargets, wildcardMatcher } from "#core/ir";
import type { Document } from "#language/document";
import {
  linesEdit,
  patternOf,
  planLinesAt,
  statementRemoval,
  targetAt,
} from "#language/document/edit";
import type { GestureOutcome, PinGesture } from "./gesture-kinds.ts";
import type { Version } from "./version.ts";

/**
 * Adds a `pin(…)` of a name, or removes it, along with its counterparts in equal blocks. A pin that
 * covers other names too is not changed.
 */
export function applyPinGesture(version: Version, gesture: PinGesture): GestureOutcome {
  const { document, compiled, reread } = version;
  const { name, isPinned, alike = [] } = gesture;
  const names = [name, ...alike];
  const outcome = isPinned ? withPins(document, names) : withoutPins(version, names);
  if (typeof outcome !== "string") return { ok: false, reason: outcome.reason };
  const after = reread(outcome);
  const missed = names.find((each) => isNamed(after.document, each) !== isPinned);
  if (missed !== undefined) {
    return { ok: false, reason: `the text pins "${missed}" in a way that cannot be edited here` };
  }
  const known = new Set(errorsOf(compiled));
  const fault = errorsOf(after.compiled).find((message) => !known.has(message));
  if (fault !== undefined) return { ok: false, reason: fault };
  const target = alike.length === 0 ? name : `${patternOf(names) ?? name} ×${names.length}`;
  return { ok: true, label: `${isPinned ? "Pin" : "Unpin"} ${target}`, source: outcome };
}

interface Refusal {
  readonly reason: string;
}

function withPins(document: Document, names: readonly string[]): string | Refusal {
  const edits = pinEdits(document, names);
  return typeof edits === "string" ? { reason: edits } : applyEdits(document.source, edits);
}

/** Removes pins one after another, since each removed argument shifts the others. */
function withoutPins({ document, reread }: Version, names: readonly string[]): string | Refusal {
  let now = document;
  for (const name of names) {
    if (name !== names[0] && !isNamed(now, name)) continue;
    const edits = unpinEdits(now, name, names);
    if (typeof edits === "string") return { reason: edits };
    now = reread(applyEdits(now.source, edits)).document;
  }
  return now.source;
}

/** The text with a pin of a name; `undefined` if the text cannot have one. */
export function withPin(document: Document, name: string): string | undefined {
  const edits = pinEdits(document, [name]);
  if (typeof edits === "string") return undefined;
  const source = applyEdits(document.source, edits);
  const after = document.reread(source);
  return isNamed(after, name) && !hasErrors(after.diagnostics) ? source : undefined;
}

function pinEdits(document: Document, names: readonly string[]): readonly TextEdit[] | string {
  const missing = names.filter((name) => !isNamed(document, name));
  const [first, second] = missing;
  if (first === undefined) return `"${names[0]}" is pinned already`;
  const at = planLinesAt(document);
  const pattern = second === undefined ? undefined : patternOf(missing);
  const targets =
    pattern !== undefined && meansOnly(document, pattern, names)
      ? [JSON.stringify(pattern)]
      : missing.map((name) => targetAt(document, name, at));
  return [linesEdit(document, at, [`pin(${targets.join(", ")})`])];
}

/** Edits that remove the arguments that pin a name, if they pin nothing but `names`. */
function unpinEdits(
  document: Document,
  name: string,
  names: readonly string[],
): readonly TextEdit[] | string {
  const { source, pins } = document;
  const means = pins.written.filter(({ target }) => isMeant(document, target, name));
  const wider = means.find(({ target }) => target !== name && !meansOnly(document, target, names));
  if (wider !== undefined) return `"${name}" is pinned together with others: "${wider.target}"`;
  return means.length === 0
    ? `nothing pins "${name}"`
    : means.map(({ span }) => removalOf(source, span));
}

/** Whether a target covers only these tensors and operators. */
function meansOnly(document: Document, target: string, names: readonly string[]): boolean {
  return [...namesMeant(document, target)].every((name) => names.includes(name));
}

/** Whether a target covers a tensor, operator or mesh axis by name. */
function isMeant(document: Document, target: string, name: string): boolean {
  return wildcardMatcher(target)(name) || namesMeant(document, target).has(name);
}

/**
 * Tensors and operators that a target covers: by their names, else by the modules that make them.
 */
function namesMeant({ graph }: Document, target: string): ReadonlySet<string> {
  const matches = wildcardMatcher(target);
  const all = [...graph.tensors, ...graph.operators].map(({ name }) => name);
  const named = all.filter(matches);
  if (named.length > 0) return new Set(named);
  const { operators, several } = operatorTargets(graph.operators).meant(target);
  return new Set([...operators, ...several.flat()].map(({ name }) => name));
}

/** Removes an argument of `pin(…)`, or the whole call if it is the only one. */
function removalOf(source: string, { from, to }: Span): TextEdit {
  const before = /\bpin\(\s*$/u.exec(source.slice(0, from));
  const behind = /^\s*,?\s*\)/u.exec(source.slice(to));
  if (before !== null && behind !== null) {
    const call = { from: before.index, to: to + behind[0].length };
    return statementRemoval(source, call) ?? { ...call, text: "None" };
  }
  const comma = /^\s*,\s*/u.exec(source.slice(to));
  if (comma !== null) return { from, to: to + comma[0].length, text: "" };
  const earlier = /,\s*$/u.exec(source.slice(0, from));
  return { from: earlier?.index ?? from, to, text: "" };
}

function isNamed(document: Document, name: string): boolean {
  return document.pins.written.some(({ target }) => isMeant(document, target, name));
}

function errorsOf({ diagnostics }: Compiled): readonly string[] {
  return diagnostics.flatMap(({ severity, message }) => (severity === "error" ? [message] : []));
}
