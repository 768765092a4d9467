import { sameItems } from "#core/records";
import { numberOf, numbersOf } from "./arguments.ts";
import { kept, type LinkCall, type LinkedDim, type Links, own, sized, summed } from "./links.ts";
import type { SpecRow } from "./spec.ts";

/** The last `dims` numbers of a window argument; a single number serves all dims. */
export function each(
  call: LinkCall,
  name: string,
  dims: number,
  otherwise: number,
): readonly number[] {
  const given = numbersOf(call, name) ?? [otherwise];
  if (given.length === 1) return Array.from({ length: dims }, () => given[0] ?? otherwise);
  return given.slice(-dims);
}

/** The length of a dim after windows have slid over it. */
export function windowed(call: LinkCall, size: number, at: number, dims: number): number {
  const kernel = each(call, "kernel_size", dims, 1)[at] ?? 1;
  const stride = strideOf(call, at, dims);
  const span = (each(call, "dilation", dims, 1)[at] ?? 1) * (kernel - 1) + 1;
  const mode = modeOf(call);
  if (mode === "same") return Math.ceil(size / stride);
  const pads = mode === "pad" ? padsOf(call, at, dims) : 0;
  return Math.floor((size + pads - span) / stride) + 1;
}

/** The stride of windows along a dim. */
export function strideOf(call: LinkCall, at: number, dims: number): number {
  const name = "strides" in call.attributes ? "strides" : "stride";
  return each(call, name, dims, 1)[at] ?? 1;
}

/** The padding mode in lower case; "valid" by default. */
export function modeOf({ attributes }: LinkCall): string {
  const mode = attributes.pad_mode;
  return typeof mode === "string" ? mode.toLowerCase() : "valid";
}

/** Number of padded elements of a dim, on both sides together. */
export function padsOf(call: LinkCall, at: number, dims: number): number {
  const name = "pad_list" in call.attributes ? "pad_list" : "pad";
  const given = numbersOf(call, name) ?? [0];
  if (given.length === 2 * dims) return (given[2 * at] ?? 0) + (given[2 * at + 1] ?? 0);
  return 2 * (given[0] ?? 0);
}

/** A dim over which windows slide: linked to the input's dim, although its size may differ. */
function slid(call: LinkCall, dim: number, lead: number, dims: number): LinkedDim {
  const size = windowed(call, call.shapes[0]?.[dim] ?? 1, dim - lead, dims);
  return sized(size, [0, dim]);
}

function pooled(dims: number): (call: LinkCall) => Links {
  return (call) => {
    const spatial = Array.from({ length: dims }, (_, at) => slid(call, at + 2, 2, dims));
    return { outputs: [[kept(call, [0, 0]), kept(call, [0, 1]), ...spatial]] };
  };
}

function convolved(dims: number): (call: LinkCall) => Links | string {
  return (call) => {
    const fault = weightFault(call, dims);
    if (fault !== undefined) return fault;
    const spatial = Array.from({ length: dims }, (_, at) => slid(call, at + 2, 2, dims));
    return {
      outputs: [[kept(call, [0, 0]), kept(call, [1, 0]), ...spatial]],
      inner: [summed([0, 1], [1, 1])],
    };
  };
}

/** Why the weight of a convolution is not the one that its arguments say; `undefined` if it is. */
function weightFault(call: LinkCall, dims: number): string | undefined {
  const [x = [], weight = []] = call.shapes;
  const channels = (x[1] ?? 1) / numberOf(call, "group", 1);
  const kernel = each(call, "kernel_size", dims, 1);
  const wanted = [numberOf(call, "out_channel", weight[0] ?? 1), channels, ...kernel];
  return sameItems(weight, wanted)
    ? undefined
    : `the weight of ${call.op} must have the shape (${wanted.join(", ")}), but it has (${weight.join(", ")})`;
}

/**
 * Links of a convolution that takes its kernel size from the weight, and slides over whole images
 * only.
 */
