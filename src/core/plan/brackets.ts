import type { OperandDim, Operator } from "#core/ir";
import { blockCount, type Part } from "#core/mesh";
import { fieldOf } from "#core/records";
import type { Strategy } from "./plan.ts";

/**
 * Further axes of a dim's bracket that may be cut once all axes before them are cut into single
 * indices, so that the dim's blocks stay consecutive. A system that uses the annotation alone cuts
 * only the first axis.
 */
export function behindFirst(
  operator: Pick<Operator, "inner" | "axes">,
  { identifiers, splittable }: OperandDim,
): readonly string[] {
  const first = splittable === undefined ? -1 : identifiers.indexOf(splittable);
  if (operator.inner === undefined || first < 0 || identifiers.length < 2) return [];
  const behind = identifiers.slice(first + 1);
  const frozen = behind.findIndex((name) => !isFree(operator, name));
  return frozen < 0 ? behind : behind.slice(0, frozen);
}

function isFree({ axes }: Pick<Operator, "axes">, name: string): boolean {
  return axes.some((axis) => axis.name === name && axis.reduction !== "^");
}

/**
 * Whether a strategy may cut an axis that has more major axes in its bracket: those must all be cut
 * into single indices.
 */
export function isCutBehind(
  operator: Operator,
  name: string,
  { cuts }: Pick<Strategy, "cuts">,
): boolean {
  if (!standsBehind(operator, name)) return false;
  const sizes = new Map(operator.axes.map((axis) => [axis.name, axis.size]));
  const isSingle = (each: string) =>
    blockCount(fieldOf(cuts, each) ?? []) === (sizes.get(each) ?? Number(each));
  return [...operator.inputs, ...operator.outputs].every(({ dims }) =>
    dims.every((dim) => {
      const { identifiers, splittable } = dim;
      if (!identifiers.includes(name) || splittable === name) return true;
      const before = identifiers.slice(0, identifiers.indexOf(name));
      return behindFirst(operator, dim).includes(name) && before.every(isSingle);
    }),
  );
}

/** Whether `axesBehind` is not empty; a quick test that decides for most operators. */
function standsBehind({ inner, inputs, outputs, axes }: Operator, name: string): boolean {
  if (inner === undefined) return false;
  const isBehind = (dim: OperandDim) =>
    dim.identifiers.length > 1 && behindFirst({ inner, axes }, dim).includes(name);
  return (
    inputs.some(({ dims }) => dims.some(isBehind)) ||
    outputs.some(({ dims }) => dims.some(isBehind))
  );
}

/** Axes that follow another axis in a bracket and can be cut there. */
export function axesBehind(operator: Operator): readonly string[] {
  if (operator.inner === undefined) return none;
  const found = new Set<string>();
  for (const operands of [operator.inputs, operator.outputs])
    for (const { dims } of operands)
      for (const dim of dims) {
        if (dim.identifiers.length < 2) continue;
        for (const name of behindFirst(operator, dim)) found.add(name);
      }
  return found.size === 0 ? none : [...found];
}

const none: readonly string[] = [];

/**
 * The parts of a dim, shared out: `head` cuts one axis evenly, `rest` is left for the next axis.
 */
export interface SharedParts {
  readonly head: readonly Part[];
  readonly rest: readonly Part[];
}

/**
 * Divides parts, outermost first: those that cut a size evenly go into `head`, the rest stays; a
 * mesh axis may be divided.
 */
export function fitting(parts: readonly Part[], size: number): SharedParts {
  const head: Part[] = [];
  let left = size;
  for (const [at, part] of parts.entries()) {
    if (part.kind !== "axis") return { head, rest: parts.slice(at) };
    const common = commonDivisor(left, part.size);
    if (common > 1) head.push({ ...part, size: common });
    left /= common;
    if (common === part.size) continue;
    const inner = { ...part, before: part.before * common, size: part.size / common };
    return { head, rest: [inner, ...parts.slice(at + 1)] };
  }
  return { head, rest: [] };
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b);
}
