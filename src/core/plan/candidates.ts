import type { Operand, Operator } from "#core/ir";
import type { Layout, Part } from "#core/mesh";
import { axesBehind, behindFirst, fitting, isCutBehind } from "./brackets.ts";
import { overlap, splittableAxes } from "./check.ts";
import type { Strategy } from "./plan.ts";

/** Limit on the priced combinations: the first ones in listed order. */
const combinationLimit = 256;

/**
 * The strategies of a free operator that use only mesh axes which its operands carry: for each
 * index axis either no cut or one of the lists of parts that an operand has on a dim of that axis.
 * Each mesh axis is used at most once. The strategy that cuts nothing is always among them, last.
 *
 * @param held layouts of the operands by position; `undefined` for an operand without a layout so
 * far
 */
export function candidateStrategies(
  operator: Operator,
  held: readonly (Layout | undefined)[],
): readonly Strategy[] {
  const free = freeAxes(operator);
  const behind = axesBehind(operator).filter((name) => !free.includes(name));
  const identifiers = [...free, ...behind];
  const start: readonly Readonly<Record<string, readonly Part[]>>[] = [{}];
  const lists = identifiers.map((name, at) =>
    (at < free.length ? carriedOn : carriedBehind)(operator, held, name),
  );
  const all = identifiers.reduce((cuts, name, at) => {
    const choices = [...(lists[at] ?? []), ...shared(lists, at), []];
    return cuts
      .flatMap((cut) =>
        choices.map((parts) => ({ ...cut, ...(parts.length > 0 && { [name]: parts }) })),
      )
      .filter(usesAxesOnce)
      .slice(0, combinationLimit);
  }, start);
  return all
    .filter((cuts) =>
      behind.every((name) => !(name in cuts) || isCutBehind(operator, name, { cuts })),
    )
    .map((cuts) => ({ cuts, carry: [] }));
}

/**
 * The identifiers that propagation may cut on its own: none that are frozen, and none without
 * reduction that a result lacks, since cutting those gives wrong values. Axes over which the
 * operator combines inside are among them.
 */
export function freeAxes(operator: Operator): readonly string[] {
  return splittableAxes(operator).filter((name) => keepsValues(operator, name));
}

/** Whether a cut of an axis keeps the values right: it has a reduction, or all results have it. */
function keepsValues(operator: Operator, name: string): boolean {
  const axis = operator.axes.find((candidate) => candidate.name === name);
  if (operator.inner?.includes(name) === true) return true;
  if (axis === undefined || axis.reduction === "^") return false;
  if (axis.reduction === "+") return true;
  return operator.outputs.every((operand) => positionOf(operand, name) >= 0);
}

/**
 * Part lists for one index axis after other index axes have taken some mesh axes: rows over `dp,
 * ep` next to experts over `ep` stay cut over `dp`.
 */
function shared(
  lists: readonly (readonly (readonly Part[])[])[],
  own: number,
): readonly (readonly Part[])[] {
  const mine = lists[own] ?? [];
  const others = lists.flatMap((each, at) => (at === own ? [] : each));
  const rests = mine.flatMap((list) =>
    others.flatMap((other) => {
      const rest = list.filter((part) => !other.some((each) => isSamePart(part, each)));
      return rest.length > 0 && rest.length < list.length ? [rest] : [];
    }),
  );
  return distinct(rests);
}

function isSamePart(a: Part, b: Part): boolean {
  return a.kind === "axis" && b.kind === "axis" && a.axis === b.axis && a.before === b.before;
}

/** The distinct lists of parts that operands carry on the dim of one index axis. */
function carriedOn(
  operator: Operator,
  held: readonly (Layout | undefined)[],
  name: string,
): readonly (readonly Part[])[] {
  const size = operator.axes.find((axis) => axis.name === name)?.size ?? 0;
  const lists = operator.inputs.flatMap((operand, index) => {
    const at = positionOf(operand, name);
    const axes = axisPartsOn(held[index], at);
    if (axes.length > 0 && divides(axes, size)) return [axes];
    const isBracket = (operand.dims[at]?.identifiers.length ?? 0) > 1;
    const { head } = fitting(axes, isBracket && operator.inner !== undefined ? size : 1);
    return head.length > 0 ? [head] : [];
  });
  return distinct(lists);
}

/**
 * Parts of a merged dim that are left for an identifier once the identifiers before it are cut
 * completely.
 */
function carriedBehind(
  operator: Operator,
  held: readonly (Layout | undefined)[],
  name: string,
): readonly (readonly Part[])[] {
  const sizes = new Map(operator.axes.map((axis) => [axis.name, axis.size]));
  const lists = operator.inputs.flatMap(({ dims }, index) =>
    dims.flatMap((dim, at) => {
      if (!behindFirst(operator, dim).includes(name)) return [];
      let rest = axisPartsOn(held[index], at);
      for (const before of dim.identifiers.slice(0, dim.identifiers.indexOf(name)))
        rest = fitting(rest, sizes.get(before) ?? Number(before)).rest;
      return rest.length > 0 && divides(rest, sizes.get(name) ?? 0) ? [rest] : [];
    }),
  );
  return distinct(lists);
}

function axisPartsOn(layout: Layout | undefined, dim: number): readonly Part[] {
  return (layout?.dims[dim]?.parts ?? []).filter((part) => part.kind === "axis");
}

function distinct(lists: readonly (readonly Part[])[]): readonly (readonly Part[])[] {
  const keys = lists.map((parts) => JSON.stringify(parts));
  return lists.filter((_, index) => keys.indexOf(keys[index] ?? "") === index);
}

function divides(parts: readonly Part[], size: number): boolean {
  const pieces = parts.reduce(
    (product, part) => product * (part.kind === "axis" ? part.size : 1),
    1,
  );
  return size % pieces === 0;
}

function positionOf(operand: Operand, name: string): number {
  return operand.dims.findIndex((dim) => dim.splittable === name);
}

function usesAxesOnce(cuts: Readonly<Record<string, readonly Part[]>>): boolean {
  const parts = Object.values(cuts).flat();
  return parts.every((part, at) => !parts.slice(0, at).some((other) => overlap(part, other)));
}
