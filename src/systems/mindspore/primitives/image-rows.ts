import { product } from "#core/arithmetic";
import { numberOf, numbersOf } from "./arguments.ts";
import { like, padded } from "./function-rows.ts";
import {
  broadcast,
  kept,
  type LinkCall,
  type Links,
  type LinksOf,
  likeInput,
  own,
  sized,
} from "./links.ts";
import type { SpecRow } from "./spec.ts";
import { each } from "./windows.ts";

/** Links of images with other spatial lengths; batch and channels are kept. */
function withLengths(call: LinkCall, lengths: readonly number[], results = 1): Links {
  const dims = [...likeInput(call).slice(0, 2), ...lengths.map((size) => own(size))];
  return { outputs: Array.from({ length: results }, () => dims) };
}

/** Links of images resized to given lengths. */
const resized: LinksOf = (call) => {
  const lengths = numbersOf(call, "size");
  const dims = (call.shapes[0]?.length ?? 0) - 2;
  return lengths?.length === dims ? withLengths(call, lengths) : undefined;
};

/** Number of windows along a dim; with `ceil_mode` a last window that begins inside counts too. */
function windowsIn(call: LinkCall, size: number, at: number, dims: number): number {
  const of = (name: string, otherwise: number) =>
    each(call, name, dims, otherwise)[at] ?? otherwise;
  const kernel = of("kernel", 1);
  const stride = of(call.attributes.stride == null ? "kernel" : "stride", 1);
  const pad = of("padding", 0);
  const room = size + 2 * pad - of("dilation", 1) * (kernel - 1) - 1;
  if (call.attributes.ceil !== true) return Math.floor(room / stride) + 1;
  const count = Math.ceil(room / stride) + 1;
  return (count - 1) * stride >= size + pad ? count - 1 : count;
}

/** Links of pooling windows over the spatial dims. */
const pooled =
  (results: number): LinksOf =>
  (call) => {
    const lengths = (call.shapes[0] ?? []).slice(2);
    return withLengths(
      call,
      lengths.map((size, at) => windowsIn(call, size, at, lengths.length)),
      results,
    );
  };

/**
 * Links of windows as columns: their elements have a dim of their own, or are merged with the
 * channels.
 */
const columns =
  (isMerged: boolean): LinksOf =>
  (call) => {
    const [x = []] = call.shapes;
    const lengths = x.slice(2);
    const count = product(lengths.map((size, at) => windowsIn(call, size, at, lengths.length)));
    const kernel = product(each(call, "kernel", 2, 1));
    const [rows, channels] = likeInput(call);
    if (rows === undefined || channels === undefined) return undefined;
    const inside = isMerged ? [own(channels.size * kernel)] : [channels, own(kernel)];
    return { outputs: [[rows, ...inside, own(count)]] };
  };

/** Links of a convolution with `mint`'s argument names. */
const convolved: LinksOf = (call) => {
  const [x = [], weight = []] = call.shapes;
  const kernel = weight.slice(2);
  const attributes = { stride: 1, ...call.attributes, kernel };
  const lengths = x
    .slice(2)
    .map((size, at) => windowsIn({ ...call, attributes }, size, at, kernel.length));
  const [rows] = likeInput(call);
  if (rows === undefined) return undefined;
  return { outputs: [[rows, ...[weight[0] ?? 1, ...lengths].map((size) => own(size))]] };
};

/** Links of padding by the numbers of a tensor; the argument `sizes` has the result's lengths. */
const mirrored: LinksOf = (call) => {
  const sizes = numbersOf(call, "sizes");
  const dims = likeInput(call);
  if (sizes?.length !== dims.length) return undefined;
  return { outputs: [dims.map((dim, at) => (sizes[at] === dim.size ? dim : own(sizes[at] ?? 1)))] };
};

/** Links of InstanceNorm: images, and mean and variance per image and channel. */
const instances: LinksOf = (call) => {
  const [x = []] = call.shapes;
  const ofEach = sized((x[0] ?? 1) * (x[1] ?? 1), [0, 0]);
  return { outputs: [likeInput(call), [ofEach], [ofEach]] };
};

/** Links of images sampled at a grid's positions; batch dims are cut alike. */
const sampled: LinksOf = (call) => ({
  outputs: [
    [kept(call, [0, 0], [1, 0]), kept(call, [0, 1]), kept(call, [1, 1]), kept(call, [1, 2])],
  ],
});

