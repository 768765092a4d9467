// Data types of the results of a library call.

import type { Span } from "#core/diagnostics";
import { type Attributes, integersIn, type LibraryEntry } from "#core/ir";
import type { TypeRule } from "#core/ir/types";
import type { Argument, Context, Value } from "#language/python";
import type { OperatorCall } from "../trace/operator-call.ts";
import type { Trace } from "../trace/trace.ts";
import type { PlainOperand, TracedTensor } from "../trace/traced.ts";
import { isRankZero, isScalarResult, shapeOf, withoutScalars } from "./entry-calls.ts";
import type { CallStyle, TensorCalls } from "./tensor-calls.ts";
import type { typeSaid } from "./types/dtype-values.ts";
import { castTo } from "./types/tensor-casts.ts";
import type { bindArguments } from "./values/values.ts";

/** Bound arguments of a call, with its operands as values and as recorded. */
export interface GivenCall extends ReturnType<typeof bindArguments> {
  readonly operands: readonly Value[];
  readonly inputs: readonly (TracedTensor | PlainOperand)[];
}

/** A call of a library entry on known operands, as the recorder takes it. */
export function knownCall(
  words: TensorCalls,
  [entry, style]: readonly [LibraryEntry, CallStyle],
  given: GivenCall,
  attributes: Attributes,
  context: Context,
  span: Span,
): OperatorCall {
  const { bound, inputs } = given;
  const asked = entry.annotate({ inputs: inputs.map(shapeOf), attributes });
  const annotation = inputs.some(isRankZero) ? withoutScalars(asked, inputs).text : asked;
  // Spelt out: joining objects of many forms is slow, and this runs for every operator.
  return {
    op: style.op,
    stem: style.stem ?? entry.name,
    entry: entry.name,
    annotations: [{ text: annotation }],
    inputs,
    integers: integersIn(attributes),
    attributes,
    types: typesOf(words, [style.op, entry], given, context, span),
    linear: entry.linear,
    reducesInside: style.reducesInside,
    span,
    ...(style.path !== undefined && { path: style.path }),
    ...(style.isReplicated !== undefined && { isReplicated: style.isReplicated }),
    ...(style.strategy !== undefined && { strategy: style.strategy }),
    ...(style.primitive !== undefined && { primitive: style.primitive }),
    ...(isScalarResult(entry, bound, inputs, annotation) && { givesScalars: true }),
  };
}

/** The data types of the results of a call. */
export function typesOf(
  words: TensorCalls,
  [op, entry]: readonly [string, Pick<LibraryEntry, "types" | "domains">],
  { operands, inputs, bound, extra }: GivenCall,
  context: Context,
  span: Span,
): NonNullable<OperatorCall["types"]> {
  const { types, trace } = words;
  if (!types.areCheckedElsewhere) typeByDomain(trace, entry, inputs);
  const typed = inputs.map((input, at) => {
    const value = operands[at];
    return value && types.operand(value, input.kind === "tensor" ? input : undefined);
  });
  const isRead = (tensor: TracedTensor) => isReadIn(trace, tensor);
  const agreed = types.agree(op, entry.types, typed, isRead, context, span);
  const named = new Map<string, ReturnType<typeof types.operand>>();
  const note = (name: string, value: Value) =>
    named.set(name.replace(/^_/, ""), types.operand(value, words.tensorOf(value)));
  for (const [name, { value }] of bound) note(name, value);
  for (const { name = "", value } of extra) note(name, value);
  if (!named.has("dtype") && !types.areCheckedElsewhere)
    types.sayRefused?.(op, agreed, context, span);
  return types.results(entry.types, agreed, named);
}

function isReadIn({ operators }: Trace, tensor: TracedTensor): boolean {
  return operators.some(({ inputs }) => inputs.includes(tensor));
}

/**
 * Gives operands of assumed data type an index or bool type where the entry takes indices or flags.
 */
function typeByDomain(
  trace: Trace,
  { domains, types: [rule] }: Pick<LibraryEntry, "domains" | "types">,
  inputs: GivenCall["inputs"],
): void {
  for (const [at, domain] of domains.entries()) {
    const input = inputs[at];
    const { kind } = domain ?? {};
    if (input?.kind !== "tensor" || (kind !== "index" && kind !== "flag")) continue;
    // A flag operand that takes part in the result's type is a number 0 or 1, not a bool.
    if (kind === "flag" && decides(rule, at)) continue;
    const isOpen = input.isTypeAssumed === true && input.producer === undefined;
    if (!isOpen || isReadIn(trace, input)) continue;
    const type = kind === "index" ? indices : flags;
    Object.assign(input, { ...type, isTypeAssumed: false });
  }
}

/** Whether the dtype of an operand takes part in that of the result. */
function decides(rule: TypeRule | undefined, at: number): boolean {
  if (rule === undefined || rule.kind === "always") return false;
  return rule.kind === "like" ? rule.operand === at : rule.operands?.includes(at) !== false;
}

const indices = { dtype: "i64", dtypeText: "int64" } as const;
const flags = { dtype: "bool", dtypeText: "bool" } as const;

/** Arguments of `retyped`: a tensor and its new data type. */
export type Retyping = readonly [
  value: Value,
  type: NonNullable<ReturnType<typeof typeSaid>>,
  context: Context,
  span: Span,
];

/**
 * A tensor in another data type: the same tensor if it is a leaf that nothing has read, else a
 * cast.
 */
export function retyped(words: TensorCalls, ...[value, type, context, span]: Retyping): Value {
  const tensor = words.tensorOf(value);
  if (tensor === undefined || value.kind !== "host" || tensor.dtype === type.dtype) return value;
  if (tensor.producer !== undefined || isReadIn(words.trace, tensor))
    return castTo(words, value, type, context, span);
  Object.assign(tensor, { ...type, isTypeAssumed: false });
  return value;
}

/**
 * Operator names under which autocast looks up a call; a number divided by a tensor counts as its
 * reciprocal.
 */
export function castingNames(
  op: string,
  { name }: LibraryEntry,
  [first]: readonly Argument[],
): readonly string[] {
  const isNumber = first?.value.kind === "int" || first?.value.kind === "float";
  return name === "div" && isNumber ? ["reciprocal"] : [op, name];
}
