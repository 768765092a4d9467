// Data types of the results of MindSpore's primitives.

import type { DType } from "#core/ir";
import { isFloat, resultType, type TypeRule } from "#core/ir/types";
import { fieldOf } from "#core/records";
import type { TensorBindings } from "#language/document/bindings";
import { dtypeOf, longDType } from "#language/document/bindings/types";
import { itemsOf, textOf } from "#language/document/bindings/values";
import type { TracedOperator, TracedTensor } from "#language/document/trace";
import type { Argument, Value } from "#language/python";
import type { Primitive } from "./primitive-calls.ts";
import { refusesType } from "./taken-types.ts";

const promoted: TypeRule = { kind: "promoted" };
const float: TypeRule = { kind: "float" };
const flags: TypeRule = { kind: "always", dtype: "bool" };
const first: TypeRule = { kind: "like", operand: 0 };
const always = (dtype: DType): TypeRule => ({ kind: "always", dtype });

const named = (names: string, ...rules: readonly TypeRule[]) =>
  names.split(" ").map((name) => [name, rules] as const);

const two = { operands: [0, 1] } as const;

/**
 * Type rules of the results by primitive; other results have the operator's type, or that of the
 * first tensor.
 */
const rules: Readonly<Record<string, readonly TypeRule[]>> = Object.fromEntries([
  ...named("Add Sub Mul Mod FloorMod FloorDiv RealDiv Pow Maximum Minimum Atan2", promoted),
  ...named("BitwiseAnd BitwiseOr BitwiseXor SquaredDifference", promoted),
  ...named("AddExt SubExt AddScalar SubScalar Muls PowTensorScalar", { ...promoted, ...two }),
  ...named("Div Divs", { kind: "float", ...two }),
  ...named("Sin Cos Tan Sinh Cosh Asin Acos Atan Asinh Acosh Atanh Erfc Erfinv", float),
  ...named("Log1p Log2 Log10 Expm1 Exp2 Reciprocal", float),
  ...named("Equal NotEqual Greater GreaterEqual Less LessEqual", flags),
  ...named("LogicalAnd LogicalOr LogicalNot LogicalXor", flags),
  ...named("IsNan IsInf IsFinite ReduceAll", flags),
  ...named("Select", { kind: "promoted", operands: [1, 2] }),
  ...named("SumExt ProdExt", { kind: "summed", operands: [0] }),
  ...named("CumsumExt", { kind: "promoted", operands: [0], number: "i64" }),
  ...named("ReduceSum Square", first),
  ...named("OneHot OneHotExt", { kind: "like", operand: 2 }),
  ...named("RmsNorm", first, always("f32")),
  ...named("Xlogy", { ...float, ...two }),
  ...named("Median", first, always("i64")),
  ...named("TopK Sort", first, always("i32")),
  ...named("TopkExt SortExt", first, always("i64")),
  ...named("Argmax Argmin", always("i32")),
  ...named("ArgMaxExt ArgMinExt", always("i64")),
]);

/** Primitives whose result has the type of the first tensor, as recorded from MindSpore. */
const like = new Set(
  [
    "Abs BroadcastTo Ceil ClampScalar Concat CumSum Erf ExpandDims Gather GeluExt LogSoftmax MeanExt Neg",
    "OnesLike ReLU ReduceMax ReduceMean ReduceMin ReduceProd ReduceSum Reshape ReverseV2 Roll Round SiLU Sign",
    "Softmax Split Square Stack Std StridedSlice Tile Transpose Tril ZerosLike ZerosLikeExt",
    "MatMul BatchMatMul MatMulExt GeLU Squeeze Tanh Sigmoid Exp Log Sqrt Rsqrt",
  ].flatMap((line) => line.split(" ")),
);

/** Tensors that got the first operand's type because no rule is known. */
const guessed = new WeakSet<TracedTensor>();

/** Whether the data type of a tensor is only a guess. */
export function isTypeGuessed(tensor: TracedTensor): boolean {
  return tensor.isTypeAssumed === true || guessed.has(tensor);
}

/** Primitives whose tensor operands must have the same type. */
const together = new Set(["MatMul", "BatchMatMul", "MatMulExt", "Stack"]);

