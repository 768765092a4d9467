import { type Checked, type Diagnostic, failed } from "#core/diagnostics";
import type { Operand, Operator } from "#core/ir";
import { createLayoutKeys } from "#core/mesh";
import { isSplittable, type Plan } from "#core/plan";
import type { SystemReshard } from "#core/program";
import type { PricedSteps } from "#core/reshard";
import type { Document } from "#language/document";
import { systems } from "#systems";
import {
  type ForbiddingRule,
  type PlannedProgram,
  type ReshardingSystem,
  ruleSentence,
  type System,
  systemReshard,
} from "#systems/system";

/**
 * The system in whose words all operators of a program are written. `undefined` for programs of
 * library operators alone, for mixed systems, and for graphs without a program.
 */
export function systemOf(document: Document): System | undefined {
  if (document.built.operatorOf.size === 0) return undefined;
  return systems.find(({ name, runs }) => document.systems.includes(name) && runs?.owns(document));
}

/**
 * Systems that plan redistributions themselves, whose steps can be chosen and are compared with the
 * plan's.
 */
export function reshardingSystems(): readonly ReshardingSystem[] {
  return systems.flatMap(({ name, title, reshards }) =>
    reshards === undefined ? [] : [{ name, title, reshards }],
  );
}

/** Names of these systems, as texts write them. */
export function policyNames(): readonly string[] {
  return reshardingSystems().map(({ name }) => name);
}

/** Most remembered edges; beyond them the memory is cleared. */
const mostEdges = 10_000;

/** Other systems' own steps, computed once per edge. */
export function createSystemSteps(): SystemReshard {
  let known = new Map<string, Checked<PricedSteps>>();
  const keyOf = createLayoutKeys();
  const all = reshardingSystems();
  return (name, { isInside: isWritten, ...edge }) => {
    const system = all.find((each) => each.name === name);
    if (system === undefined) {
      const message = `no system is called "${name}"`;
      return failed({ code: "reshard/no-such-steps", severity: "warning", message });
    }
    const { from, to, shape, bytesPerElement } = edge;
    const about = [name, keyOf(from), keyOf(to), shape.join(), bytesPerElement, isWritten];
    const key = about.join(";");
    const before = known.get(key);
    if (before !== undefined) return before;
    const found = systemReshard(system, { ...edge, isWritten });
    if (known.size >= mostEdges) known = new Map();
    known.set(key, found);
    return found;
  };
}

/**
 * Appends to errors about forbidden splits the rule behind them: its text, the section of the
 * system's document, and what may be split instead.
 */
export function withRules(
  document: Document,
  plan: Plan,
  diagnostics: readonly Diagnostic[],
): readonly Diagnostic[] {
  // Operators of a graph without a program text follow rules of their own.
  if (document.built.operatorOf.size === 0) return diagnostics;
  return diagnostics.map((diagnostic) => {
    const { severity, span } = diagnostic;
    if (severity !== "error" || span === undefined) return diagnostic;
    const rule = firstRule(({ behind }) => behind(document, plan, diagnostic));
    if (rule === undefined) return diagnostic;
    return { ...diagnostic, message: `${diagnostic.message}. ${ruleSentence(rule)}` };
  });
}

/** The rule that forbids cutting a dim of an operand; `undefined` if it may be cut. */
export function ruleOfDim(
  operator: Operator,
  operand: Operand,
  dim: number,
): ForbiddingRule | undefined {
  const { splittable } = operand.dims[dim] ?? {};
  if (splittable !== undefined && isSplittable(operator, splittable)) return undefined;
  return firstRule(({ ofDim }) => ofDim(operator, operand, dim));
}

function firstRule(
  of: (rules: NonNullable<(typeof systems)[number]["rules"]>) => ForbiddingRule | undefined,
): ForbiddingRule | undefined {
  for (const { rules } of systems) {
    const rule = rules && of(rules);
    if (rule !== undefined) return rule;
  }
  return undefined;
}

/** Diagnostics of a program's plan from the systems that the program uses. */
export function systemFindings(document: Document, planned: PlannedProgram): readonly Diagnostic[] {
  return systems.flatMap(({ name, findings }) =>
    document.systems.includes(name) ? (findings?.(document, planned) ?? []) : [],
  );
}
