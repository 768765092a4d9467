import type { Diagnostic, Span } from "#core/diagnostics";
import type { Graph, IndexAxis, Operator } from "#core/ir";
import type { Part } from "#core/mesh";
import { isCutBehind } from "./brackets.ts";
import type { OperatorPlan, Strategy } from "./plan.ts";
import {
  isCleanAxis,
  isProjected,
  tilesOutputs,
  tilingFault,
  usesIdentifier,
} from "./projection.ts";

/**
 * The faults of the strategy of one operator, in the user's names.
 *
 * Errors: an identifier that the annotation does not have or that may not be cut, a mesh axis that
 * is used twice. Warnings: pieces of unequal size, and a cut of an axis without reduction that a
 * result lacks (wrong values in silence, dimops.md §3).
 */
export function checkStrategy(graph: Graph, operator: Operator, plan: OperatorPlan): Diagnostic[] {
  if (isProjected(operator)) {
    return [...checkProjected(graph, operator, plan), ...checkAxesOnce(graph, operator, plan)];
  }
  const faults: Diagnostic[] = [];
  for (const [name, parts] of Object.entries(plan.strategy.cuts)) {
    if (parts.length === 0 || isCutBehind(operator, name, plan.strategy)) continue;
    faults.push(...checkCut(graph, operator, name, parts, plan));
  }
  faults.push(...checkAxesOnce(graph, operator, plan));
  return faults;
}

/**
 * The fault of a projected operator: its pieces may be uneven, but the results must come in
 * consecutive blocks.
 */
function checkProjected(
  graph: Graph,
  operator: Operator,
  { strategy, span }: OperatorPlan,
): readonly Diagnostic[] {
  const areTiled = tilesOutputs(operator, strategy);
  return Object.entries(strategy.cuts).flatMap(([name, parts]): readonly Diagnostic[] => {
    if (parts.length === 0) return [];
    const axis = operator.axes.find((candidate) => candidate.name === name);
    if (axis === undefined) return [unknownIdentifier(operator, name, span)];
    if (axis.reduction === "^") return [frozenIdentifier(operator, axis, span)];
    return areTiled ? [] : tilingFault(graph, operator, axis, span);
  });
}

function checkCut(
  graph: Graph,
  operator: Operator,
  name: string,
  parts: readonly Part[],
  { span, isCombinedInside }: OperatorPlan,
): readonly Diagnostic[] {
  const axis = operator.axes.find((candidate) => candidate.name === name);
  if (axis === undefined) return [unknownIdentifier(operator, name, span)];
  if (!isSplittable(operator, name)) return [frozenIdentifier(operator, axis, span)];
  const uneven = checkEven(operator, axis, parts, span);
  const unmarked = isCombinedInside ? undefined : checkReduction(graph, operator, axis, span);
  return [uneven, unmarked].filter((fault) => fault !== undefined);
}

/**
 * The strategy without its illegal cuts, so that the rest can still be shown; the same object if
 * all cuts are legal.
 */
export function legalStrategy(operator: Operator, strategy: Strategy): Strategy {
  const kept: Record<string, readonly Part[]> = {};
  const used: Part[] = [];
  let isWhole = true;
  const areTiled = isProjected(operator) && tilesOutputs(operator, strategy);
  for (const [name, parts] of Object.entries(strategy.cuts)) {
    const free = parts.filter((part) => !used.some((other) => overlap(other, part)));
    const size = operator.axes.find((axis) => axis.name === name)?.size ?? 0;
    const isEqual = size % pieceCount(free) === 0 || !leadsBracket(operator, name);
    const isFree = areTiled ? isIndexAxis(operator, name) : mayBeCut(operator, name, strategy);
    const isKept = isFree && isEqual && free.length > 0;
    if (!isKept || free.length < parts.length) isWhole = false;
    if (!isKept) continue;
    kept[name] = free;
    used.push(...free);
  }
  return isWhole ? strategy : { ...strategy, cuts: kept };
}

function mayBeCut(operator: Operator, name: string, strategy: Strategy): boolean {
  return isSplittable(operator, name) || isCutBehind(operator, name, strategy);
}

function isIndexAxis({ axes }: Operator, name: string): boolean {
  return axes.some((axis) => axis.name === name && axis.reduction !== "^");
}

/** Whether some operand has a dim that may be cut by this identifier. */
export function isSplittable(operator: Operator, identifier: string): boolean {
  if (isProjected(operator)) return isCleanAxis(operator, identifier);
  let isHeld = false;
  for (const operands of [operator.inputs, operator.outputs]) {
    for (const { dims } of operands) {
      for (const { identifiers, splittable } of dims) {
        if (!identifiers.includes(identifier)) continue;
        if (splittable !== identifier) return false;
        isHeld = true;
      }
    }
  }
  return isHeld;
}

/** The names of all axes for which `isSplittable` holds, in one pass over the dims. */
export function splittableAxes(operator: Operator): readonly string[] {
  const names = operator.axes.map(({ name }) => name);
  if (isProjected(operator)) return names.filter((name) => isCleanAxis(operator, name));
  const [held, refused] = [new Set<string>(), new Set<string>()];
  for (const operands of [operator.inputs, operator.outputs]) {
    for (const { dims } of operands) {
      for (const { identifiers, splittable } of dims) {
        for (const name of identifiers) (name === splittable ? held : refused).add(name);
      }
    }
  }
  return names.filter((name) => held.has(name) && !refused.has(name));
}

