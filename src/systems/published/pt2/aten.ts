import type { Pt2Argument, Pt2Node } from "./schema.ts";

/** A call of an ATen operator, as its writers see it. */
export interface AtenCall {
  readonly node: Pt2Node;
  /** Program text of an argument; a list has brackets. */
  readonly text: (argument: Pt2Argument) => string;
}

/** Dtypes by torch's numbers: name in programs, and PyTorch's name. */
export const pt2Types: Readonly<Record<number, readonly [own: string, torch: string]>> = {
  ...{ 1: ["u8", "uint8"], 2: ["i8", "int8"], 3: ["i16", "int16"], 4: ["i32", "int32"] },
  ...{ 5: ["i64", "int64"], 6: ["f16", "float16"], 7: ["f32", "float32"], 8: ["f64", "float64"] },
  ...{ 12: ["bool", "bool"], 13: ["bf16", "bfloat16"], 28: ["u16", "uint16"] },
  ...{ 29: ["f8e4m3", "float8_e4m3fn"], 30: ["f8e5m2", "float8_e5m2"], 34: ["u32", "uint32"] },
};

const infix: Readonly<Record<string, string>> = {
  ...{
    add: "+",
    sub: "-",
    subtract: "-",
    mul: "*",
    multiply: "*",
    div: "/",
    divide: "/",
    true_divide: "/",
  },
  ...{ matmul: "@", mm: "@", lt: "<", le: "<=", gt: ">", ge: ">=", eq: "==", ne: "!=", pow: "**" },
  ...{
    bitwise_and: "&",
    logical_and: "&",
    bitwise_or: "|",
    logical_or: "|",
    floor_divide: "//",
    remainder: "%",
  },
  ...{ __and__: "&", __or__: "|" },
};

/** Operators that return their input unchanged. */
const same = new Set(
  "alias contiguous clone detach detach_ lift_fresh lift_fresh_copy dropout feature_dropout alpha_dropout".split(
    " ",
  ),
);

/** Operators of `torch.nn.functional` with the same argument names and order. */
const functional = new Set(
  "linear layer_norm group_norm silu gelu relu softplus pad one_hot rms_norm leaky_relu elu hardtanh mish scaled_dot_product_attention conv1d conv2d conv3d max_pool2d avg_pool2d adaptive_avg_pool2d".split(
    " ",
  ),
);

const methods = new Set(
  "transpose unsqueeze squeeze flatten masked_fill index_add index_select gather scatter scatter_add sum mean cumsum argmax argmin max min amax amin any all narrow repeat_interleave unflatten tril triu abs exp log sqrt rsqrt tanh sigmoid cos sin t prod var clamp float diff logical_not square reciprocal floor round log1p permute view reshape expand repeat neg bitwise_not softmax log_softmax type_as".split(
    " ",
  ),
);

/** Methods that take sizes or dims as separate arguments. */
const spread = new Set(["permute", "view", "reshape", "expand", "repeat"]);

const functions = new Set(
  "cat stack where arange full zeros ones zeros_like ones_like full_like bmm baddbmm addmm outer maximum minimum einsum erf roll flip eye".split(
    " ",
  ),
);

/** Operators with several results, each with a name. */
const several = new Set([
  "split",
  "split_with_sizes",
  "chunk",
  "topk",
  "sort",
  "unbind",
  "max",
  "min",
]);

/** Arguments about memory placement or speed, without effect on the result. */
const withoutMeaning = new Set(
  "device layout pin_memory memory_format non_blocking copy cudnn_enable cudnn_enabled implicit requires_grad enable_gqa_".split(
    " ",
  ),
);

