import type { Compiled } from "#compile";
import type { TextEdit } from "#core/diagnostics";
import type { Operator } from "#core/ir";
import { fieldOf } from "#core/records";
import type { Document } from "#language/document";
import { carryEdits, strategyEdits, tupleEdits } from "#language/document/edit";
import type { Cuts } from "./alternative-cuts.ts";

/** A change of the text, with a label. */
export interface Change {
  readonly label: string;
  readonly edits: readonly TextEdit[];
}

/** Edits that give an operator, and its counterparts in equal blocks, the `wanted` cuts. */
export function strategyChange(
  document: Document,
  compiled: Compiled,
  operator: Operator,
  now: Cuts,
  wanted: Cuts,
): readonly Change[] {
  if (changedWords(operator.name, now, wanted) === "") return [];
  const traced = [...document.built.operatorOf].find(([, { id }]) => id === operator.id)?.[0];
  if (traced?.strategy?.kind === "tuples" && !document.strategyCalls.has(operator.id)) {
    const edits = Object.keys({ ...now, ...wanted }).flatMap((name) => {
      const pieces = deviceCount(compiled, fieldOf(wanted, name) ?? []);
      if (pieces === deviceCount(compiled, fieldOf(now, name) ?? [])) return [];
      const written = tupleEdits(traced, operator, name, () => pieces);
      return written.ok ? written.value : [];
    });
    return edits.length === 0 ? [] : [{ label: changedWords(operator.name, now, wanted), edits }];
  }
  const target = inEveryBlock(compiled, operator) ?? operator;
  const edits = strategyEdits(document, target, wanted);
  return [{ label: changedWords(target.name, now, wanted), edits }];
}

/** Edits that make an operator and its counterparts pass on partial sums over `axes`. */
export function carryChange(
  document: Document,
  compiled: Compiled,
  operator: Operator,
  axes: readonly string[],
): readonly Change[] {
  const { strategy } = compiled.plan.operators.get(operator.id) ?? {};
  if (strategy === undefined || strategy.carry.length > 0) return [];
  const target = inEveryBlock(compiled, operator) ?? operator;
  const edits = carryEdits(document, target, axes);
  return [{ label: `Carry the sums over ${axes.join(", ")} through ${target.name}`, edits }];
}

/**
 * The operator under a name with wildcards, if equal blocks have counterparts; else `undefined`.
 */
function inEveryBlock(compiled: Compiled, operator: Operator): Operator | undefined {
  const name = operator.name.replace(/\[\d+\]\./gu, "[*].");
  if (name === operator.name) return undefined;
  const like = compiled.graph.operators.filter(
    (each) => each.name.replace(/\[\d+\]\./gu, "[*].") === name,
  );
  return like.length > 1 ? { ...operator, name } : undefined;
}

/** The changed cuts in words, `Cut k of y over mp, leave m whole`; empty without a change. */
function changedWords(name: string, now: Cuts, wanted: Cuts): string {
  const changed = [...new Set([...Object.keys(now), ...Object.keys(wanted)])].filter(
    (each) => (fieldOf(now, each) ?? []).join() !== (fieldOf(wanted, each) ?? []).join(),
  );
  const [cut, whole] = [
    changed.filter((each) => (fieldOf(wanted, each) ?? []).length > 0),
    changed.filter((each) => (fieldOf(wanted, each) ?? []).length === 0),
  ];
  const over = (each: string) => `${each} over ${(fieldOf(wanted, each) ?? []).join(", ")}`;
  if (cut.length === 0)
    return whole.length === 0 ? "" : `Leave ${whole.join(", ")} of ${name} whole`;
  const left = whole.length === 0 ? "" : `, leave ${whole.join(", ")} whole`;
  return `Cut ${name}: ${cut.map(over).join(", ")}${left}`;
}

function deviceCount(compiled: Compiled, axes: readonly string[]): number {
  const sizes = new Map(compiled.mesh.mesh.axes.map(({ name, size }) => [name, size]));
  return axes.reduce((all, axis) => all * (sizes.get(axis) ?? 1), 1);
}
