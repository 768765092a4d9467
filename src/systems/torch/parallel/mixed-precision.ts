import type { Span } from "#core/diagnostics";
import { parseDType } from "#core/ir";
import type { ModuleClasses } from "#language/document/bindings";
import { typeSaid } from "#language/document/bindings/types";
import type { TracedTensor } from "#language/document/trace";
import type { Argument, Context, InstanceValue, Value } from "#language/python";
import type { ParallelRecord } from "./record.ts";
import { sayNotRead } from "./said.ts";

/** The parts of a run that a policy of data types uses. */
interface PrecisionParts {
  readonly record: ParallelRecord;
  readonly modules: ModuleClasses;
}

/**
 * Applies a policy of data types to one module: its parameters are gathered, and computed with, in
 * the policy's type, and its input tensors are cast to it. A training step holds the parameters in
 * f32, and sums their gradients in the type that the policy names, else in that of the products.
 */
export function applyPrecision(
  { record, modules }: PrecisionParts,
  policy: Argument | undefined,
  module: InstanceValue,
  parameters: readonly TracedTensor[],
  context: Context,
): void {
  if (policy?.value.kind !== "instance") return;
  const { attributes } = policy.value;
  const [type, reducing, given] = ["param_dtype", "reduce_dtype", "output_dtype"].map((name) =>
    typeSaid(attributes.get(name)),
  );
  if (given !== undefined) {
    const then = "what the module gives is shown as it is computed";
    sayNotRead(record, `"output_dtype" of ${policy.value.type.name}`, then, context, policy.span);
  }
  if (type === undefined) {
    if (reducing === undefined || reducing.dtype === "f32") return;
    const then = "gradients are shown reduced in the data type of their parameters";
    sayNotRead(record, `reduce_dtype=${reducing.dtypeText}`, then, context, policy.span);
    return;
  }
  record.policy = { precision: "fsdp", reduces: reducing?.dtype ?? type.dtype };
  for (const parameter of parameters) Object.assign(parameter, type);
  const casts = attributes.get("cast_forward_inputs");
  if (casts?.kind === "bool" && !casts.value) return;
  modules.hooks.beforeCalls(module, (args, inner, span) =>
    args.map((each) => ({ ...each, value: cast(record, each.value, type.dtypeText, inner, span) })),
  );
}

/** A tensor of numbers in another data type; anything else as it is. */
function cast(
  { tensorOf }: ParallelRecord,
  value: Value,
  dtype: string,
  context: Context,
  span: Span,
): Value {
  const tensor = tensorOf(value);
  const isOther = tensor !== undefined && tensor.dtype !== parseDType(dtype);
  if (!isOther || !/^(?:f|bf)\d+$/u.test(tensor.dtype)) return value;
  const method = context.getAttribute(value, "to", span);
  return context.call(method, [{ value: { kind: "str", value: dtype }, span }], span);
}