/** An operator as a PyTorch expression; `undefined` when none is supported. */
export function atenText(call: AtenCall): string | undefined {
  const { node, text } = call;
  const name = atenName(node.target);
  if (name === undefined) return sizeText(call);
  const args = node.inputs.filter(
    ({ name: word, arg }) => !withoutMeaning.has(word) && arg.kind !== "none",
  );
  if (args.some(({ arg }) => arg.kind === "other")) return undefined;
  const [first, second] = args;
  if (first === undefined) return undefined;
  if (same.has(name)) return text(first.arg);
  const special = specials[name];
  if (special !== undefined) return special(call);
  const sign = infix[name];
  if (sign !== undefined && second !== undefined && args.length === 2) {
    return `${text(first.arg)} ${sign} ${text(second.arg)}`;
  }
  const parts = (skipped: number) => writtenArguments(call, skipped);
  if (functional.has(name)) return `F.${name}(${parts(0)})`;
  if (functions.has(name)) return `torch.${name}(${parts(0)})`;
  if (spread.has(name) && second?.arg.kind === "list") {
    return `${text(first.arg)}.${name}(${second.arg.items.map(text).join(", ")})`;
  }
  if (methods.has(name) || several.has(name)) return `${text(first.arg)}.${name}(${parts(1)})`;
  return undefined;
}

/** Whether an operator only checks a condition. */
export function isCheck({ target }: Pt2Node): boolean {
  return /_assert|sym_constrain|_guards/u.test(target);
}

/** `linear` of `torch.ops.aten.linear.default`. */
function atenName(target: string): string | undefined {
  return /^torch\.ops\.aten\.(\w+)/u.exec(target)?.[1]?.replace(/(?<=[a-z])_$/u, "");
}

/** Arguments by position as long as none is skipped, then by the schema's names. */
function writtenArguments({ node: { inputs }, text }: AtenCall, skipped: number): string {
  let isBroken = false;
  return inputs
    .slice(skipped)
    .flatMap(({ name, arg, isNamed }) => {
      if (withoutMeaning.has(name) || arg.kind === "none" || isUsual(name, arg)) {
        isBroken = true;
        return [];
      }
      return [isBroken || isNamed ? `${name}=${text(arg)}` : text(arg)];
    })
    .join(", ");
}

function isUsual(name: string, argument: Pt2Argument): boolean {
  return name === "dropout_p" && argument.kind === "number" && argument.value === 0;
}

type Special = (call: AtenCall) => string | undefined;

function given({ node }: AtenCall, name: string): Pt2Argument | undefined {
  const found = node.inputs.find((each) => each.name === name)?.arg;
  return found?.kind === "none" ? undefined : found;
}

function textOf(call: AtenCall, name: string): string | undefined {
  const found = given(call, name);
  return found === undefined ? undefined : call.text(found);
}

const cast: Special = (call) => {
  const dtype = given(call, "dtype");
  const own = textOf(call, "self");
  if (dtype === undefined) return own;
  return own === undefined ? undefined : `${own}.to(${call.text(dtype)})`;
};

/** A slice of one dim; the dims before it are kept whole. */
function cut(call: AtenCall, part: string): string | undefined {
  const dim = given(call, "dim") ?? { kind: "number", value: 0, isFloat: false };
  if (dim.kind !== "number" || dim.value < -1) return undefined;
  const lead = dim.value === -1 ? "..., " : ":, ".repeat(dim.value);
  return `${textOf(call, "self")}[${lead}${part}]`;
}

