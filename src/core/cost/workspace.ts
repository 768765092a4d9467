import { bytesOf, type Operator } from "#core/ir";
import type { LocalStep, Value, ValueId } from "#core/program";

/** Memory that a kernel takes while it runs, with its name. */
export interface Workspace {
  readonly what: string;
  readonly bytes: number;
}

/** Bytes of one element of an accumulator. */
const accumulator = 4;

/**
 * Workspace of the kernels of a step: bytes beside its operands and results. The gradient of a
 * cross entropy first fills the gradient of the log-softmax; flash attention sums the gradient of
 * its queries in f32.
 */
export function workspaceOf(
  { entry }: Operator,
  step: LocalStep,
  values: ReadonlyMap<ValueId, Value>,
  bytes: ReadonlyMap<ValueId, number>,
): Workspace | undefined {
  const sized = (id: ValueId | undefined) => (id && bytes.get(id)) ?? 0;
  if (entry === "cross_entropy_backward")
    return { what: "gradient of the log-softmax", bytes: sized(step.outputs[0]) };
  const queries = step.inputs[1];
  const dtype = queries && values.get(queries)?.dtype;
  if (entry === "attention_backward" && dtype !== undefined)
    return { what: "sums in f32", bytes: (sized(queries) / bytesOf(dtype)) * accumulator };
  return undefined;
}
