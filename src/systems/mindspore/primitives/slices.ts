import { dimsNamed, notOfRank, numberOf, numbersOf } from "./arguments.ts";
import {
  kept,
  type LinkCall,
  type LinkedDim,
  type Links,
  likeInput,
  own,
  partOf,
} from "./links.ts";
import type { SpecRow } from "./spec.ts";

/** A dim in a StridedSlice: one of the input, or a new one. */
interface SlicedDim {
  readonly size: number;
  /** Index of the input's dim; absent for a new dim. */
  readonly dim?: number;
}

/** Links of StridedSlice: dims that are taken whole may be cut (`strided_slice_info`). */
function stridedSlice(call: LinkCall): Links | string | undefined {
  const begin = numbersOf(call, "begin");
  const end = numbersOf(call, "end");
  if (begin === undefined || end === undefined) return undefined;
  if (numberOf(call, "ellipsis_mask", 0) !== 0)
    return "StridedSlice can not support ellipsis_mask now";
  const strides = numbersOf(call, "strides") ?? begin.map(() => 1);
  const isMarked = (mask: string, at: number) => ((numberOf(call, mask, 0) >> at) & 1) === 1;
  const [x = []] = call.shapes;
  const news = begin.map((_, at) => isMarked("new_axis_mask", at));
  const dims: SlicedDim[] = [];
  let next = 0;
  for (let at = 0; at < begin.length || next < x.length; at++) {
    if (news[at] === true) dims.push({ size: 1 });
    else dims.push({ size: x[next] ?? 1, dim: next++ });
  }
  let splitsAnyway = false;
  const output = dims.flatMap(({ size, dim }, at): LinkedDim[] => {
    if (isMarked("shrink_axis_mask", at)) return [];
    if (at >= begin.length || dim === undefined) return [linked(size, dim, call)];
    const step = strides[at] ?? 1;
    const [first, behind] = step < 0 ? [size - 1, -1] : [0, size];
    const from = isMarked("begin_mask", at) ? first : bound(begin[at] ?? 0, size, step);
    const to = isMarked("end_mask", at) ? behind : bound(end[at] ?? size, size, step);
    const isWhole = from === 0 && to === size && step === 1;
    const taken = Math.max(0, Math.ceil((to - from) / step));
    if (dim === 0 && from === 0 && to === size && step !== 1) splitsAnyway = true;
    return [isWhole ? linked(size, dim, call) : partOf(call, dim, taken)];
  });
  return { outputs: [output], splitsAnyway };
}

function linked(size: number, dim: number | undefined, call: LinkCall): LinkedDim {
  return dim === undefined ? own(size) : kept(call, [0, dim]);
}

/**
 * A slice bound as an index; negative values count from the end. With a negative step, -1 is the
 * place before index 0.
 */
function bound(value: number, size: number, step = 1): number {
  const [least, most] = step < 0 ? [-1, size - 1] : [0, size];
  return Math.min(most, Math.max(least, value < 0 ? value + size : value));
}

function slice(call: LinkCall): Links | string | undefined {
  const [begin, sizes] = [numbersOf(call, "begin"), numbersOf(call, "size")];
  const [x = []] = call.shapes;
  if (begin === undefined || sizes?.length !== x.length) return undefined;
  const beyond = x.findIndex((size, dim) => (begin[dim] ?? 0) + (sizes[dim] ?? 0) > size);
  if (beyond >= 0)
    return `Slice takes ${sizes[beyond]} elements from ${begin[beyond]} on of dim ${beyond}, which has ${x[beyond]}`;
  const dims = x.map((size, dim) => {
    const taken = sizes[dim] === -1 ? size - (begin[dim] ?? 0) : (sizes[dim] ?? size);
    return taken === size ? kept(call, [0, dim]) : own(taken);
  });
  return { outputs: [dims] };
}

function sliceExt(call: LinkCall): Links | string | undefined {
  const [x = []] = call.shapes;
  const [dim] = dimsNamed(call, "dim", x.length, [0]) ?? [];
  if (dim === undefined) return notOfRank(call, "dim", x.length);
  const size = x[dim] ?? 1;
  const [from, to] = [
    bound(numberOf(call, "start", 0), size),
    bound(numberOf(call, "end", size), size),
  ];
  const taken = Math.ceil((to - from) / numberOf(call, "step", 1));
  return {
    outputs: [likeInput(call).with(dim, taken === size ? kept(call, [0, dim]) : own(taken))],
  };
}

/** Primitives of MindSpore that slice dims. */
export const sliceRows: readonly SpecRow[] = [
  [
    "StridedSlice",
    "begin_mask end_mask ellipsis_mask new_axis_mask shrink_axis_mask",
    "input_x [begin] [end] [strides]",
    stridedSlice,
  ],
  ["Slice", "", "input_x [begin] [size]", slice],
  ["SliceExt", "", "input [dim] [start] [end] [step]", sliceExt],
];
