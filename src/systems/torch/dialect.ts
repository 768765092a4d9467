import type { DType } from "#core/ir";
import type { Combine, ScalarFunction } from "#core/ir/body";
import type { Dialect } from "#systems/arrays";
import {
  atom,
  bracketed,
  type Labelled,
  numpyName,
  tuple,
  widestFloat,
} from "#systems/arrays/python";

const calls: Readonly<Partial<Record<ScalarFunction, string>>> = {
  abs: "torch.abs",
  sign: "torch.sign",
  exp: "torch.exp",
  log: "torch.log",
  sqrt: "torch.sqrt",
  rsqrt: "torch.rsqrt",
  tanh: "torch.tanh",
  sigmoid: "torch.sigmoid",
  erf: "torch.erf",
  sin: "torch.sin",
  cos: "torch.cos",
  pow: "torch.pow",
  floor: "torch.floor",
};

/** Functions of plain numbers, which PyTorch takes no tensors for. */
const onNumbers: Readonly<Partial<Record<ScalarFunction, string>>> = {
  abs: "abs",
  exp: "math.exp",
  log: "math.log",
  sqrt: "math.sqrt",
  tanh: "math.tanh",
  erf: "math.erf",
  sin: "math.sin",
  cos: "math.cos",
  pow: "math.pow",
  floor: "math.floor",
  max: "max",
  min: "min",
};

const combines: Readonly<Record<Combine, string>> = {
  sum: "torch.sum",
  max: "torch.amax",
  min: "torch.amin",
  prod: "torch.prod",
};

const floats: ReadonlySet<DType> = new Set(["f64", "f32", "f16", "bf16"]);

/** PyTorch's name of a data type. */
export function torchName(dtype: DType): string {
  return dtype === "bool" ? "bool" : numpyName(dtype);
}

/**
 * Bodies in the words of PyTorch. It promotes element types in sums and products, but not in
 * contractions; its sums of integers are of 64 bits; its functions take no plain numbers.
 */
export const torchDialect: Dialect = {
  names: [
    ..."math os torch dist MESH DEVICES INPUTS OUTPUTS TOLERANCE Groups make_groups".split(" "),
    ..."all_gather reduce_scatter all_to_all all_reduce permute block element reference run".split(
      " ",
    ),
    ..."re sys types in_doubles compared".split(" "),
    ..."verify low groups given max min abs float HELD held common kept placed volume".split(" "),
    ..."all_gather_uneven reduce_scatter_uneven all_to_all_uneven permute_uneven exchange own_part places padded".split(
      " ",
    ),
  ],
  infinity: "math.inf",
  operand(name, dtype, among) {
    const widest = widestFloat(among);
    const isNarrow = floats.has(dtype) && widest !== undefined && widest !== dtype;
    return isNarrow ? `${name}.to(torch.${torchName(widest)})` : name;
  },
  call(name, args) {
    if (args.every(({ isNumber }) => isNumber === true)) return ofNumbers(name, args);
    if (name === "select") return choice(args);
    if (name === "max" || name === "min") return extreme(name, args);
    const call = calls[name];
    return call === undefined ? undefined : atom(`${call}(${listed(args)})`);
  },
  folded(combine: Combine, value: Labelled, dims: readonly number[]) {
    const call = combines[combine];
    if (combine !== "prod")
      return `${call}(${value.code}, dim=${dims.length === 1 ? dims[0] : tuple(dims)})`;
    return dims.reduceRight((code, dim) => `${call}(${code}, dim=${dim})`, value.code);
  },
  transposed: (code, places) => `${code}.permute(${places.join(", ")})`,
  einsum: (equation, arrays) => `torch.einsum("${equation}", ${arrays.join(", ")})`,
  indices: (length) => `torch.arange(${length})`,
  filled: (value, shape) =>
    value.isNumber === true
      ? `torch.full(${tuple(shape)}, ${value.code})`
      : `${bracketed(value, 8)}.expand(${shape.join(", ")})`,
  scalar: (code) => `torch.as_tensor(${code})`,
  typed(value, dtype, read) {
    const isKept = floats.has(dtype) && widestFloat(read) === dtype;
    if (isKept && value.isNumber !== true && value.isBool !== true) return value.code;
    return `${bracketed(value, 8)}.to(torch.${torchName(dtype)})`;
  },
  numeric: (value, dtype) =>
    value.isNumber === true
      ? `float(${value.code})`
      : `${bracketed(value, 8)}.to(torch.${torchName(dtype)})`,
  // "Subtraction, the `-` operator, with a bool tensor is not supported."
  subtractsComparisons: false,
  picked: (values, position) => `${JSON.stringify(values).replaceAll(",", ", ")}[${position}]`,
  joinedIndices: (starts, length) =>
    `(torch.tensor(${starts})[:, None] + torch.arange(${length})).reshape(-1)`,
  narrowed: (code, dim, start, length) => `${code}.narrow(${dim}, ${start}, ${length})`,
  chosen: (condition, code, otherwise) => `torch.where(${condition.code}, ${code}, ${otherwise})`,
  padsBlocks: false,
  coordinate: (axes) => `groups.index(${axes.map((axis) => `"${axis}"`).join(", ")})`,
};

function listed(args: readonly Labelled[]): string {
  return args.map(({ code }) => code).join(", ");
}

function ofNumbers(name: ScalarFunction, args: readonly Labelled[]): Labelled | undefined {
  const [condition, yes, no] = args;
  if (name === "select" && condition && yes && no)
    return { ...atom(`(${yes.code} if ${condition.code} else ${no.code})`), isNumber: true };
  if (name === "rsqrt" && condition)
    return { code: `1 / math.sqrt(${condition.code})`, axes: [], binds: 3, isNumber: true };
  const call = onNumbers[name];
  return call === undefined ? undefined : { ...atom(`${call}(${listed(args)})`), isNumber: true };
}

function choice([condition, yes, no]: readonly Labelled[]): Labelled | undefined {
  if (condition === undefined || yes === undefined || no === undefined) return undefined;
  if (condition.isNumber === true)
    return atom(`(${yes.code} if ${condition.code} else ${no.code})`);
  return atom(`torch.where(${listed([condition, yes, no])})`);
}

/** The greater or lesser of two; a plain number is a bound. */
function extreme(name: "max" | "min", args: readonly Labelled[]): Labelled {
  const number = args.find(({ isNumber }) => isNumber === true);
  const array = args.find(({ isNumber }) => isNumber !== true);
  if (number === undefined || array === undefined)
    return atom(`torch.${name}imum(${listed(args)})`);
  return atom(`${bracketed(array, 8)}.clamp(${name === "max" ? "min" : "max"}=${number.code})`);
}