export function convolvedWhole(call: LinkCall): Links {
  const [x = [], weight = []] = call.shapes;
  const { padding: pad = 0, ...others } = call.attributes;
  const attributes = { ...others, pad, pad_mode: "pad", kernel_size: weight.slice(2) };
  const spatial = [2, 3].map((dim) =>
    own(windowed({ ...call, attributes }, x[dim] ?? 1, dim - 2, 2)),
  );
  return {
    outputs: [[kept(call, [0, 0]), kept(call, [1, 0]), ...spatial]],
    inner: [summed([0, 1], [1, 1])],
  };
}

/** Links of a transposed convolution, whose result size is an argument. */
function transposed(call: LinkCall): Links | undefined {
  const sizes = numbersOf(call, "input_size");
  if (sizes?.length !== 4) return undefined;
  const spatial = [2, 3].map((dim): LinkedDim => ({ size: sizes[dim] ?? 1, refs: [[0, dim]] }));
  return {
    outputs: [[kept(call, [0, 0]), kept(call, [1, 1]), ...spatial]],
    inner: [summed([0, 1], [1, 0])],
  };
}

function normalised(call: LinkCall): Links {
  const [x = []] = call.shapes;
  const channel = kept(call, [0, 1], [1, 0], [2, 0], [3, 0], [4, 0]);
  const dims = x.map((_, dim) => (dim === 1 ? channel : kept(call, [0, dim])));
  return { outputs: [dims, [channel], [channel], [channel], [channel]] };
}

function resized(call: LinkCall): Links | undefined {
  const size = numbersOf(call, "size");
  if (size?.length !== 2) return undefined;
  const [high = 1, wide = 1] = size;
  return {
    outputs: [[kept(call, [0, 0]), kept(call, [0, 1]), sized(high, [0, 2]), sized(wide, [0, 3])]],
  };
}

function roiAligned(call: LinkCall): Links {
  const size = (name: string) => numbersOf(call, name)?.[0] ?? 1;
  return {
    outputs: [
      [
        kept(call, [1, 0]),
        kept(call, [0, 1]),
        own(size("pooled_height")),
        own(size("pooled_width")),
      ],
    ],
    inner: [summed([0, 0])],
  };
}

function cropped(call: LinkCall): Links | undefined {
  const size = numbersOf(call, "crop_size");
  if (size?.length !== 2) return undefined;
  const [high = 1, wide = 1] = size;
  return {
    outputs: [[kept(call, [1, 0], [2, 0]), own(high), own(wide), kept(call, [0, 3])]],
    inner: [summed([0, 0])],
  };
}

const convolution = "out_channel kernel_size mode pad_mode pad stride dilation group data_format";

/** Primitives of MindSpore that slide windows over images. */
export const windowRows: readonly SpecRow[] = [
  ["Conv2D", convolution, "x weight", convolved(2)],
  ["Conv3D", convolution, "x weight", convolved(3)],
  [
    "Convolution",
    "",
    "x weight bias [stride] [padding] [dilation] [transposed] [output_padding] [groups]",
    convolvedWhole,
  ],
  [
    "Conv2DTranspose Conv2DBackpropInput",
    "out_channel kernel_size pad_mode pad pad_list mode stride dilation group data_format",
    "dout weight [input_size]",
    transposed,
  ],
  ["MaxPool AvgPool", "kernel_size strides pad_mode data_format", "x", pooled(2)],
  ["MaxPool3D", "kernel_size strides pad_mode pad_list ceil_mode data_format", "x", pooled(3)],
  [
    "AvgPool3D",
    "kernel_size strides pad_mode pad ceil_mode count_include_pad divisor_override data_format",
    "x",
    pooled(3),
  ],
  [
    "BatchNorm",
    "is_training epsilon momentum data_format",
    "x scale bias mean variance",
    normalised,
  ],
  ["ResizeBilinear ResizeNearestNeighbor", "size align_corners half_pixel_centers", "x", resized],
  [
    "ResizeBilinearV2 ResizeNearestNeighborV2",
    "align_corners half_pixel_centers",
    "x [size]",
    resized,
  ],
  [
    "ROIAlign",
    "pooled_height pooled_width spatial_scale sample_num roi_end_mode",
    "features rois",
    roiAligned,
  ],
  ["CropAndResize", "method extrapolation_value", "x boxes box_indices [crop_size]", cropped],
];
