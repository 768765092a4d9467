import { floatOf, intOf, type OnnxCall, type OnnxMade } from "./call.ts";
import { integersOf, isFloatType, itemsOf, type OnnxTerm, onnxTypes, termText } from "./values.ts";
import { convolved, padded, pooled } from "./windows.ts";

const unary: Readonly<Record<string, string>> = {
  ...{ Sqrt: "torch.sqrt(x)", Exp: "torch.exp(x)", Log: "torch.log(x)", Tanh: "torch.tanh(x)" },
  ...{ Sigmoid: "torch.sigmoid(x)", Relu: "F.relu(x)", Neg: "-x", Abs: "torch.abs(x)" },
  ...{ Erf: "torch.erf(x)", Floor: "torch.floor(x)", Ceil: "torch.ceil(x)", Sin: "torch.sin(x)" },
  ...{ Cos: "torch.cos(x)", Tan: "torch.tan(x)", Sinh: "torch.sinh(x)", Cosh: "torch.cosh(x)" },
  ...{ Asinh: "torch.asinh(x)", Sign: "torch.sign(x)", Reciprocal: "1.0 / x", Mish: "F.mish(x)" },
  ...{ Softplus: "F.softplus(x)", Softsign: "F.softsign(x)", HardSwish: "F.hardswish(x)" },
  ...{ Not: "torch.where(x, False, True)", GlobalAveragePool: "x.mean((2, 3), keepdim=True)" },
};

const binary: Readonly<Record<string, string>> = {
  ...{ Add: "x + y", Sub: "x - y", Mul: "x * y", Pow: "x ** y", MatMul: "x @ y" },
  ...{ Equal: "x == y", Less: "x < y", LessOrEqual: "x <= y", Greater: "x > y" },
  ...{ GreaterOrEqual: "x >= y", And: "torch.where(x, y, False)", Or: "torch.where(x, True, y)" },
};

const arithmetic: Readonly<Record<string, string>> = {
  ...{ Add: "+", Sub: "-", Mul: "*", Div: "//", Mod: "%" },
};

/** Whole numbers in one list, and characters of what one follows from: more are no shape. */
const mostItems = 256;
const longestItem = 400;

function isShort(term: OnnxTerm): boolean {
  if (term.kind !== "ints") return term.text.length <= longestItem;
  return term.items.length <= mostItems && term.items.every((each) => each.length <= longestItem);
}

/** The result of an operator of ONNX's own domain, or nothing where no form here is the same. */
export function operatorText(call: OnnxCall): OnnxMade {
  const { node, inputs } = call;
  const [x, y] = inputs;
  const counted = countedTerm(call) ?? scalarTerm(call);
  if (counted !== undefined) return isShort(counted) ? counted : undefined;
  if (x === undefined) return undefined;
  const one = Object.hasOwn(unary, node.op) ? unary[node.op] : undefined;
  if (one !== undefined) return filled(one, termText(x));
  if (node.op === "Div")
    return y && x.kind !== "ints" ? filled("x / y", termText(x), termText(y)) : undefined;
  const two = Object.hasOwn(binary, node.op) ? binary[node.op] : undefined;
  if (two !== undefined) return y && filled(two, termText(x), termText(y));
  const write = Object.hasOwn(operators, node.op) ? operators[node.op] : undefined;
  return write?.(call, termText(x));
}

function filled(form: string, x: string, y = ""): string {
  return form.replaceAll(/\b[xy]\b/gu, (each) => (each === "x" ? x : y));
}

