// What PyTorch 2.13 refuses of the shapes of its operands, in its words.

import { broadcastShape } from "#core/arithmetic";
import { integerOf, itemsOf, numberOf, textOf } from "#language/document/bindings/values";
import { type Bound, type CallFault, type Check, every } from "./call-fault.ts";
import { oneOf } from "./value-faults.ts";

const listed = (shape: readonly number[]) => `[${shape.join(", ")}]`;

/** An operand must have so many dims. */
function ofRank(parameter: string, rank: number, message: string): Check {
  return (call) => {
    const shape = call.tensor(parameter)?.shape;
    return shape === undefined || shape.length === rank ? undefined : ["RuntimeError", message];
  };
}

const vectors: Check = (call) => {
  const ranks = ["input", "tensor"].map((each) => call.tensor(each)?.shape?.length);
  const [a, b] = ranks;
  if (a === undefined || b === undefined || (a === 1 && b === 1)) return undefined;
  return ["RuntimeError", `1D tensors expected, but got ${a}D and ${b}D tensors`];
};

/** Losses that compare each element with one of the target. */
function sameSize(words: (target: string, input: string) => string): Check {
  return (call) => {
    const [input, target] = [call.tensor("input")?.shape, call.tensor("target")?.shape];
    if (input === undefined || target === undefined || input.join() === target.join())
      return undefined;
    const size = (shape: readonly number[]) => `torch.Size(${listed(shape)})`;
    return ["ValueError", words(size(target), size(input))];
  };
}

/** Heads of attention, and batches, are as many of queries as of keys, or one. */
const attended: Check = (call) => {
  const mask = call.tensor("attn_mask")?.tensor;
  if (mask !== undefined && mask.isTypeAssumed !== true && /^[iu]\d/u.test(mask.dtype))
    return [
      "RuntimeError",
      "Expected attn_mask dtype to be bool or float or to match query dtype, but it is of integers",
    ];
  const query = call.tensor("query")?.shape;
  const shared = call.value("enable_gqa");
  if (query === undefined) return undefined;
  if (shared !== undefined && isTrue(shared)) return groupedFault(call, query);
  for (const other of ["key", "value"]) {
    const shape = call.tensor(other)?.shape;
    if (shape === undefined || shape.length < 3 || query.length !== shape.length) continue;
    const dim = query.findIndex((size, at) => at < query.length - 2 && isApart(size, shape[at]));
    if (dim >= 0) return ["RuntimeError", apart(query[dim], shape[dim], dim)];
  }
  return undefined;
};

/** Heads of keys and of values serve several of queries. */
function groupedFault(call: Bound, query: readonly number[]): CallFault | undefined {
  const heads = ["key", "value"].map((each) => call.tensor(each)?.shape?.at(-3));
  const own = query.at(-3);
  if (own === undefined)
    return [
      "IndexError",
      "Dimension out of range (expected to be in range of [-2, 1], but got -3)",
    ];
  if (heads.every((each) => each === undefined || own % each === 0)) return undefined;
  return [
    "RuntimeError",
    `Number of heads in key and value must divide the number of heads in query: ${heads.join(" and ")} of ${own}`,
  ];
}

const isTrue = (value: { readonly kind: string }) =>
  value.kind !== "bool" || ("value" in value && value.value === true);

const isApart = (a: number, b: number | undefined) => a !== b && a !== 1 && b !== 1;

function apart(a: number | undefined, b: number | undefined, dim: number): string {
  return `The size of tensor a (${a}) must match the size of tensor b (${b}) at non-singleton dimension ${dim}`;
}

const modes: Readonly<Record<string, number>> = {
  ...{ linear: 3, bilinear: 4, bicubic: 4, trilinear: 5 },
};

const interpolated: Check = (call) => {
  const rank = call.tensor("input")?.shape?.length;
  const mode = textOf(call.value("mode")) ?? "nearest";
  const wanted = Object.hasOwn(modes, mode) ? modes[mode] : undefined;
  if (rank === undefined || wanted === undefined || rank === wanted) return undefined;
  const message = `Got ${rank}D input, but ${mode} mode needs ${wanted}D input`;
  return ["NotImplementedError", message];
};

