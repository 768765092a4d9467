import { greatestCommonDivisor, product } from "#core/arithmetic";
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

/** Maximum number of combinations of cuts of one operator's inputs that are tried one by one. */
const mostOfOne = 1024;

/** Operators that MindSpore's search splits by rows alone. */
const byRowsAlone: ReadonlySet<string> = new Set([
  ...["SolveTriangular", "LstsqV2", "CheckValid", "GroupNorm"],
  "SparseSoftmaxCrossEntropyWithLogits",
]);

/**
 * The combinations of cuts of an operator's inputs that a search tries, by powers of two. An
 * operator without a rule of its own has only its default. If there are many, only those remain
 * that cut alike the dims that the operator's rule cuts together.
 */
function combinationsOf(call: OperatorCall): readonly Cuts[] {
  const { op, devices } = call;
  if (isByRows(op)) return [batchParallel(call, ruleOf(op) ?? {})];
  const sizes = triedSizes(call);
  const power = powerIn(devices);
  if (isFew(sizes, power)) return combined(sizes.map((shape) => powerCuts(shape, power)));
  const classes = linkedDims(call, sizes);
  return powerCuts(lengthsOf(classes, sizes), power).map((counts) =>
    cutsOf(sizes, classes, counts),
  );
}

/** The number of combinations that a search tries for an operator. */
export function combinationCount(call: OperatorCall): number {
  if (isByRows(call.op)) return 1;
  const sizes = triedSizes(call);
  const power = powerIn(call.devices);
  if (isFew(sizes, power)) return product(sizes.map((shape) => cutCount(shape, power)));
  return cutCount(lengthsOf(linkedDims(call, sizes), sizes), power);
}

function isByRows(op: string): boolean {
  return withoutOwnRule.has(op) || byRowsAlone.has(op);
}

/** Sizes of the inputs, with those that stay whole as 1. */
function triedSizes(call: OperatorCall): Cuts {
  const isConvolution = call.op.startsWith("Conv");
  return cutSizesOf(call).map((shape, input) =>
    isConvolution && input > 0 ? whole(shape) : shape,
  );
}

function isFew(sizes: Cuts, power: number): boolean {
  return product(sizes.map((shape) => cutCount(shape, power))) <= mostOfOne;
}

/** The number of cuts that `powerCuts` lists. */
function cutCount(sizes: readonly number[], power: number): number {
  // Ways to use 1, 2, 4, … of the devices.
  let ways = [1];
  for (const size of sizes) {
    const next = ways.map(() => 0);
    for (const [used, count] of ways.entries()) {
      for (let more = 0; size % 2 ** more === 0 && power % 2 ** (used + more) === 0; more++)
        next[used + more] = (next[used + more] ?? 0) + count;
    }
    ways = next;
  }
  return ways.reduce((sum, count) => sum + count, 0);
}

/** The lengths of grouped dims, as far as all dims of a group divide alike. */
function lengthsOf(classes: readonly (readonly Place[])[], sizes: Cuts): readonly number[] {
  return classes.map((dims) =>
    dims.map(([input, dim]) => sizes[input]?.[dim] ?? 1).reduce(greatestCommonDivisor),
  );
}

function cutSizesOf(call: OperatorCall): Cuts {
  return ruleOf(call.op)?.cutSizes?.(call) ?? call.shapes;
}

/** An input and one of its dims. */
type Place = readonly [input: number, dim: number];

function cutsOf(
  sizes: Cuts,
  classes: readonly (readonly Place[])[],
  counts: readonly number[],
): Cuts {
  return sizes.map((shape, input) =>
    shape.map((_, dim) => {
      const at = classes.findIndex((dims) => dims.some(([i, d]) => i === input && d === dim));
      return counts[at] ?? 1;
    }),
  );
}

/** The dims that may be cut, grouped by which the operator's rule takes only together. */
function linkedDims(call: OperatorCall, sizes: Cuts): readonly (readonly Place[])[] {
  const places = sizes.flatMap((shape, input) =>
    shape.flatMap((size, dim) => (size % 2 === 0 ? [[input, dim] as const] : [])),
  );
  const isTaken = (dims: readonly Place[]) => {
    const inputs = cutsOf(sizes, [dims], [2]);
    return modelOperator({ ...call, devices: powerIn(call.devices) }, { kind: "tuples", inputs })
      .ok;
  };
  const classes: (readonly Place[])[] = [];
  for (const place of places) {
    const isKnown = classes.flat().some((each) => each.join() === place.join());
    if (isKnown) continue;
    const partners = places.filter(([input]) => input > place[0]);
    const sets = [
      [place],
      ...partners.map((partner) => [place, partner]),
      [place, ...partners.filter(([, dim]) => dim === place[1])],
      [
        place,
        ...partners.filter((partner) => fromRight(sizes, partner) === fromRight(sizes, place)),
      ],
    ];
    const found = sets.find(isTaken);
    if (found !== undefined) classes.push(found);
  }
  return classes;
}

function fromRight(sizes: Cuts, [input, dim]: Place): number {
  return (sizes[input]?.length ?? 0) - dim;
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

/**
 * The strategies that a search tries for an operator: those that its rule accepts, without the
 * gathered form of MatMul. On a number of devices that is no power of two, one index axis takes the
 * odd factor; whole inputs come last.
 */
export function candidatesOf(call: OperatorCall): readonly Candidate[] {
  const { devices, op } = call;
  const tried = combinationsOf(call);
  const odd = devices / powerIn(devices);
  if (odd === 1 || isByRows(op)) return tried.flatMap((strategies) => candidate(call, strategies));
  const sizes = cutSizesOf(call);
  const rows = tried.flatMap((strategies) =>
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