/** Whole numbers that follow from shapes: what a graph works out to reshape by. */
function countedTerm({ node, inputs }: OnnxCall): OnnxTerm | undefined {
  const [x, y] = inputs;
  const { op } = node;
  if (op === "Shape" && x?.kind === "tensor") {
    if (x.rank === undefined) return undefined;
    const items = Array.from({ length: x.rank }, (_, at) => `${x.text}.shape[${at}]`);
    return { kind: "ints", items, isScalar: false };
  }
  if (x?.kind !== "ints") return undefined;
  if (op === "Gather") {
    const at = integersOf(y);
    const picked = at?.map((each) => x.items[each < 0 ? each + x.items.length : each]);
    if (picked === undefined || picked.some((each) => each === undefined)) return undefined;
    const isScalar = y?.kind === "ints" && y.isScalar;
    return { kind: "ints", items: picked.map(String), isScalar };
  }
  if (op === "Unsqueeze") return { ...x, isScalar: false };
  if (op === "Squeeze") return { ...x, isScalar: x.items.length === 1 };
  if (op === "Cast" && isFloatType(node.attributes.get("to")?.int ?? 0)) {
    // A number with a fraction from here on: a quotient is none of whole numbers.
    return x.items.length === 1 ? { kind: "number", text: x.items[0] ?? "0" } : undefined;
  }
  if (op === "Cast" || op === "Identity") return x;
  if (op === "Concat" && inputs.every((each) => each?.kind === "ints")) {
    return { kind: "ints", items: inputs.flatMap((each) => itemsOf(each) ?? []), isScalar: false };
  }
  if (op === "Slice" && y?.kind === "ints") {
    const [from, to] = [integersOf(y)?.[0], integersOf(inputs[2])?.[0]];
    if (from === undefined || to === undefined) return undefined;
    return { kind: "ints", items: x.items.slice(from, to), isScalar: false };
  }
  if (op === "Reshape" && integersOf(y)?.length === 1) return { ...x, isScalar: false };
  const sign = Object.hasOwn(arithmetic, op) ? arithmetic[op] : undefined;
  if (sign === undefined || y?.kind !== "ints") return undefined;
  const count = Math.max(x.items.length, y.items.length);
  const items = Array.from({ length: count }, (_, at) => {
    const [left = "0", right = "0"] = [x, y].map(
      ({ items: own }) => own[own.length === 1 ? 0 : at],
    );
    return worked(left, sign, right);
  });
  return { kind: "ints", items, isScalar: x.isScalar && y.isScalar };
}

/** A sum, product or quotient of whole numbers: as a number where both are known. */
function worked(left: string, sign: string, right: string): string {
  const [a, b] = [Number(left), Number(right)];
  const isKnown =
    Number.isSafeInteger(a) && Number.isSafeInteger(b) && (b !== 0 || sign.length === 1);
  const made = isKnown ? results[sign]?.(a, b) : undefined;
  return made !== undefined && Number.isSafeInteger(made)
    ? String(made)
    : `(${left} ${sign} ${right})`;
}

const results: Readonly<Record<string, (a: number, b: number) => number>> = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "//": (a, b) => Math.floor(a / b),
  "%": (a, b) => a - b * Math.floor(a / b),
};

const scalars: Readonly<Record<string, string>> = {
  ...{ Add: "x + y", Sub: "x - y", Mul: "x * y", Div: "x / y", Sqrt: "x ** 0.5", Pow: "x ** y" },
  ...{ Reciprocal: "1.0 / x", Neg: "-x" },
};

/** A number that follows from others: what a graph scales by. */
function scalarTerm({ node: { op }, inputs }: OnnxCall): OnnxTerm | undefined {
  const texts = inputs.map((each) => {
    if (each?.kind === "number") return each.text;
    return each?.kind === "ints" && each.items.length === 1 ? each.items[0] : undefined;
  });
  const [x, y] = texts;
  if (x === undefined || texts.some((each) => each === undefined)) return undefined;
  if (op === "Cast" || op === "Identity" || op === "Unsqueeze") return { kind: "number", text: x };
  const form = Object.hasOwn(scalars, op) ? scalars[op] : undefined;
  return form === undefined ? undefined : { kind: "number", text: `(${filled(form, x, y)})` };
}

type WriteOnnx = (call: OnnxCall, x: string) => OnnxMade;