function unknownIdentifier(operator: Operator, name: string, span: Span | undefined): Diagnostic {
  const known = operator.axes.map((axis) => `"${axis.name}"`).join(", ");
  return {
    code: "plan/unknown-identifier",
    severity: "error",
    message: `"${operator.name}" has no identifier "${name}"; its annotation has ${known}`,
    ...at(span),
  };
}

function frozenIdentifier(operator: Operator, axis: IndexAxis, span: Span | undefined): Diagnostic {
  return {
    code: "plan/frozen-identifier",
    severity: "error",
    message: `"${axis.name}" of "${operator.name}" cannot be split: ${whyFrozen(operator, axis)}`,
    upstream: "ValueError",
    ...at(span),
  };
}

function whyFrozen({ inner, op }: Operator, { reduction }: IndexAxis): string {
  if (reduction !== "^") return "it is not the outermost factor of its bracket";
  if (inner !== undefined) return "every piece needs all of it";
  return `it carries "^" in the annotation of "${op}"`;
}

function checkEven(
  operator: Operator,
  axis: IndexAxis,
  parts: readonly Part[],
  span: Span | undefined,
): Diagnostic | undefined {
  const pieces = pieceCount(parts);
  if (axis.size % pieces === 0) return undefined;
  const uneven = `"${axis.name}" has ${axis.size} elements, which ${pieces} pieces do not divide`;
  const isBracket = leadsBracket(operator, axis.name);
  return {
    code: isBracket ? "plan/uneven-bracket" : "plan/uneven-split",
    severity: isBracket ? "error" : "warning",
    message: isBracket
      ? `${uneven}: inside a bracket the pieces must be equal`
      : `${uneven}: the last ones are shorter`,
    upstream: "ValueError",
    ...at(span),
  };
}

/**
 * Whether an identifier shares a bracket with others. Unless it is cut evenly, blocks of the
 * flattened dim then end elsewhere than blocks of the identifier.
 */
function leadsBracket(operator: Operator, name: string): boolean {
  if (isProjected(operator)) return false;
  return [...operator.inputs, ...operator.outputs].some(({ dims }) =>
    dims.some(({ identifiers }) => identifiers.length > 1 && identifiers.includes(name)),
  );
}

function pieceCount(parts: readonly Part[]): number {
  return parts.reduce((product, part) => product * sizeOf(part), 1);
}

function checkReduction(
  graph: Graph,
  operator: Operator,
  axis: IndexAxis,
  span: Span | undefined,
): Diagnostic | undefined {
  if (axis.reduction !== "") return undefined;
  const lacking = operator.outputs.find((operand) => !usesIdentifier(operand, axis.name));
  if (lacking === undefined) return undefined;
  const result = graph.tensors.find((tensor) => tensor.id === lacking.tensor)?.name ?? "";
  return {
    code: "plan/reduced-without-mark",
    severity: "warning",
    message: `"${axis.name}" is cut, but "${result}" lacks it and nothing says how to combine the pieces: nnScaler would compute wrong values in silence; mark it "${axis.name}+" if it is summed`,
    ...at(span),
  };
}

function checkAxesOnce(graph: Graph, operator: Operator, plan: OperatorPlan): Diagnostic[] {
  const faults: Diagnostic[] = [];
  const uses: { readonly name: string; readonly part: Part }[] = [];
  for (const [name, parts] of Object.entries(plan.strategy.cuts)) {
    for (const part of parts) {
      const earlier = uses.find((other) => overlap(other.part, part));
      uses.push({ name, part });
      if (earlier === undefined) continue;
      faults.push({
        code: "plan/axis-used-twice",
        severity: "error",
        message: `"${axisOf(part)}" already splits ${dimPhrase(graph, operator, earlier.name)}; it cannot split "${name}" too`,
        ...at(plan.span),
      });
    }
  }
  return faults;
}

/** `"k" of "w1"`: an identifier with the first operand that has it. */
function dimPhrase(graph: Graph, operator: Operator, name: string): string {
  const holder = [...operator.inputs, ...operator.outputs].find((operand) =>
    usesIdentifier(operand, name),
  );
  const tensor = graph.tensors.find((candidate) => candidate.id === holder?.tensor)?.name;
  return tensor === undefined ? `"${name}"` : `"${name}" of "${tensor}"`;
}

/** Whether two parts cut by the same digits of a mesh axis. */
export function overlap(a: Part, b: Part): boolean {
  if (a.kind !== "axis" || b.kind !== "axis" || a.axis !== b.axis) return false;
  return a.before < b.before * b.size && b.before < a.before * a.size;
}

function axisOf(part: Part): string {
  return part.kind === "axis" ? part.axis : "";
}

function sizeOf(part: Part): number {
  return part.kind === "axis" ? part.size : part.count;
}

function at(span: Span | undefined): { span?: Span } {
  return span === undefined ? {} : { span };
}
