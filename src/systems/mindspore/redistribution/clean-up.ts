import { product } from "#core/arithmetic";

import { primitiveCount } from "./primitives.ts";
import { type RankOperator, shapeAfter, shapesAlong } from "./rank-list.ts";

type List = readonly RankOperator[];
type Shape = readonly number[];

/**
 * The clean-up pass that MindSpore 2.10 runs on every list it compiles (mindspore.md §3.8).
 *
 * Lists with an AllToAll, or of one primitive, are not changed.
 *
 * @param start the base slice shape before the first operator
 * @param rank the rank that the list belongs to
 */
export function cleanedUp(list: List, start: Shape, rank: number): List {
  const isLeft = list.some(({ kind }) => kind === "permute") || primitiveCount(list) < 2;
  if (isLeft) return list;
  const sorted = sortStretches(withoutReshapes(list, start));
  const moved = slicesBehindReshapes(concatsToFront(sorted, start), start);
  return mergeSlices(mergeConcats(withoutReshapes(moved, start), rank));
}

/** Keeps the last of consecutive Reshapes, or none if it restores the shape before them. */
function withoutReshapes(list: List, start: Shape): List {
  const shapes = shapesAlong(start, list);
  return list.filter((operator, at) => {
    if (operator.kind !== "reshape") return true;
    if (list[at + 1]?.kind === "reshape") return false;
    let first = at;
    while (list[first - 1]?.kind === "reshape") first -= 1;
    return !isSame(shapes[first] ?? [], operator.shape);
  });
}

/**
 * Sorts the operators between Reshapes: gathers first, by descending dim, then slices by ascending
 * dim.
 */
function sortStretches(list: List): List {
  const sorted: RankOperator[] = [];
  let stretch: RankOperator[] = [];
  for (const operator of list) {
    if (operator.kind !== "reshape") {
      stretch.push(operator);
      continue;
    }
    sorted.push(...stretch.sort((a, b) => sortKey(a) - sortKey(b)), operator);
    stretch = [];
  }
  return [...sorted, ...stretch.sort((a, b) => sortKey(a) - sortKey(b))];
}

/** Sort key: gathers are negative, the last dim first. */
function sortKey(operator: RankOperator): number {
  if (operator.kind === "concat") return -1 - operator.dim;
  return operator.kind === "slice" ? operator.dim : 0;
}

/**
 * Moves a gather whose leading dims all have size 1 to dim 0, where it needs no Split and Concat.
 */
function concatsToFront(list: List, start: Shape): List {
  const moved: RankOperator[] = [];
  let shape = start;
  let packed: Shape | undefined;
  const put = (operator: RankOperator) => {
    moved.push(operator);
    shape = shapeAfter(shape, operator);
    if (operator.kind !== "reshape") packed = shape;
  };
  for (const operator of list) {
    const isMoved = operator.kind === "concat" && operator.dim > 0 && leads(shape, operator.dim);
    if (!isMoved) {
      put(operator);
      continue;
    }
    const after = shapeAfter(shape, operator);
    put({ kind: "reshape", shape: packed ?? shape.slice(operator.dim) });
    put({ ...operator, dim: 0 });
    put({ kind: "reshape", shape: after });
  }
  return moved;
}

/**
 * From the end of the list: swaps a slice whose leading dims all have size 1 with the Reshape after
 * it.
 */
function slicesBehindReshapes(list: List, start: Shape): List {
  const shapes = shapesAlong(start, list);
  const moved = [...list];
  for (let at = list.length - 2; at >= 0; at--) {
    const [slice, reshape] = [moved[at], moved[at + 1]];
    if (slice?.kind !== "slice" || reshape?.kind !== "reshape") continue;
    if (!leads(shapes[at] ?? [], slice.dim)) continue;
    const [first = 1, ...rest] = reshape.shape;
    moved[at] = { kind: "reshape", shape: [first * slice.count, ...rest] };
    moved[at + 1] = { ...slice, dim: 0 };
  }
  return moved;
}

/** Merges consecutive gathers of one dim whose groups nest. */
function mergeConcats(list: List, rank: number): List {
  const merged: RankOperator[] = [];
  for (const operator of list) {
    const last = merged.at(-1);
    const ranks =
      last?.kind === "concat" && operator.kind === "concat" && last.dim === operator.dim
        ? nestedRanks(last.ranks, operator.ranks, rank)
        : undefined;
    if (ranks !== undefined && operator.kind === "concat") {
      merged[merged.length - 1] = { ...operator, ranks };
    } else merged.push(operator);
  }
  return merged;
}

/**
 * The ranks of two nested groups in order; `undefined` unless the step of the outer group is the
 * length of the inner one times its step.
 */
function nestedRanks(inner: Shape, outer: Shape, rank: number): Shape | undefined {
  const step = stepOf(inner);
  if (step * inner.length !== stepOf(outer)) return undefined;
  const first = (outer[0] ?? 0) - (rank - (inner[0] ?? 0));
  return Array.from({ length: inner.length * outer.length }, (_, at) => first + at * step);
}

function stepOf([first = 0, second = 0]: Shape): number {
  return second - first;
}

/** Merges consecutive slices of one dim; Reshapes between them are removed. */
function mergeSlices(list: List): List {
  const merged: RankOperator[] = [];
  for (const operator of list) {
    const before = merged.findLastIndex(({ kind }) => kind !== "reshape");
    const last = merged[before];
    if (operator.kind === "slice" && last?.kind === "slice" && last.dim === operator.dim) {
      merged.splice(before);
      const count = last.count * operator.count;
      merged.push({ ...operator, count, index: last.index * operator.count + operator.index });
    } else merged.push(operator);
  }
  return merged;
}

/** Whether all dims before `dim` have size 1. */
function leads(shape: Shape, dim: number): boolean {
  return product(shape.slice(0, dim)) === 1;
}

function isSame(a: Shape, b: Shape): boolean {
  return a.join() === b.join();
}
