// Automatic casts of operands (mixed precision).

import type { Span } from "#core/diagnostics";
import type { DType } from "#core/ir";
import { isFloat } from "#core/ir/types";
import type { Argument, Context, HostObject, Value } from "#language/python";
import type { TracedTensor } from "../../trace/traced.ts";
import type { TensorCalls } from "../tensor-calls.ts";
import { itemsOf } from "../values/values.ts";
import { longDType } from "./dtype-values.ts";
import { castTo } from "./tensor-casts.ts";
import type { Casting, CastingRules } from "./value-types.ts";

/**
 * Cast rule for an operator with several names: the first name that has one. `undefined` outside
 * autocast.
 */
export function castingNow(
  { types: { casting } }: Pick<TensorCalls, "types">,
  names: readonly string[],
): Casting | undefined {
  for (const name of names) {
    const how = casting?.of(name);
    if (how !== undefined) return how;
  }
  return undefined;
}

/** Arguments with their floats cast as the operator's rule requires. */
export function castArguments(
  words: TensorCalls,
  how: Casting | undefined,
  args: readonly Argument[],
  context: Context,
  span: Span,
): readonly Argument[] {
  const { casting } = words.types;
  if (casting === undefined || how === undefined || how === "single-result") return args;
  const run = { words, casting, dtype: wantedType(words, how, casting, args), context, span };
  return args.map((argument) => ({ ...argument, value: cast(run, argument.value) }));
}

interface Run {
  readonly words: TensorCalls;
  readonly casting: CastingRules;
  readonly dtype: DType;
  readonly context: Context;
  readonly span: Span;
}

function wantedType(
  words: TensorCalls,
  how: Casting,
  { low }: CastingRules,
  args: readonly Argument[],
): DType {
  if (how !== "widest") return how === "low" ? low : "f32";
  const values = args.flatMap(({ value }) => itemsOf(value) ?? [value]);
  return values.some((value) => words.tensorOf(value)?.dtype === "f32") ? "f32" : low;
}

function cast(run: Run, value: Value): Value {
  const items = value.kind === "tuple" || value.kind === "list" ? value.items : undefined;
  const { words, casting } = run;
  if (items?.some((each) => words.tensorOf(each) !== undefined))
    return { kind: "tuple", items: items.map((each) => cast(run, each)) };
  const tensor = words.tensorOf(value);
  if (value.kind !== "host" || tensor === undefined || !isCast(tensor, run.dtype)) return value;
  const isKept = words.isParameter(value) && run.dtype === casting.low;
  const known = isKept ? casting.kept.get(tensor) : undefined;
  const made = known ?? castOf(run, value);
  if (isKept) casting.kept.set(tensor, made);
  return made;
}

function castOf({ words, dtype, context, span }: Run, value: HostObject): Value {
  return castTo(words, value, { dtype, dtypeText: longDType(dtype) }, context, span);
}

/** Whether a tensor is cast: a float other than f64 with a different data type. */
function isCast({ dtype }: TracedTensor, to: DType): boolean {
  return isFloat(dtype) && dtype !== "f64" && dtype !== to;
}

/** Marks a result as f32 when the operator computes low-precision floats in single precision. */
export function inSingle(
  words: TensorCalls,
  how: Casting | undefined,
  [given]: readonly Argument[],
  result: Value,
): Value {
  const [tensor, read] = [words.tensorOf(result), words.tensorOf(given?.value)];
  const isCastHere = how === "single-result" && tensor?.producer !== undefined;
  if (isCastHere && read !== undefined && isCast(read, "f32"))
    Object.assign(tensor, { dtype: "f32", dtypeText: longDType("f32") });
  return result;
}
