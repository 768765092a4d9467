import type { TensorBindings } from "#language/document/bindings";
import { integersOf } from "#language/document/bindings/values";
import type { Argument, Context, Value } from "#language/python";
import { mindsporeLayoutOf } from "./layouts.ts";

/**
 * Checks `parameter_plan`, layouts of a Cell's parameters by path, as 2.10 does in Python; the
 * first failure counts. Paths without a parameter are skipped, as MindSpore only warns about them.
 */
export function checkParameterPlan(
  { value, span }: Argument,
  cell: Value | undefined,
  tensors: TensorBindings,
  context: Context,
): void {
  if (value.kind === "none" || value.kind === "unknown") return;
  if (value.kind !== "dict") {
    const message = `'parameter_plan' should be a dict or None, but got ${value.kind}`;
    context.raise("TypeError", message, span);
  }
  const entries = [...value.entries.values()];
  for (const { key, value: given } of entries) {
    const isLayout = mindsporeLayoutOf(given) !== undefined;
    if (key.kind === "str" && (given.kind === "tuple" || isLayout)) continue;
    const message = `each key and value in 'parameter_plan' must be str and tuple/Layout, but got ${key.kind} and ${given.kind}`;
    context.raise("TypeError", message, span);
  }
  for (const { key, value: given } of entries) {
    const path = key.kind === "str" ? key.value : "";
    const shape = tensors.tensorOf(heldAt(cell, path))?.shape;
    const pieces = integersOf(given);
    const fault = shape && pieces && cutFault(path, shape, pieces);
    if (fault !== undefined) context.raise("ValueError", fault, span);
  }
}

/**
 * The member of a Cell at a dotted path, which may begin with `self`; `undefined` if there is none.
 */
function heldAt(cell: Value | undefined, path: string): Value | undefined {
  const names = path.split(".").filter((name, at) => at > 0 || name !== "self");
  return names.reduce<Value | undefined>(
    (held, name) => (held?.kind === "instance" ? held.attributes.get(name) : undefined),
    cell,
  );
}

function cutFault(
  path: string,
  shape: readonly unknown[],
  pieces: readonly number[],
): string | undefined {
  if (pieces.length !== shape.length)
    return `for ${path}, the length of param_strategy: ${pieces.length}, is not equal to param_shape len: ${shape.length}`;
  const dim = pieces.findIndex((count, at) => Number(shape[at]) % count !== 0);
  return dim < 0
    ? undefined
    : `for '${path}', param_shape[${dim}]: ${shape[dim]} cannot be divisible by param_strategy[${dim}]: ${pieces[dim]}`;
}
