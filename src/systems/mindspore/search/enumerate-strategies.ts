import { product } from "#core/arithmetic";
import type { OperatorCall } from "../operators/call.ts";
import { batchParallel } from "../operators/default-strategy.ts";
import { modelOperator, type OperatorModel } from "../operators/model-operator.ts";
import { ruleOf } from "../operators/rules.ts";
import { withoutOwnRule } from "../primitives/index.ts";
import type { Cuts } from "./search-graph.ts";

/** A strategy that an operator accepts, with MindSpore's model of it. */
export interface Candidate {
  readonly strategies: Cuts;
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

/**
 * The combinations of cuts of an operator's inputs that a search tries. An operator without a rule
 * of its own has only its default. If there are more than `mostOfOne`, further inputs are only
 * tried whole, or cut like the first input on dims of equal length.
 */
export function combinationsOf(call: OperatorCall): readonly Cuts[] {
  const { shapes, op, devices } = call;
  if (withoutOwnRule.has(op)) return [batchParallel(call, ruleOf(op) ?? {})];
  const sizes = ruleOf(op)?.cutSizes?.(call) ?? shapes;
  const lists = sizes.map((shape, input): Cuts => {
    if (op.startsWith("Conv") && input > 0) return [whole(shape)];
    return powerCuts(shape, powerIn(devices));
  });
  const [firsts = [], ...others] = lists;
  if (product(lists.map(({ length }) => length)) <= mostOfOne) return combined(lists);
  return firsts.flatMap((first) =>
    combined([
      [first],
      ...others.map((_, at) => alongWith(first, sizes[0] ?? [], sizes[at + 1] ?? [])),
    ]),
  );
}

function whole(shape: readonly number[]): readonly number[] {
  return shape.map(() => 1);
}

/** The combinations in which dims take the odd factor of the number of devices too. */
function withOdd(cuts: Cuts, sizes: Cuts, odd: number): readonly Cuts[] {
  const lists = cuts.map((own, input) => [
    own,
    ...own.flatMap((count, dim) =>
      (sizes[input]?.[dim] ?? 1) % (count * odd) === 0 ? [own.with(dim, count * odd)] : [],
    ),
  ]);
  return combined(lists).slice(1);
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
  const uncut = whole(shape);
  return alike.join() === uncut.join() ? [uncut] : [uncut, alike];
}

/**
 * The strategies that a search tries for an operator: those that its rule accepts, without the
 * gathered form of MatMul. On a number of devices that is no power of two, one index axis takes the
 * odd factor; whole inputs come last.
 */
export function candidatesOf(call: OperatorCall): readonly Candidate[] {
  const { devices, op } = call;
  const accepted = combinationsOf(call).flatMap((strategies) => candidate(call, strategies));
  const odd = devices / powerIn(devices);
  if (odd === 1 || withoutOwnRule.has(op)) return accepted;
  const sizes = ruleOf(op)?.cutSizes?.(call) ?? call.shapes;
  const rows = accepted.flatMap(({ strategies }) =>
    withOdd(strategies, sizes, odd)
      .flatMap((each) => candidate(call, each))
      .filter(({ model }) => powerIn(model.repeated) === model.repeated),
  );
  return [...rows, ...candidate(call, sizes.map(whole))];
}

function candidate(call: OperatorCall, strategies: Cuts): readonly Candidate[] {
  const model = modelOperator(call, { kind: "tuples", inputs: strategies });
  const isTaken =
    model.ok && model.value.forward.every(({ primitive }) => primitive !== "AllGather");
  return isTaken ? [{ strategies, model: model.value }] : [];
}