/** Tests for operand types that a primitive refuses, by its name. */
const untaken: Readonly<Record<string, (types: readonly DType[]) => boolean>> = {
  ...each("BitwiseAnd BitwiseOr BitwiseXor", (types) => types.some(isFloat)),
  ...each("Add Sub RealDiv MatMul BatchMatMul MatMulExt", (types) =>
    types.every((type) => type === "bool"),
  ),
  ...each("MaskedFill MaskedFillScalar", ([, mask]) => mask !== "bool"),
  ...each(
    [
      "ScatterAdd ScatterDiv ScatterMax ScatterMin ScatterMul ScatterSub ScatterUpdate ScatterNdAdd",
      "ScatterNdDiv ScatterNdMax ScatterNdMin ScatterNdMul ScatterNdSub ScatterNdUpdate",
      "TensorScatterAdd TensorScatterDiv TensorScatterMax TensorScatterMin TensorScatterMul",
      "TensorScatterSub TensorScatterUpdate UnsortedSegmentMax UnsortedSegmentMin",
      "UnsortedSegmentProd UnsortedSegmentSum",
    ].join(" "),
    ([, indices]) => indices !== undefined && !/^i(32|64)$/u.test(indices),
  ),
  ...each("RandomChoiceWithMask", ([of]) => of !== "bool"),
  ...each("Invert PopulationCount", ([of]) => !/^[iu]16$/u.test(of ?? "")),
  ...each("LeftShift RightShift Gcd", (types) => types.some(isFloat)),
  ...each("Median", ([of]) => /^(b?f16|u(16|32|64))$/u.test(of ?? "")),
  ...each("CumSum", ([of]) => /^(bf16|u(16|32|64))$/u.test(of ?? "")),
};

function each<Rule>(names: string, rule: Rule): Readonly<Record<string, Rule>> {
  return Object.fromEntries(names.split(" ").map((name) => [name, rule]));
}

/**
 * Why MindSpore refuses the data types of a call; `undefined` if it accepts them, or if a type is a
 * guess.
 */
export function typeFault(
  bindings: Pick<TensorBindings, "types" | "tensorOf">,
  name: string,
  args: readonly Argument[],
): string | undefined {
  const given = args
    .flatMap(({ value }) => itemsOf(value) ?? [value])
    .flatMap((value) => bindings.types.operand(value, bindings.tensorOf(value)) ?? []);
  return faultOf(name, given);
}

/** Like `typeFault`, for an operator that was made by a Python operator sign. */
export function signFault(name: string, { inputs }: Pick<TracedOperator, "inputs">) {
  const given = inputs.map((input): Operand => {
    if (input.kind === "tensor") return { tensor: input, dtype: input.dtype };
    return { dtype: /^(True|False)$/u.test(input.text) ? "bool" : "i64" };
  });
  return faultOf(name, given);
}

interface Operand {
  readonly tensor?: TracedTensor | undefined;
  readonly dtype: DType;
}

function faultOf(name: string, given: readonly Operand[]): string | undefined {
  const isUntaken = fieldOf(untaken, name);
  const tensors = given.flatMap(({ tensor }) => tensor ?? []);
  if (tensors.some(isTypeGuessed)) return undefined;
  const said = [...new Set(tensors.map(({ dtype }) => longDType(dtype)))];
  if (together.has(name) && said.length > 1)
    return `${name} takes tensors of one data type, not ${said.join(" and ")}`;
  const [first] = tensors;
  if (first === undefined) return undefined;
  const isWrong =
    refusesType(name, first.dtype) || isUntaken?.(given.map(({ dtype }) => dtype)) === true;
  return isWrong ? `${name} does not take ${said.join(" and ")}` : undefined;
}

/**
 * The data type named by one of the arguments, in MindSpore's words; `undefined` if there is none.
 */
function typeNamed(args: readonly Argument[]): DType | undefined {
  return args.map(({ value }) => typeIn(value)).find((dtype) => dtype !== undefined);
}

function typeIn(value: Value): DType | undefined {
  return textOf(value) === "bool_" ? "bool" : dtypeOf(value);
}

/**
 * Gives the results of a primitive the data types that MindSpore's compiler gives them.
 *
 * @param args the arguments of the call
 */
export function typeResults(
  tensors: Pick<TensorBindings, "tensorOf" | "types">,
  { name, constructed }: Pick<Primitive, "name" | "constructed">,
  args: readonly Argument[],
  result: Value,
): void {
  const said = typeNamed([...args, ...constructed]);
  const operands = args
    .flatMap(({ value }) => itemsOf(value) ?? [value])
    .map((value) => tensors.types.operand(value, tensors.tensorOf(value)));
  const ofPrimitive = fieldOf(rules, name);
  const isAssumed = operands.some((each) => each?.tensor?.isTypeAssumed === true);
  for (const [at, made] of (itemsOf(result) ?? [result]).entries()) {
    const tensor = tensors.tensorOf(made);
    if (tensor?.producer === undefined) continue;
    const isKnown = said !== undefined || ofPrimitive !== undefined || like.has(name);
    const isOfGuess = operands.some((each) => each?.tensor && guessed.has(each.tensor));
    if (!isKnown || (isOfGuess && said === undefined)) guessed.add(tensor);
    const rule = ofPrimitive?.[Math.min(at, ofPrimitive.length - 1)];
    const dtype = said ?? (rule && resultType(rule, operands));
    if (dtype === undefined) continue;
    const isCertain = said !== undefined || rule?.kind === "always";
    if (tensor.dtype === dtype && !isCertain) continue;
    Object.assign(tensor, {
      dtype,
      dtypeText: longDType(dtype),
      isTypeAssumed: !isCertain && isAssumed,
    });
  }
}
