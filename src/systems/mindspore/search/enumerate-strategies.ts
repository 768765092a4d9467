import type { OperatorCall } from "../operators/call.ts";
import { modelOperator, type OperatorModel } from "../operators/model-operator.ts";
import { productOf } from "../redistribution/flat-layout.ts";

/** A strategy that an operator takes, with what MindSpore makes of it. */
export interface Candidate {
  readonly strategies: readonly (readonly number[])[];
  readonly model: OperatorModel;
}

/**
 * Into how many pieces dims may be cut, depth first, the last dim fastest (mindspore.md §6.2):
 * powers of two that divide the dim and the devices left. On other device counts the largest power
 * of two in them is spread so, then one dim takes the odd factor too.
 */
export function enumerateCuts(
  sizes: readonly number[],
  devices: number,
): readonly (readonly number[])[] {
  const power = powerIn(devices);
  const plain = powerCuts(sizes, power);
  const odd = devices / power;
  if (odd === 1) return plain;
  return plain.flatMap((cuts) =>
    cuts.flatMap((count, dim) =>
      (sizes[dim] ?? 1) % (count * odd) === 0 ? [cuts.with(dim, count * odd)] : [],
    ),
  );
}

function powerIn(devices: number): number {
  let power = 1;
  while (devices % (power * 2) === 0) power *= 2;
  return power;
}

function powerCuts(sizes: readonly number[], left: number): readonly (readonly number[])[] {
  const [size, ...rest] = sizes;
  if (size === undefined) return [[]];
  const found: (readonly number[])[] = [];
  for (let count = 1; left % count === 0 && size % count === 0; count *= 2) {
    for (const tail of powerCuts(rest, left / count)) found.push([count, ...tail]);
  }
  return found;
}

/**
 * The strategies that a search tries for an operator: what its rule takes, without the gathered
 * form of MatMul. With `fullyUse` (MindSpore's default) only those that use all devices or one.
 */
export function candidatesOf(call: OperatorCall, fullyUse = true): readonly Candidate[] {
  const lists = call.shapes.map((shape) => [
    ...enumerateCuts(shape, call.devices),
    ...(powerIn(call.devices) === call.devices ? [] : [shape.map(() => 1)]),
  ]);
  const all = lists.reduce<readonly (readonly (readonly number[])[])[]>(
    (heads, tails) => heads.flatMap((head) => tails.map((tail) => [...head, tail])),
    [[]],
  );
  return all.flatMap((strategies): readonly Candidate[] => {
    const model = modelOperator(call, { kind: "tuples", inputs: strategies });
    if (!model.ok || model.value.forward.some(({ primitive }) => primitive === "AllGather")) {
      return [];
    }
    const used = productOf(model.value.deviceMatrix) / model.value.repeated;
    const isKept = !fullyUse || used === call.devices || used === 1;
    return isKept ? [{ strategies, model: model.value }] : [];
  });
}