/** Checks a scatter: the index is no larger than the tensor, apart from `dim`, nor than the source. */
const scattered: Check = (call) => {
  const places = call.tensor("index")?.tensor;
  if (places !== undefined && places.isTypeAssumed !== true && !/^i(?:64|32)$/u.test(places.dtype))
    return ["RuntimeError", `${call.name}(): Expected dtype int32/int64 for index`];
  const [self, index] = [call.tensor("input")?.shape, call.tensor("index")?.shape];
  const source = call.tensor("src")?.shape;
  const dim = integerOf(call.value("dim"));
  if (self === undefined || index === undefined || dim === undefined) return undefined;
  if (index.includes(0)) return undefined;
  if (Math.max(1, index.length) !== Math.max(1, self.length))
    return ["RuntimeError", "Index tensor must have the same number of dimensions as self tensor"];
  if (index.length !== self.length) return undefined;
  const along = dim < 0 ? dim + self.length : dim;
  const isBeyond = index.some((size, at) => at !== along && size > (self[at] ?? 0));
  const isShort =
    source?.length === index.length && index.some((size, at) => size > at0(source, at));
  if (!isBeyond && !isShort) return undefined;
  const rest = source === undefined ? "" : ` and to be no larger size than src ${listed(source)}`;
  const message = `Expected index ${listed(index)} to be no larger than self ${listed(self)} apart from dimension ${along}${rest}`;
  return ["RuntimeError", message];
};

const at0 = (shape: readonly number[], at: number) => shape[at] ?? 0;

/** Each dim has two sides. */
const paired: Check = (call) => {
  const sides = itemsOf(call.value("pad"))?.length ?? 0;
  if (sides % 2 === 0) return undefined;
  return ["RuntimeError", `pad(): the padding has ${sides} numbers, not two for each dim`];
};

/** A mirror shows less than there is. */
const mirrored: Check = (call) => {
  if (textOf(call.value("mode")) !== "reflect") return undefined;
  const shape = call.tensor("input")?.shape;
  const items = sides(call);
  if (shape === undefined || items.length % 2 === 1) return undefined;
  for (let at = 0; at < items.length; at += 2) {
    const dim = shape.length - 1 - at / 2;
    const [before = 0, behind = 0] = items.slice(at, at + 2);
    if (Math.max(before, behind) < (shape[dim] ?? Number.POSITIVE_INFINITY)) continue;
    const message = `Argument #${4 + at}: Padding size should be less than the corresponding input dimension, but got: padding (${before}, ${behind}) at dimension ${dim} of input ${listed(shape)}`;
    return ["RuntimeError", message];
  }
  return undefined;
};

function sides(call: Bound): readonly number[] {
  const value = call.value("pad");
  const items = value?.kind === "list" || value?.kind === "tuple" ? value.items : [];
  return items.flatMap((each) => integerOf(each) ?? []);
}

/** The k-th of so many elements. */
const ranked: Check = (call) => {
  const shape = call.tensor("input")?.shape;
  const k = integerOf(call.value("k"));
  const dim = integerOf(call.value("dim")) ?? -1;
  const size = shape?.at(dim);
  if (shape === undefined || size === undefined || k === undefined) return undefined;
  if (k >= 1 && k <= size) return undefined;
  const at = dim < 0 ? dim + shape.length : dim;
  return ["RuntimeError", `kthvalue(): selected number k out of range for dimension ${at}`];
};

/** A product of vectors in space. */
const crossed: Check = (call) => {
  const dim = integerOf(call.value("dim"));
  if (!call.has("dim") && call.tensor("input")?.shape?.includes(3) === false)
    return ["RuntimeError", "no dimension of size 3 in input"];
  const sizes = ["input", "other"].map((each) => call.tensor(each)?.shape?.at(dim ?? 0));
  const [a, b] = sizes;
  if (dim === undefined || a === undefined || b === undefined || (a === 3 && b === 3))
    return undefined;
  const message = `linalg.cross: inputs dimension ${dim} must have length 3. Got ${a} and ${b}`;
  return ["RuntimeError", message];
};

