// The data types of what MindSpore's primitives give.

import type { DType } from "#core/ir";
import { resultType, type TypeRule } from "#core/ir/types";
import { fieldOf } from "#core/records";
import type { TensorBindings } from "#language/document/bindings";
import { dtypeOf, longDType } from "#language/document/bindings/types";
import { itemsOf, textOf } from "#language/document/bindings/values";
import type { Argument, Value } from "#language/python";

const promoted: TypeRule = { kind: "promoted" };
const flags: TypeRule = { kind: "always", dtype: "bool" };
const first: TypeRule = { kind: "like", operand: 0 };
const always = (dtype: DType): TypeRule => ({ kind: "always", dtype });

const named = (names: string, ...rules: readonly TypeRule[]) =>
  names.split(" ").map((name) => [name, rules] as const);

/** By primitive, a rule for each result; what is not here gives the type of its first tensor. */
const rules: Readonly<Record<string, readonly TypeRule[]>> = Object.fromEntries([
  ...named("Add Sub Mul Mod FloorMod FloorDiv Pow Maximum Minimum AddExt SubExt", promoted),
  ...named("Equal NotEqual Greater GreaterEqual Less LessEqual", flags),
  ...named("LogicalAnd LogicalOr LogicalNot LogicalXor", flags),
  ...named("IsNan IsInf IsFinite ReduceAll ReduceAny", flags),
  ...named("Select", { kind: "promoted", operands: [1, 2] }),
  ...named("TopK Sort", first, always("i32")),
  ...named("Argmax Argmin", always("i32")),
]);

/** The data type that a call of a primitive names among its arguments, in MindSpore's words. */
function typeNamed(args: readonly Argument[]): DType | undefined {
  return args.map(({ value }) => typeIn(value)).find((dtype) => dtype !== undefined);
}

function typeIn(value: Value): DType | undefined {
  return textOf(value) === "bool_" ? "bool" : dtypeOf(value);
}

/**
 * Gives the results of a primitive the data types that MindSpore's compiler gives them.
 *
 * @param name the primitive's
 * @param args what it was called with
 */
export function typeResults(
  tensors: Pick<TensorBindings, "tensorOf" | "types">,
  name: string,
  args: readonly Argument[],
  result: Value,
): void {
  const said = typeNamed(args);
  const operands = args
    .flatMap(({ value }) => itemsOf(value) ?? [value])
    .map((value) => tensors.types.operand(value, tensors.tensorOf(value)));
  const ofPrimitive = fieldOf(rules, name);
  const isAssumed = operands.some((each) => each?.tensor?.isTypeAssumed === true);
  for (const [at, made] of (itemsOf(result) ?? [result]).entries()) {
    const tensor = tensors.tensorOf(made);
    if (tensor === undefined || tensor.producer === undefined) continue;
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
