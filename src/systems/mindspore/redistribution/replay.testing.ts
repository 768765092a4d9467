import fc from "fast-check";
import { product } from "#core/arithmetic";
import { axisSizeOf, baseSliceShape, type MappedTensor } from "./flat-layout.ts";
import type { RankOperator } from "./rank-list.ts";

/** The block of a rank, whose elements are their own row-major indices in the tensor. */
export interface Block {
  readonly shape: readonly number[];
  readonly values: readonly number[];
}

/** The block of every rank of a tensor with numbered elements. */
export function blocksOf(tensor: MappedTensor): readonly Block[] {
  const shape = baseSliceShape(tensor);
  const devices = product(tensor.deviceMatrix);
  return Array.from({ length: devices }, (_, rank) => {
    const starts = shape.map((size, dim) => size * blockIndex(tensor, dim, rank));
    const values = indicesOf(shape).map((index) =>
      flatIndex(
        index.map((at, dim) => at + (starts[dim] ?? 0)),
        tensor.shape,
      ),
    );
    return { shape, values };
  });
}

/**
 * Index of a rank's block along a dim; the first axis of a tuple is the most significant
 * (mindspore.md §1.3).
 */
function blockIndex({ deviceMatrix, tensorMap }: MappedTensor, dim: number, rank: number): number {
  const axes = [tensorMap[dim] ?? -1].flat().filter((value) => value >= 0);
  return axes.reduce((index, value) => {
    const size = axisSizeOf(deviceMatrix, value);
    const stride = product(deviceMatrix.slice(deviceMatrix.length - value));
    return index * size + (Math.floor(rank / stride) % size);
  }, 0);
}

/** The blocks of all ranks after their lists, which run in lockstep. */
export function replayLists(
  start: readonly Block[],
  lists: readonly (readonly RankOperator[])[],
): readonly Block[] {
  const length = Math.max(0, ...lists.map((list) => list.length));
  let blocks = start;
  for (let at = 0; at < length; at++) {
    const before = blocks;
    blocks = before.map((block, rank) => {
      const operator = lists[rank]?.[at];
      return operator === undefined ? block : applied(operator, block, rank, before);
    });
  }
  return blocks;
}

function applied(operator: RankOperator, block: Block, rank: number, all: readonly Block[]): Block {
  const of = (other: number): Block => all[other] ?? { shape: [], values: [] };
  switch (operator.kind) {
    case "reshape":
      return { shape: operator.shape, values: block.values };
    case "slice":
      return sliced(block, operator.dim, operator.count, operator.index);
    case "concat":
      return joined(operator.ranks.map(of), operator.dim);
    case "permute": {
      const { ranks, splitDim, concatDim } = operator;
      const mine = ranks.indexOf(rank);
      const parts = ranks.map((other) => sliced(of(other), splitDim, ranks.length, mine));
      return joined(parts, concatDim);
    }
  }
}

function sliced({ shape, values }: Block, dim: number, count: number, index: number): Block {
  const length = (shape[dim] ?? 1) / count;
  const kept = shape.with(dim, length);
  const taken = indicesOf(kept).map((at) =>
    flatIndex(at.with(dim, (at[dim] ?? 0) + index * length), shape),
  );
  return { shape: kept, values: taken.map((at) => values[at] ?? -1) };
}

function joined(blocks: readonly Block[], dim: number): Block {
  const [first] = blocks;
  if (first === undefined) return { shape: [], values: [] };
  const length = first.shape[dim] ?? 1;
  const shape = first.shape.with(dim, length * blocks.length);
  const values = indicesOf(shape).map((at) => {
    const place = at[dim] ?? 0;
    const block = blocks[Math.floor(place / length)];
    return block?.values[flatIndex(at.with(dim, place % length), first.shape)] ?? -1;
  });
  return { shape, values };
}

function indicesOf(shape: readonly number[]): readonly (readonly number[])[] {
  return Array.from({ length: product(shape) }, (_, flat) => {
    let rest = flat;
    return shape
      .toReversed()
      .map((size) => {
        const at = rest % size;
        rest = Math.floor(rest / size);
        return at;
      })
      .reverse();
  });
}

function flatIndex(index: readonly number[], shape: readonly number[]): number {
  return index.reduce((flat, at, dim) => flat * (shape[dim] ?? 1) + at, 0);
}

/** Ordered ways to write a number as a product of factors above 1. */
export function factorings(value: number): readonly (readonly number[])[] {
  if (value === 1) return [[]];
  return Array.from({ length: value - 1 }, (_, at) => at + 2)
    .filter((factor) => value % factor === 0)
    .flatMap((factor) => factorings(value / factor).map((rest) => [factor, ...rest]));
}

/**
 * Generates tensors of a number of elements on a number of devices, with maps with or without
 * tuples.
 */
export function tensorsOf(devices: number, elements: number): fc.Arbitrary<MappedTensor> {
  const lists = (value: number) => fc.constantFrom(...factorings(value));
  const ones = fc.boolean();
  return fc
    .tuple(lists(devices), lists(elements), ones, fc.infiniteStream(fc.nat(9)))
    .map(([deviceMatrix, plain, withOne, choices]) => {
      const shape = withOne || plain.length === 0 ? [...plain, 1] : plain;
      const next = () => choices.next().value ?? 0;
      const entries: number[][] = shape.map(() => []);
      const left = [...shape];
      for (const value of deviceMatrix.keys()) {
        const dim = next() % (shape.length + 1);
        const size = axisSizeOf(deviceMatrix, value);
        if (dim === shape.length || (left[dim] ?? 1) % size !== 0) continue;
        if (next() % 2 === 0) entries[dim]?.push(value);
        else entries[dim]?.unshift(value);
        left[dim] = (left[dim] ?? 1) / size;
      }
      const tensorMap = entries.map((axes) => (axes.length < 2 ? (axes[0] ?? -1) : axes));
      return { deviceMatrix, tensorMap, shape };
    });
}