/** Rows of a table that are asked for by numbers of the text, which it has not. */
function rowsFault(
  places: readonly number[] | undefined,
  rows: number | undefined,
): CallFault | undefined {
  const outside = places?.find((each) => rows !== undefined && (each < 0 || each >= rows));
  if (outside === undefined) return undefined;
  return ["IndexError", `index out of range in self: row ${outside} of ${rows}`];
}

/** What has no dim cannot be joined along one. */
const dimmed: Check = (call) => {
  const at = itemsOf(call.value("tensors"))?.findIndex(
    (each) => call.of(each)?.shape?.length === 0,
  );
  if (at === undefined || at < 0) return undefined;
  return ["RuntimeError", `zero-dimensional tensor (at position ${at}) cannot be concatenated`];
};

const looked: Check = (call) =>
  rowsFault(call.tensor("input")?.elements(), call.tensor("weight")?.shape?.[0]);

const smoothed: Check = (call) => {
  const share = numberOf(call.value("label_smoothing")) ?? 0;
  if (share <= 1) return undefined;
  return ["RuntimeError", `label_smoothing must be between 0.0 and 1.0. Got: ${share}`];
};

/** Classes that are numbers of the text, and more than there are. */
const classified: Check = (call) => {
  const [input, target] = [call.tensor("input")?.shape, call.tensor("target")];
  const classes = input?.length === 1 ? input[0] : input?.[1];
  if (classes === undefined || target?.shape?.length === input?.length) return undefined;
  const ignored = integerOf(call.value("ignore_index")) ?? -100;
  const outside = target
    ?.elements()
    ?.find((each) => each !== ignored && (each < 0 || each >= classes));
  return outside === undefined ? undefined : ["IndexError", `Target ${outside} is out of bounds.`];
};

/** Weights of positive answers spread over what there is. */
const weighted: Check = (call) => {
  const [input, weight] = [call.tensor("input")?.shape, call.tensor("pos_weight")?.shape];
  if (input === undefined || weight === undefined) return undefined;
  const wide = broadcastShape([input, weight]);
  if (wide?.join() === input.join()) return undefined;
  const message = `output with shape [${input.join(", ")}] doesn't match the broadcast shape of pos_weight [${weight.join(", ")}]`;
  return ["RuntimeError", message];
};

/** Checks of functions by their names, behind those of their values. */
export const shapeChecks: Readonly<Record<string, Check>> = {
  t: (call) => {
    const rank = call.tensor("input")?.shape?.length ?? 0;
    if (rank <= 2) return undefined;
    return ["RuntimeError", `t() expects a tensor with <= 2 dimensions, but self is ${rank}D`];
  },
  mm: every(
    ofRank("input", 2, "self must be a matrix"),
    ofRank("mat2", 2, "mat2 must be a matrix"),
  ),
  bmm: every(
    ofRank("input", 3, "batch1 must be a 3D tensor"),
    ofRank("mat2", 3, "batch2 must be a 3D tensor"),
  ),
  baddbmm: every(
    ofRank("batch1", 3, "batch1 must be a 3D tensor"),
    ofRank("batch2", 3, "batch2 must be a 3D tensor"),
  ),
  dot: vectors,
  binary_cross_entropy_with_logits: every(
    sameSize(
      (target, input) => `Target size (${target}) must be the same as input size (${input})`,
    ),
    weighted,
  ),
  binary_cross_entropy: sameSize(
    (target, input) =>
      `Using a target size (${target}) that is different to the input size (${input}) is deprecated. Please ensure they have the same size.`,
  ),
  scaled_dot_product_attention: attended,
  interpolate: interpolated,
  upsample: interpolated,
  scatter: scattered,
  scatter_: scattered,
  scatter_add: scattered,
  scatter_add_: scattered,
  scatter_reduce: scattered,
  scatter_reduce_: scattered,
  cat: dimmed,
  concat: dimmed,
  embedding: looked,
  cross_entropy: every(smoothed, classified),
  gelu: oneOf("approximate", "none tanh", "RuntimeError"),
  nll_loss: classified,
  pad: every(paired, mirrored),
  kthvalue: ranked,
  cross: crossed,
};