const specials: Readonly<Record<string, Special>> = {
  embedding: (call) => `F.embedding(${textOf(call, "indices")}, ${textOf(call, "weight")})`,
  to: cast,
  _to_copy: cast,
  slice: (call) => {
    const end = given(call, "end");
    const isOpen = end === undefined || (end.kind === "number" && end.value >= 2 ** 62);
    const start = given(call, "start");
    const from =
      start === undefined || (start.kind === "number" && start.value === 0) ? "" : call.text(start);
    const step = given(call, "step");
    const by =
      step === undefined || (step.kind === "number" && step.value === 1)
        ? ""
        : `:${call.text(step)}`;
    return cut(call, `${from}:${isOpen ? "" : call.text(end)}${by}`);
  },
  select: (call) => cut(call, textOf(call, "index") ?? ""),
  index: (call) => {
    const at = given(call, "indices");
    if (at?.kind !== "tensors") return undefined;
    const parts = at.names.map((name) =>
      name === undefined ? ":" : call.text({ kind: "tensor", name }),
    );
    return `${textOf(call, "self")}[${parts.join(", ")}]`;
  },
  rsub: (call) => {
    const factor = textOf(call, "alpha");
    const own = textOf(call, "self");
    const isOne = factor === undefined || Number(factor) === 1;
    return `${textOf(call, "other")} - ${isOne ? own : `${own} * ${factor}`}`;
  },
  clamp: clamped,
  var: (call) => spreadOf(call, "var"),
  std: (call) => spreadOf(call, "std"),
  neg: (call) => `-${textOf(call, "self")}`,
  bitwise_not: (call) => `~${textOf(call, "self")}`,
  type_as: (call) => `${textOf(call, "self")}.type_as(${textOf(call, "other")})`,
  split: (call) => splitText(call, "split_size"),
  split_with_sizes: (call) => splitText(call, "split_sizes"),
  mean: (call) => reduced(call, "mean"),
  sum: (call) => reduced(call, "sum"),
  sym_size: (call) => `${textOf(call, "self")}.shape[${textOf(call, "dim")}]`,
  scalar_tensor: (call) => `torch.tensor(${textOf(call, "s")})`,
};

/** Clamp between numbers, or between tensors that broadcast. */
function clamped(call: AtenCall): string {
  const bounds = ["min", "max"].map((name) => given(call, name));
  const [least, most] = bounds.map((each) => each && call.text(each));
  const own = textOf(call, "self") ?? "";
  if (bounds.some((each) => each?.kind === "tensor")) {
    const above = least === undefined ? own : `torch.maximum(${own}, ${least})`;
    return most === undefined ? above : `torch.minimum(${above}, ${most})`;
  }
  const words = [
    ...(least === undefined ? [] : [`min=${least}`]),
    ...(most === undefined ? [] : [`max=${most}`]),
  ];
  return `${own}.clamp(${words.join(", ")})`;
}

/** A variance or standard deviation; `unbiased` is the older form of a correction of 1. */
function spreadOf(call: AtenCall, word: string): string {
  const old = given(call, "unbiased");
  const correction =
    old?.kind === "truth" ? (old.value ? "1" : "0") : (textOf(call, "correction") ?? "1");
  const dim = textOf(call, "dim");
  const isKept = given(call, "keepdim");
  const words = [
    ...(dim === undefined ? [] : [dim]),
    ...(Number(correction) === 1 ? [] : [`correction=${correction}`]),
    ...(isKept?.kind === "truth" && isKept.value ? ["keepdim=True"] : []),
  ];
  return `${textOf(call, "self")}.${word}(${words.join(", ")})`;
}

function splitText(call: AtenCall, sizes: string): string {
  const dim = textOf(call, "dim");
  const size = textOf(call, sizes) ?? textOf(call, "split_size");
  return `${textOf(call, "self")}.split(${size}${dim === undefined ? "" : `, dim=${dim}`})`;
}

function reduced(call: AtenCall, word: string): string {
  const dtype = textOf(call, "dtype");
  const own = `${textOf(call, "self")}${dtype === undefined ? "" : `.to(${dtype})`}`;
  const dim = given(call, "dim");
  if (dim === undefined) return `${own}.${word}()`;
  const dims = dim.kind === "list" ? `(${dim.items.map(call.text).join(", ")},)` : call.text(dim);
  const isKept = given(call, "keepdim");
  const keep = isKept?.kind === "truth" && isKept.value ? ", keepdim=True" : "";
  return `${own}.${word}(dim=${dims}${keep})`;
}

/** Arithmetic of sizes: `_operator.mul`. */
function sizeText({ node: { target, inputs }, text }: AtenCall): string | undefined {
  const word = /^_operator\.(\w+)/u.exec(target)?.[1];
  const sign = word === undefined ? undefined : { ...infix, floordiv: "//", mod: "%" }[word];
  const [a, b] = inputs;
  if (sign === undefined || a === undefined || b === undefined) return undefined;
  return `${text(a.arg)} ${sign} ${text(b.arg)}`;
}
