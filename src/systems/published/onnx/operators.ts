import { floatOf, intOf, type OnnxCall, type OnnxMade, type WriteOnnx } from "./call.ts";
import { batchNormalized, gemm, normalized, softmaxed } from "./products.ts";
import { axesOf, shapes } from "./shapes.ts";
import { filled, signed, workedOut } from "./sizes.ts";
import {
  dimsIn,
  integersOf,
  isWholeType,
  type OnnxTerm,
  onnxTypes,
  tensorText,
  termText,
} from "./values.ts";
import { convolved, padded, pooled } from "./windows.ts";

const unary: Readonly<Record<string, string>> = {
  ...{ Sqrt: "torch.sqrt(x)", Exp: "torch.exp(x)", Log: "torch.log(x)", Tanh: "torch.tanh(x)" },
  ...{ Sigmoid: "torch.sigmoid(x)", Relu: "F.relu(x)", Neg: "-x", Abs: "torch.abs(x)" },
  ...{ Erf: "torch.erf(x)", Floor: "torch.floor(x)", Ceil: "torch.ceil(x)", Sin: "torch.sin(x)" },
  ...{ Cos: "torch.cos(x)", Tan: "torch.tan(x)", Sinh: "torch.sinh(x)", Cosh: "torch.cosh(x)" },
  ...{ Asinh: "torch.asinh(x)", Sign: "torch.sign(x)", Reciprocal: "1.0 / x", Mish: "F.mish(x)" },
  ...{ Softplus: "F.softplus(x)", Softsign: "F.softsign(x)", HardSwish: "F.hardswish(x)" },
  ...{ Not: "torch.where(x, False, True)" },
};

const binary: Readonly<Record<string, string>> = {
  ...{ Add: "x + y", Sub: "x - y", Mul: "x * y", Pow: "x ** y", Div: "x / y" },
  ...{ Equal: "x == y", Less: "x < y", LessOrEqual: "x <= y", Greater: "x > y" },
  ...{ GreaterOrEqual: "x >= y", And: "torch.where(x, y, False)", Or: "torch.where(x, True, y)" },
};

/** The result of an operator of ONNX's own domain; `undefined` when no form here is equivalent. */
export function operatorText(call: OnnxCall): OnnxMade {
  const { node, inputs } = call;
  const [x, y] = inputs;
  const worked = workedOut(call);
  if (worked !== undefined) return worked;
  if (x === undefined) return undefined;
  const one = Object.hasOwn(unary, node.op) ? unary[node.op] : undefined;
  if (one !== undefined) return filled(one, tensorText(x));
  const two = Object.hasOwn(binary, node.op) ? binary[node.op] : undefined;
  if (two !== undefined) return y && pair(call, two, x, y);
  const write = Object.hasOwn(operators, node.op) ? operators[node.op] : undefined;
  return write?.(call, tensorText(x));
}

function pair({ node, opset }: OnnxCall, form: string, x: OnnxTerm, y: OnnxTerm): OnnxMade {
  // Before opset 7, `axis` tells which dim the second operand aligns with.
  if (opset < 7 && node.attributes.has("axis")) return undefined;
  const isWhole = isWholeType(x.type);
  // ONNX's Pow has the dtype of its base; PyTorch's has the promoted one.
  if (node.op === "Pow" && x.type !== y.type && (isWhole || y.kind === "tensor")) return undefined;
  const [a, b] = [operand(x, y), operand(y, x)];
  if (node.op === "Div" && isWhole) return `torch.div(${a}, ${b}, rounding_mode="trunc")`;
  return filled(form, a, b);
}

/**
 * An operand next to another: a number is inlined when the other is a tensor of at least its rank.
 */
function operand(term: OnnxTerm, beside: OnnxTerm): string {
  const isSpread = beside.kind === "tensor" && (dimsIn(term) ?? 0) <= (beside.rank ?? 1);
  return term.kind !== "tensor" && isSpread ? signed(termText(term)) : tensorText(term);
}

