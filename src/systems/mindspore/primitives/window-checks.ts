import { numberOf, numbersOf } from "./arguments.ts";
import type { LinkCall } from "./links.ts";
import { each, modeOf, padsOf, strideOf, windowed } from "./windows.ts";

const windowOperators = /^(Conv[23]D|MaxPool|AvgPool|MaxPool3D|AvgPool3D)$/u;

/** Why a dim over which windows slide cannot be cut as the strategy says; `undefined` if it can. */
export function windowFault(call: LinkCall, cut: readonly number[]): string | undefined {
  if (!windowOperators.test(call.op)) return undefined;
  const [x = []] = call.shapes;
  const dims = x.length - 2;
  if (/3D$/u.test(call.op) && (cut.at(-1) ?? 1) > 1) {
    return `${call.op} does not support to split the last dim of its input`;
  }
  for (let at = 0; at < dims; at++) {
    const pieces = cut[at + 2] ?? 1;
    const fault = pieces === 1 ? undefined : cutFault(call, at, dims, pieces);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function cutFault(call: LinkCall, at: number, dims: number, pieces: number): string | undefined {
  const size = call.shapes[0]?.[at + 2] ?? 1;
  const [kernel, stride] = [each(call, "kernel_size", dims, 1)[at] ?? 1, strideOf(call, at, dims)];
  const mode = modeOf(call);
  const name = `dim ${at + 2} of ${call.op}`;
  if (windowed(call, size, at, dims) % pieces !== 0) {
    return `${name} cannot be split: the result's is not divisible by ${pieces}`;
  }
  if (kernel <= stride && (size / pieces) % stride !== 0) {
    return `${name} cannot be split: its slice is not divisible by the stride`;
  }
  const isPadded = mode !== "valid" && paddedBy(call, size, at, dims) !== 0;
  if (kernel <= stride && isPadded) {
    return `${name} cannot be split: it is padded, and the kernel is no larger than the stride`;
  }
  const isPool = /Pool$/u.test(call.op);
  return isPool && kernel > stride
    ? `${name} cannot be split: the kernel is larger than the stride`
    : undefined;
}

function paddedBy(call: LinkCall, size: number, at: number, dims: number): number {
  if (modeOf(call) === "pad") return padsOf(call, at, dims);
  const kernel = each(call, "kernel_size", dims, 1)[at] ?? 1;
  const stride = strideOf(call, at, dims);
  return Math.max(0, (Math.ceil(size / stride) - 1) * stride + kernel - size);
}

/**
 * Whether neighbouring blocks need each other's elements, since windows of one reach into the
 * other.
 */
export function sendsToNeighbours(call: LinkCall, cut: readonly number[]): boolean {
  if (call.op.startsWith("ResizeBilinear")) return (cut[3] ?? 1) > 1;
  if (!windowOperators.test(call.op) && call.op !== "Conv2DTranspose") return false;
  const dims = (call.shapes[0]?.length ?? 2) - 2;
  return Array.from({ length: dims }).some((_, at) => {
    const span =
      (each(call, "dilation", dims, 1)[at] ?? 1) *
        ((each(call, "kernel_size", dims, 1)[at] ?? 1) - 1) +
      1;
    return (cut[at + 2] ?? 1) > 1 && span > strideOf(call, at, dims);
  });
}

/**
 * Rows or columns by which a window reaches beyond its block, on the side where it reaches further.
 */
function borderOf(call: LinkCall, at: number): number {
  const kernel = each(call, "kernel_size", 2, 1)[at] ?? 1;
  const beside = (each(call, "dilation", 2, 1)[at] ?? 1) * (kernel - 1) + 1 - strideOf(call, at, 2);
  return Math.ceil(Math.max(0, beside) / 2);
}

/** Why a convolution cannot be cut: a device would need more elements than its neighbour has. */
export function overlapFault(call: LinkCall, cut: readonly number[]): string | undefined {
  const [x = []] = call.shapes;
  if (call.op === "Conv2D" && modeOf(call) === "same") {
    const far = [2, 3].find(
      (at) => (cut[at] ?? 1) > 1 && borderOf(call, at - 2) > (x[at] ?? 1) / (cut[at] ?? 1),
    );
    if (far !== undefined)
      return `dim ${far} of Conv2D cannot be split: its slice is smaller than what its neighbours need of it`;
  }
  if (call.op !== "Conv2DTranspose") return undefined;
  const dim = [2, 3].find((at) => {
    const pieces = cut[at] ?? 1;
    const stride = strideOf(call, at - 2, 2);
    const beside = ((each(call, "kernel_size", 2, 1)[at - 2] ?? 1) - stride) / 2;
    return pieces > 1 && Math.ceil(beside / stride) > (x[at] ?? 1) / pieces;
  });
  return dim === undefined
    ? undefined
    : `dim ${dim} of ${call.op} cannot be split: its slice is smaller than what its neighbours need of it`;
}

/** Why channels of a grouped convolution cannot be cut: each group has its own. */
export function groupFault(
  call: LinkCall,
  [cut = [], weight = []]: readonly (readonly number[])[],
): string | undefined {
  const group = numberOf(call, "group", 1);
  const isCut = [cut[1], weight[0], weight[1]].some((pieces = 1) => pieces > 1);
  return call.op === "Conv2D" && group > 1 && isCut
    ? `the channels of Conv2D cannot be split with a group of ${group}`
    : undefined;
}

/** Why a resized image cannot be cut (MindSpore's `resizebilinear_info`); `undefined` if it can. */
export function resizeFault(call: LinkCall, cut: readonly number[]): string | undefined {
  const { op, attributes } = call;
  const [high = 1, wide = 1] = cut.slice(2);
  if (!op.startsWith("Resize")) return undefined;
  const size = numbersOf(call, "size") ?? [];
  if ([high, wide].some((pieces, dim) => (size[dim] ?? pieces) % pieces !== 0)) {
    return `${op} cannot be split so: the size (${size.join(", ")}) of its result is not divisible`;
  }
  if (op.startsWith("ResizeNearestNeighbor")) {
    return attributes.align_corners === true && (high > 1 || wide > 1)
      ? `${op} with align_corners cannot be split along height or width`
      : undefined;
  }
  if (!op.startsWith("ResizeBilinear")) return undefined;
  if (high > 1) return `${op} cannot be split along its height`;
  return wide > 1 && lacksBorder(call, wide)
    ? `${op} cannot be split along its width: a slice of the result needs less than the slice beside it`
    : undefined;
}

/**
 * Whether the last input column that a slice of the result needs lies before the end of its own
 * input slice.
 */
function lacksBorder(call: LinkCall, pieces: number): boolean {
  const from = call.shapes[0]?.[3] ?? 1;
  const to = numbersOf(call, "size")?.[1] ?? from;
  const isAligned = call.attributes.align_corners === true && to > 1;
  const scale = isAligned ? (from - 1) / (to - 1) : from / to;
  return Array.from({ length: pieces - 1 }, (_, at) => at + 1).some(
    (rank) => Math.ceil(((rank * to) / pieces - 1) * scale) < (rank * from) / pieces - 1,
  );
}