const same: LinksOf = (call) => ({ outputs: [likeInput(call)] });
const twice: LinksOf = (call) => ({ outputs: [likeInput(call), likeInput(call)] });

const adaptive: LinksOf = (call) => {
  const [x = []] = call.shapes;
  const lengths = each(call, "output_size", x.length - 2, 1);
  return lengths.length === x.length - 2 ? withLengths(call, lengths) : undefined;
};

/** Links of a diagonal over two dims, which becomes the last dim. */
const diagonal: LinksOf = (call) => {
  const [x = []] = call.shapes;
  const dimOf = (name: string, otherwise: number) => {
    const dim = numberOf(call, name, otherwise);
    return dim < 0 ? dim + x.length : dim;
  };
  const [rows, columnsAt, offset] = [
    dimOf("dim1", 0),
    dimOf("dim2", 1),
    numberOf(call, "offset", 0),
  ];
  const length = Math.min(
    (x[rows] ?? 1) + Math.min(0, offset),
    (x[columnsAt] ?? 1) - Math.max(0, offset),
  );
  const others = likeInput(call).filter((_, dim) => dim !== rows && dim !== columnsAt);
  return { outputs: [[...others, own(Math.max(0, length))]] };
};

const stretched: LinksOf = (call) => ({ outputs: [broadcast(call)], isInResultOrder: true });

const counted: LinksOf = (call) => ({ outputs: [[own(numberOf(call, "bins", 100))]] });

/**
 * Primitives of images, and of scattered elements, for which MindSpore 2.10 has no rule of its own.
 */
export const imageRows: readonly SpecRow[] = [
  ["UpsampleNearest1D UpsampleNearest2D", "", "x [size] [scales]", resized],
  [
    "UpsampleLinear1D UpsampleBilinear2D UpsampleBicubic2D",
    "",
    "x [size] [scales] [corners]",
    resized,
  ],
  ["ResizeLinear1D", "mode", "x [size]", resized],
  ["ResizeBicubic", "corners half", "x [size]", resized],
  ["MaxPoolWithMask", "", "x [kernel] [stride] [padding] [dilation] [ceil]", pooled(2)],
  ["MaxPoolWithArgmaxV2", "kernel stride padding dilation ceil", "x", pooled(2)],
  ["AvgPool2D", "", "x [kernel] [stride] [padding] [ceil] [counts] [divisor]", pooled(1)],
  ["AvgPool1D", "", "x [kernel] [stride] [padding] [ceil] [counts]", pooled(1)],
  ["AdaptiveAvgPool1D", "", "x [output_size]", adaptive],
  ["AdaptiveAvgPool3D", "output_size", "x", adaptive],
  ["Im2Col", "kernel stride dilation padding", "x", columns(false)],
  ["Im2ColExt", "", "x [kernel] [dilation] [padding] [stride]", columns(true)],
  ["Conv1DExt Conv2DExt", "", "x weight bias [stride] [padding] [dilation] [groups]", convolved],
  ["ReflectionPad1D ReflectionPad2D ReplicationPad1D ReplicationPad2D", "", "x [padding]", padded],
  ["MirrorPad", "mode", "x paddings [sizes]", mirrored],
  ["InstanceNorm", "epsilon momentum", "x gamma beta mean variance", instances],
  ["GridSampler2D", "", "x grid [mode] [padding_mode] [corners]", sampled],
  ["ChannelShuffle", "group", "x", same],
  ["Dropout2D Dropout3D", "keep_prob", "x", twice],
  ["Renorm", "p dim maxnorm", "x", same],
  ["CumulativeLogsumexp", "exclusive reverse", "x axis", same],
  ["Diagonal", "offset dim1 dim2", "x", diagonal],
  ["AddcdivExt", "", "x a b [value]", stretched],
  ["Cross", "", "x y [dim]", stretched],
  ["Histogram", "bins min max", "x", counted, { dtype: "i32" }],
  ["HistcExt", "", "x [bins] [min] [max]", counted],
  ["IndexAdd", "axis", "x indices y", like(0)],
  ["Scatter ScatterAddExt", "", "x [dim] index src", like(0)],
  ["SearchSorted", "dtype right", "x values", like(1), { dtype: "i64" }],
];
