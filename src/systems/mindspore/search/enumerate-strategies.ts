import { product } from "#core/arithmetic";
import type { OperatorCall } from "../operators/call.ts";
import { batchParallel } from "../operators/default-strategy.ts";
import { modelOperator, type OperatorModel } from "../operators/model-operator.ts";
import { ruleOf } from "../operators/rules.ts";
import { withoutOwnRule } from "../primitives/index.ts";

/** A strategy that an operator accepts, with MindSpore's model of it. */
export interface Candidate {
  readonly strategies: readonly (readonly number[])[];
  readonly model: OperatorModel;
}

/**
 * All cuts of dims, depth first, the last dim fastest (mindspore.md §6.2): powers of two that
 * divide the dim and the remaining devices. For other device counts their largest power of two is
 * distributed so, then one dim takes the odd factor too.
 *
 * @internal
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

/** Maximum number of combinations of cuts of one operator's inputs. */
const mostOfOne = 1024;

type Cuts = readonly (readonly number[])[];

/**
 * The combinations of cuts of an operator's inputs that a search tries. An operator without a rule
 * of its own has only its default. If there are more than `mostOfOne`, further inputs are only
 * tried whole, or cut like the first input on dims of equal length.
 */
export function combinationsOf(call: OperatorCall): readonly Cuts[] {
  const { shapes, op, devices } = call;
  if (withoutOwnRule.has(op)) return [batchParallel(call, ruleOf(op) ?? {})];
  const whole = (shape: readonly number[]) => shape.map(() => 1);
  const lists = shapes.map((shape, input): Cuts => {
    if (op.startsWith("Conv") && input > 0) return [whole(shape)];
    const isEven = powerIn(devices) === devices;
    return [...enumerateCuts(shape, devices), ...(isEven ? [] : [whole(shape)])];
  });
  const [firsts = [], ...others] = lists;
  if (product(lists.map(({ length }) => length)) <= mostOfOne) return combined(lists);
  return firsts.flatMap((first) =>
    combined([
      [first],
      ...others.map((_, at) => alongWith(first, shapes[0] ?? [], shapes[at + 1] ?? [])),
    ]),
  );
}

function combined(lists: readonly Cuts[]): readonly Cuts[] {
  return lists.reduce<readonly Cuts[]>(
    (heads, tails) => heads.flatMap((head) => tails.map((tail) => [...head, tail])),
    [[]],
  );
}

/** An input whole, and cut like the first input on dims of equal length, aligned at the right. */
function alongWith(
  first: readonly number[],
  lengths: readonly number[],
  shape: readonly number[],
): Cuts {
  const alike = shape.map((size, dim) => {
    const from = dim + lengths.length - shape.length;
    return lengths[from] === size ? (first[from] ?? 1) : 1;
  });
  const whole = shape.map(() => 1);
  return alike.join() === whole.join() ? [whole] : [whole, alike];
}

/**
 * The strategies that a search tries for an operator: those that its rule accepts, without the
 * gathered form of MatMul.
 */
export function candidatesOf(call: OperatorCall): readonly Candidate[] {
  return combinationsOf(call).flatMap((strategies): readonly Candidate[] => {
    const model = modelOperator(call, { kind: "tuples", inputs: strategies });
    const isTaken =
      model.ok && model.value.forward.every(({ primitive }) => primitive !== "AllGather");
    return isTaken ? [{ strategies, model: model.value }] : [];
  });
}
