import type { OpAnno } from "#core/dimops";
import { followingDims } from "./following-dims.ts";
import { freshSize, type Size } from "./size.ts";
import { fitsSymbolic } from "./symbolic.ts";
import type { TracedOperator, TracedTensor } from "./traced.ts";

/** Binding faults that other sizes would not have. */
const ofSizes: ReadonlySet<string> = new Set([
  "dimops/size-conflict",
  "dimops/indivisible-size",
  "dimops/rank-mismatch",
]);

/** Whether a call fails only because of assumed sizes: with them open it would fit. */
export function failsByAssumed(
  code: string,
  { assumed, inputs }: TracedOperator,
  candidates: readonly OpAnno[],
  shapes: readonly (readonly number[] | undefined)[],
): boolean {
  if (!ofSizes.has(code)) return false;
  const followed = inputs.map((input) => (input.kind === "tensor" ? assumedDims(input) : []));
  const isAssumed = (operand: number, dim: number) =>
    assumed?.[operand]?.[dim] === true || followed[operand]?.[dim] === true;
  const given = shapes.map((shape, operand) =>
    shape?.map((size, dim): Size => (isAssumed(operand, dim) ? freshSize() : size)),
  );
  const isAny = followed.some((_, operand) =>
    shapes[operand]?.some((_size, dim) => isAssumed(operand, dim)),
  );
  return isAny && candidates.some((each) => fitsSymbolic(each, given));
}

/** Per dim of a tensor: whether its size follows from an assumed one. */
function assumedDims(tensor: TracedTensor): readonly boolean[] {
  const known = new Map<TracedTensor, readonly boolean[]>();
  const of = ({ defaults }: TracedTensor) => defaults ?? [];
  const open = [tensor];
  for (let next = open.at(-1); next !== undefined; next = open.at(-1)) {
    const { producer } = next;
    const inputs = producer?.inputs.flatMap((each) => (each.kind === "tensor" ? each : [])) ?? [];
    const before = inputs.filter((each) => !known.has(each));
    if (producer !== undefined && before.length > 0 && !known.has(next)) {
      known.set(next, []);
      open.push(...before);
      continue;
    }
    open.pop();
    known.set(next, producer === undefined ? of(next) : followedDims(producer, next, known));
  }
  return known.get(tensor) ?? [];
}

/** Per dim of a result: whether its size follows from an operand's assumed sizes. */
function followedDims(
  { bound, inputs, outputs }: TracedOperator,
  result: TracedTensor,
  known: ReadonlyMap<TracedTensor, readonly boolean[]>,
): readonly boolean[] {
  if (bound === undefined) return [];
  const operands = inputs.map((each) => (each.kind === "tensor" ? known.get(each) : undefined));
  return (
    followingDims(bound.annotation, (input, dim) => operands[input]?.[dim] === true)[
      outputs.indexOf(result)
    ] ?? []
  );
}