const operators: Readonly<Record<string, WriteOnnx>> = {
  ...shapes,
  Identity: ({ inputs: [x] }) => x,
  Dropout: ({ inputs: [x, , isTraining] }) =>
    isTraining === undefined || (isTraining.kind === "number" && isTraining.text === "False")
      ? x
      : undefined,
  Cast: ({ node }, x) => {
    const to = onnxTypes[node.attributes.get("to")?.int ?? 0];
    return to && `${x}.to(${to[1]})`;
  },
  MatMul: ({ inputs: [, y] }, x) => y && `${x} @ ${tensorText(y)}`,
  Gemm: gemm,
  Softmax: softmaxed,
  LogSoftmax: softmaxed,
  LayerNormalization: normalized,
  RMSNormalization: normalized,
  BatchNormalization: batchNormalized,
  Gelu: ({ node }, x) => {
    const isTanh = node.attributes.get("approximate")?.text === "tanh";
    return `F.gelu(${x}${isTanh ? ', approximate="tanh"' : ""})`;
  },
  LeakyRelu: ({ node }, x) => `F.leaky_relu(${x}, ${floatOf(node, "alpha", 0.01)})`,
  Elu: ({ node }, x) => `F.elu(${x}, ${floatOf(node, "alpha", 1)})`,
  Clip: clipped,
  Where: ({ inputs: [, a, b] }, x) =>
    a && b && `torch.where(${x}, ${operand(a, b)}, ${operand(b, a)})`,
  Max: (call) => chained(call, "torch.maximum"),
  Min: (call) => chained(call, "torch.minimum"),
  Sum: ({ inputs }) => inputs.map((each) => each && tensorText(each)).join(" + "),
  ReduceMean: (call, x) =>
    isWholeType(call.inputs[0]?.type) ? undefined : reduced(call, x, "mean"),
  ReduceSum: (call, x) => reduced(call, x, "sum", ownType(call)),
  ReduceMax: (call, x) => reduced(call, x, "amax"),
  ReduceMin: (call, x) => reduced(call, x, "amin"),
  GlobalAveragePool: (call, x) => pooledWhole(call, x, "mean"),
  GlobalMaxPool: (call, x) => pooledWhole(call, x, "amax"),
  ArgMax: ({ node }, x) => {
    if (intOf(node, "select_last_index", 0) === 1) return undefined;
    const isKept = intOf(node, "keepdims", 1) === 1;
    return `torch.argmax(${x}, ${intOf(node, "axis", 0)}, keepdim=${isKept ? "True" : "False"})`;
  },
  CumSum: (call, x) => {
    const { node, inputs } = call;
    const isPlain = intOf(node, "exclusive", 0) === 0 && intOf(node, "reverse", 0) === 0;
    const dim = integersOf(inputs[1])?.[0];
    if (!isPlain || dim === undefined) return undefined;
    return `torch.cumsum(${x}, ${dim}${ownType(call)})`;
  },
  Einsum: ({ node, inputs }) => {
    const formula = node.attributes.get("equation")?.text;
    if (formula === undefined || !/^[a-zA-Z, .>-]+$/u.test(formula)) return undefined;
    return `torch.einsum("${formula.replaceAll(" ", "")}", ${inputs.map((each) => each && tensorText(each)).join(", ")})`;
  },
  Trilu: ({ node, inputs: [, k] }, x) => {
    const diagonal = k === undefined ? 0 : integersOf(k)?.[0];
    const name = intOf(node, "upper", 1) === 1 ? "triu" : "tril";
    return diagonal === undefined ? undefined : `torch.${name}(${x}, ${diagonal})`;
  },
  Pad: padded,
  Conv: convolved,
  MaxPool: (call, x) => pooled(call, x, "max"),
  AveragePool: (call, x) => pooled(call, x, "avg"),
};

/** ONNX sums integers in their own dtype, PyTorch in int64. */
function ownType({ inputs: [x] }: OnnxCall): string {
  const word = onnxTypes[x?.type ?? 0]?.[1];
  return isWholeType(x?.type) && x?.type !== 7 ? `, dtype=${word}` : "";
}

/** Clip: its bounds are operands or, before opset 11, attributes. */
function clipped({ node, inputs: [, ...given] }: OnnxCall, x: string): OnnxMade {
  const bounds = ["min", "max"].map((name, at): OnnxTerm | undefined => {
    if (!node.attributes.has(name)) return given[at];
    return { kind: "number", text: String(floatOf(node, name, 0)) };
  });
  if (bounds.some((each) => each?.kind === "tensor")) {
    const [least, most] = bounds.map((each) => each && tensorText(each));
    const above = least === undefined ? x : `torch.maximum(${x}, ${least})`;
    return most === undefined ? above : `torch.minimum(${above}, ${most})`;
  }
  const words = bounds.flatMap((each, at) =>
    each === undefined ? [] : [`${at === 0 ? "min" : "max"}=${termText(each)}`],
  );
  return words.length === 0 ? x : `torch.clamp(${x}, ${words.join(", ")})`;
}

function chained({ inputs }: OnnxCall, name: string): OnnxMade {
  const texts = inputs.map((each) => (each === undefined ? "" : tensorText(each)));
  return texts.reduce((joined, each) => `${name}(${joined}, ${each})`);
}

/** A reduction over axes; without axes over all dims, unless `noop_with_empty_axes` is set. */
function reduced(call: OnnxCall, x: string, word: string, more = ""): OnnxMade {
  const { node, inputs } = call;
  const isSaid = node.attributes.has("axes") || inputs[1] !== undefined;
  const said = isSaid ? axesOf(call) : [];
  if (said === undefined) return undefined;
  const rank = dimsIn(inputs[0]);
  if (said.length === 0 && intOf(node, "noop_with_empty_axes", 0) === 1) return inputs[0];
  if (said.length === 0 && rank === undefined) return undefined;
  const axes = said.length > 0 ? said : Array.from({ length: rank ?? 0 }, (_, dim) => dim);
  const isKept = intOf(node, "keepdims", 1) === 1;
  const dims = axes.length === 1 ? String(axes[0]) : `(${axes.join(", ")})`;
  return `${x}.${word}(${dims}${isKept ? ", keepdim=True" : ""}${more})`;
}

function pooledWhole({ inputs: [term] }: OnnxCall, x: string, word: string): OnnxMade {
  const rank = dimsIn(term);
  if (rank === undefined || rank < 3) return undefined;
  const dims = Array.from({ length: rank - 2 }, (_, at) => at + 2);
  return `${x}.${word}(${dims.length === 1 ? dims[0] : `(${dims.join(", ")})`}, keepdim=True)`;
}
