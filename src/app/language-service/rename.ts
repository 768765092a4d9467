import { applyEdits, type Span, type TextEdit } from "#core/diagnostics";
import { placeAt } from "#language/tokens";
import type { Facts } from "./facts.ts";
import { axisAt } from "./hover-axis.ts";
import { axisSpans, renamedAxisFault } from "./rename-axis.ts";
import { variableSpans, variableStrings } from "./rename-variable.ts";
import { nameUseAt } from "./values.ts";

/** The name that a rename would change, or the reason why nothing can be renamed. */
export type RenameTarget =
  | {
      readonly ok: true;
      readonly kind: "axis" | "variable";
      readonly name: string;
      readonly span: Span;
    }
  | { readonly ok: false; readonly reason: string };

/** The edits of a rename, or the reason why it is impossible. */
export type RenameOutcome =
  | { readonly ok: true; readonly label: string; readonly edits: readonly TextEdit[] }
  | { readonly ok: false; readonly reason: string };

/** The target of a rename at an offset: a mesh axis, or a variable. */
export function renameTargetAt(facts: Facts, offset: number): RenameTarget {
  const named = axisAt(facts, placeAt(facts, offset));
  const isAxis = facts.compiled.mesh.mesh.axes.some(({ name }) => name === named?.name);
  if (
    named !== undefined &&
    isAxis &&
    facts.source.slice(named.span.from, named.span.to) === named.name
  ) {
    return { ok: true, kind: "axis", ...named };
  }
  const use = nameUseAt(facts, offset);
  if (use === undefined)
    return refused("a mesh axis or a variable can be renamed; here is neither");
  const hasBinding = facts.names.some(
    (other) => other.isBinding && other.name === use.name && other.scope === use.scope,
  );
  if (!hasBinding) return refused(`the text does not define "${use.name}"`);
  return { ok: true, kind: "variable", name: use.name, span: { from: use.from, to: use.to } };
}

/** The edits that rename a mesh axis or a variable wherever the text refers to it. */
export function renameAt(facts: Facts, offset: number, name: string): RenameOutcome {
  const target = renameTargetAt(facts, offset);
  if (!target.ok) return target;
  const fault = nameFault(name);
  if (fault !== undefined) return refused(fault);
  if (name === target.name) return { ok: true, label: "", edits: [] };
  return target.kind === "axis"
    ? renameAxis(facts, target.name, name)
    : renameVariable(facts, offset, name);
}

/** The edits that rename a mesh axis wherever the text refers to it. */
export function renameAxisTo(facts: Facts, from: string, to: string): RenameOutcome {
  const fault = nameFault(to);
  if (fault !== undefined) return refused(fault);
  return from === to ? { ok: true, label: "", edits: [] } : renameAxis(facts, from, to);
}

function renameAxis(facts: Facts, from: string, to: string): RenameOutcome {
  const { mesh } = facts.compiled.mesh;
  if (mesh.axes.some((axis) => axis.name === to))
    return refused(`the mesh already has an axis "${to}"`);
  if (/^(None|interleaved_parallel|devices|hardware)$/.test(to))
    return refused(`"${to}" is reserved`);
  const spans = axisSpans(facts, from);
  const edits = spans.map((span) => ({ from: span.from, to: span.to, text: to }));
  const fault = renamedAxisFault(facts, facts.reread(applyEdits(facts.source, edits)), from, to);
  if (fault !== undefined) return refused(fault);
  return { ok: true, label: `Rename axis ${from} to ${to}`, edits };
}

function renameVariable(facts: Facts, offset: number, to: string): RenameOutcome {
  const use = nameUseAt(facts, offset);
  if (use === undefined) return refused("here is no variable");
  const isTaken = facts.names.some((other) => other.name === to);
  if (isTaken) return refused(`the text already uses the name "${to}"`);
  const edits = [...variableSpans(facts, use), ...variableStrings(facts, use)].map((span) => ({
    from: span.from,
    to: span.to,
    text: to,
  }));
  const before = errorCount(facts);
  if (errorCount(facts.reread(applyEdits(facts.source, edits))) > before) {
    return refused(`"${use.name}" is also named in a way that cannot be followed`);
  }
  return { ok: true, label: `Rename ${use.name} to ${to}`, edits };
}

function errorCount({ compiled }: Facts): number {
  return compiled.diagnostics.filter(({ severity }) => severity === "error").length;
}

const keywords = new Set(
  (
    "False None True and as assert async await break class continue def del elif else except " +
    "finally for from global if import in is lambda nonlocal not or pass raise return try while " +
    "with yield"
  ).split(" "),
);

function nameFault(name: string): string | undefined {
  if (!/^[\p{L}_][\p{L}\p{N}_]*$/u.test(name))
    return `"${name}" is no name: letters, digits and _ only`;
  return keywords.has(name) ? `"${name}" is a word of Python` : undefined;
}

function refused(reason: string): { readonly ok: false; readonly reason: string } {
  return { ok: false, reason };
}
