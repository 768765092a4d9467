import type { Operand, Operator } from "#core/ir";
import type { Layout, Part } from "#core/mesh";
import { splittableAxes } from "./check.ts";
import type { Strategy } from "./plan.ts";

/** More combinations than this are not priced; the first ones in listed order are. */
const combinationLimit = 256;

/**
 * The strategies of a free operator that use only axes which its operands carry: for each index
 * axis either nothing or one of the lists of parts that an operand has on a dim of that axis. A
 * mesh axis stands at most once. The strategy that cuts nothing is always among them, last.
 *
 * @param held layouts of the operands by position; `undefined` where nobody has decided yet
 */
export function candidateStrategies(
  operator: Operator,
  held: readonly (Layout | undefined)[],
): readonly Strategy[] {
  const identifiers = freeAxes(operator);
  const start: readonly Readonly<Record<string, readonly Part[]>>[] = [{}];
  const all = identifiers.reduce((cuts, name) => {
    const choices = [...carriedOn(operator, held, name), []];
    return cuts
      .flatMap((cut) =>
        choices.map((parts) => ({ ...cut, ...(parts.length > 0 && { [name]: parts }) })),
      )
      .filter(usesAxesOnce)
      .slice(0, combinationLimit);
  }, start);
  return all.map((cuts) => ({ cuts, carry: [] }));
}

/**
 * The identifiers that propagation may cut although the text does not ask for it: none that are frozen,
 * and none without reduction that a result lacks, since cutting those gives wrong values. Axes over
 * which the operator combines inside are among them.
 */
export function freeAxes(operator: Operator): readonly string[] {
  return splittableAxes(operator).filter((name) => keepsValues(operator, name));
}

/** An axis without reduction that a result lacks would make wrong values when it is cut. */
function keepsValues(operator: Operator, name: string): boolean {
  const axis = operator.axes.find((candidate) => candidate.name === name);
  if (operator.inner?.includes(name) === true) return true;
  if (axis === undefined || axis.reduction === "^") return false;
  if (axis.reduction === "+") return true;
  return operator.outputs.every((operand) => positionOf(operand, name) >= 0);
}

/** The distinct lists of parts that operands carry on the dim of one index axis. */
function carriedOn(
  operator: Operator,
  held: readonly (Layout | undefined)[],
  name: string,
): readonly (readonly Part[])[] {
  const size = operator.axes.find((axis) => axis.name === name)?.size ?? 0;
  const lists = operator.inputs.flatMap((operand, index) => {
    const parts = held[index]?.dims[positionOf(operand, name)]?.parts ?? [];
    const axes = parts.filter((part) => part.kind === "axis");
    return axes.length > 0 && divides(axes, size) ? [axes] : [];
  });
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
  const names = Object.values(cuts)
    .flat()
    .map((part) => (part.kind === "axis" ? `${part.axis}:${part.before}` : ""));
  return new Set(names).size === names.length;
}