const operators: Readonly<Record<string, WriteOnnx>> = {
  Identity: ({ inputs: [x] }) => x,
  Dropout: ({ inputs: [x] }) => x,
  Cast: ({ node }, x) => {
    const to = onnxTypes[node.attributes.get("to")?.int ?? 0];
    return to && `${x}.to(${to[1]})`;
  },
  Gemm: gemm,
  Softmax: ({ node }, x) => `torch.softmax(${x}, ${intOf(node, "axis", -1)})`,
  LogSoftmax: ({ node }, x) => `torch.log_softmax(${x}, ${intOf(node, "axis", -1)})`,
  LayerNormalization: normalized,
  RMSNormalization: normalized,
  BatchNormalization: ({ node, inputs }, x) => {
    const [, weight, bias, mean, variance] = inputs.map((each) => each && termText(each));
    const isTraining = intOf(node, "training_mode", 0) === 1;
    if (isTraining || mean === undefined || variance === undefined) return undefined;
    const eps = floatOf(node, "epsilon", 1e-5);
    return `F.batch_norm(${x}, ${mean}, ${variance}, ${weight}, ${bias}, eps=${eps})`;
  },
  Gelu: ({ node }, x) => {
    const isTanh = node.attributes.get("approximate")?.text === "tanh";
    return `F.gelu(${x}${isTanh ? ', approximate="tanh"' : ""})`;
  },
  LeakyRelu: ({ node }, x) => `F.leaky_relu(${x}, ${floatOf(node, "alpha", 0.01)})`,
  Elu: ({ node }, x) => `F.elu(${x}, ${floatOf(node, "alpha", 1)})`,
  Clip: ({ inputs: [, low, high] }, x) => {
    const bounds = [
      ...(low === undefined ? [] : [`min=${termText(low)}`]),
      ...(high === undefined ? [] : [`max=${termText(high)}`]),
    ];
    return bounds.length === 0 ? undefined : `torch.clamp(${x}, ${bounds.join(", ")})`;
  },
  Where: ({ inputs: [, a, b] }, x) => a && b && `torch.where(${x}, ${termText(a)}, ${termText(b)})`,
  Max: (call) => chained(call, "torch.maximum"),
  Min: (call) => chained(call, "torch.minimum"),
  Sum: ({ inputs }) => inputs.map((each) => each && termText(each)).join(" + "),
  Reshape: reshaped,
  Flatten: ({ node }, x) => (intOf(node, "axis", 1) === 1 ? `${x}.flatten(1)` : undefined),
  Transpose: ({ node }, x) => {
    const perm = node.attributes.get("perm")?.ints;
    return perm && `${x}.permute(${perm.join(", ")})`;
  },
  Concat: ({ node, inputs }) => {
    const parts = inputs.map((each) => each && termText(each));
    return `torch.cat([${parts.join(", ")}], ${intOf(node, "axis", 0)})`;
  },
  Unsqueeze: (call, x) => {
    const axes = axesOf(call)?.slice(0, mostDims);
    return axes && `${x}${axes.map((axis) => `.unsqueeze(${axis})`).join("")}`;
  },
  Squeeze: (call, x) => {
    const axes = axesOf(call);
    if (axes === undefined) return undefined;
    const ordered = axes.toSorted((a, b) => b - a);
    return `${x}${ordered.map((axis) => `.squeeze(${axis})`).join("")}`;
  },
  Slice: sliced,
  Expand: ({ inputs: [, to] }, x) => {
    const items = itemsOf(to);
    return items && `${x}.expand(${items.join(", ")})`;
  },
  Tile: ({ inputs: [, times] }, x) => {
    const items = itemsOf(times);
    return items && `${x}.repeat(${items.join(", ")})`;
  },
  Gather: gathered,
  GatherElements: ({ node, inputs: [, index] }, x) =>
    index && `torch.gather(${x}, ${intOf(node, "axis", 0)}, ${termText(index)})`,
  ReduceMean: (call, x) => reduced(call, x, (dims) => `.mean(${dims})`),
  ReduceSum: (call, x) => reduced(call, x, (dims) => `.sum(${dims})`),
  ReduceMax: (call, x) => reduced(call, x, (dims) => `.amax(${dims})`),
  ReduceMin: (call, x) => reduced(call, x, (dims) => `.amin(${dims})`),
  ArgMax: ({ node }, x) =>
    `torch.argmax(${x}, ${intOf(node, "axis", 0)}, keepdim=${flag(intOf(node, "keepdims", 1) === 1)})`,
  CumSum: ({ node, inputs: [, axis] }, x) => {
    const isPlain = intOf(node, "exclusive", 0) === 0 && intOf(node, "reverse", 0) === 0;
    const dim = integersOf(axis)?.[0];
    return isPlain && dim !== undefined ? `torch.cumsum(${x}, ${dim})` : undefined;
  },
  Einsum: ({ node, inputs }) => {
    const formula = node.attributes.get("equation")?.text;
    if (formula === undefined || !/^[a-zA-Z, .>-]+$/u.test(formula)) return undefined;
    return `torch.einsum("${formula.replaceAll(" ", "")}", ${inputs.map((each) => each && termText(each)).join(", ")})`;
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

function flag(is: boolean): string {
  return is ? "True" : "False";
}

function axesOf({ node, inputs }: OnnxCall): readonly number[] | undefined {
  return node.attributes.get("axes")?.ints ?? integersOf(inputs[1]);
}

function gemm({ node, inputs: [, weight, bias] }: OnnxCall, x: string): OnnxMade {
  if (weight === undefined) return undefined;
  const isPlain = floatOf(node, "alpha", 1) === 1 && floatOf(node, "beta", 1) === 1;
  if (!isPlain || intOf(node, "transA", 0) === 1) return undefined;
  const [w, b] = [termText(weight), bias && termText(bias)];
  if (intOf(node, "transB", 0) === 1)
    return `F.linear(${x}, ${w}${b === undefined ? "" : `, ${b}`})`;
  return b === undefined ? `${x} @ ${w}` : `${x} @ ${w} + ${b}`;
}

function normalized({ node, inputs, shapeOf }: OnnxCall, x: string): OnnxMade {
  const shape = shapeOf(1);
  const [, weight, bias] = inputs;
  if (shape === undefined || weight === undefined || node.outputs.length > 1) return undefined;
  const eps = floatOf(node, "epsilon", 1e-5);
  const name = node.op === "LayerNormalization" ? "layer_norm" : "rms_norm";
  const words = [x, `(${shape.join(", ")},)`, termText(weight), ...(bias ? [termText(bias)] : [])];
  return `F.${name}(${words.join(", ")}, eps=${eps})`;
}

function chained({ inputs }: OnnxCall, name: string): OnnxMade {
  const texts = inputs.map((each) => (each === undefined ? "" : termText(each)));
  return texts.reduce((joined, each) => `${name}(${joined}, ${each})`);
}

function reshaped({ node, inputs: [term, to] }: OnnxCall, x: string): OnnxMade {
  const items = itemsOf(to);
  if (items === undefined || intOf(node, "allowzero", 0) === 1) return undefined;
  const sizes = items.map((each, at) => (each === "0" ? `${x}.shape[${at}]` : each));
  const text = `${x}.reshape(${sizes.join(", ")})`;
  return term?.kind === "tensor" ? { kind: "tensor", text, rank: sizes.length } : text;
}

/** Dims that a tensor may have. */
const mostDims = 64;

function sliced({ node, inputs: [term, from, to, axes, steps] }: OnnxCall, x: string): OnnxMade {
  const { attributes } = node;
  const [starts, ends] = [from, to].map(
    (each, at) => itemsOf(each) ?? attributes.get(at === 0 ? "starts" : "ends")?.ints?.map(String),
  );
  const dims =
    axes === undefined
      ? (attributes.get("axes")?.ints ?? starts?.map((_, at) => at))
      : integersOf(axes);
  const strides = steps === undefined ? dims?.map(() => 1) : integersOf(steps);
  if (starts === undefined || ends === undefined || dims === undefined || strides === undefined)
    return undefined;
  if (strides.some((each) => each < 1) || dims.some((dim) => Math.abs(dim) > mostDims))
    return undefined;
  const rank = term?.kind === "tensor" ? term.rank : undefined;
  if (dims.some((dim) => dim < 0) && rank === undefined) return undefined;
  const parts = new Map(
    dims.map((dim, at) => {
      const end = Number(ends[at]) >= 2 ** 31 ? "" : (ends[at] ?? "");
      const stride = strides[at] === 1 ? "" : `:${strides[at]}`;
      return [dim < 0 ? dim + (rank ?? 0) : dim, `${starts[at]}:${end}${stride}`];
    }),
  );
  const last = Math.max(...parts.keys());
  const list = Array.from({ length: last + 1 }, (_, dim) => parts.get(dim) ?? ":");
  return `${x}[${list.join(", ")}]`;
}

function gathered({ node, inputs: [, index], shapeOf }: OnnxCall, x: string): OnnxMade {
  const axis = intOf(node, "axis", 0);
  if (index === undefined) return undefined;
  const at = integersOf(index);
  if (index.kind === "ints" && index.isScalar && at !== undefined)
    return `${x}.select(${axis}, ${at[0]})`;
  if (axis === 0 && shapeOf(0)?.length === 2) return `F.embedding(${termText(index)}, ${x})`;
  const isRow = index.kind === "ints" || (index.kind === "tensor" && index.rank === 1);
  return isRow ? `${x}.index_select(${axis}, ${termText(index)})` : undefined;
}

function reduced(call: OnnxCall, x: string, of: (dims: string) => string): OnnxMade {
  const axes = axesOf(call);
  const isKept = intOf(call.node, "keepdims", 1) === 1;
  if (axes === undefined) return undefined;
  const dims = axes.length === 1 ? String(axes[0]) : `(${axes.join(", ")})`;
  return `${x}${of(`${dims}${isKept ? ", keepdim=True" : ""}`)}`;
}
