import type { Span } from "#core/diagnostics";
import type { Context, HostObject, Value } from "#language/python";
import { provisional } from "../trace/size.ts";
import { isBoolean } from "./boolean-tensors.ts";
import { callEntry } from "./library-calls.ts";
import type { TensorCalls } from "./tensor-calls.ts";
import { operated } from "./tensor-operators.ts";
import { numberOf } from "./values/values.ts";

/**
 * `x[mask] op= value` computed elementwise: replaces the tensor by `where(mask, changed, x)`. False
 * for updates that must gather and scatter elements.
 */
export function updateWhere(
  words: TensorCalls,
  self: HostObject,
  key: Value,
  [operator, value]: readonly [string, Value],
  context: Context,
  span: Span,
): boolean {
  const [tensor, mask] = [words.tensorOf(self), words.tensorOf(key)];
  if (tensor?.shape === undefined || mask?.shape === undefined || !isBoolean(mask)) return false;
  if (words.isInBody || tensor.isUnknown || mask.isUnknown || words.isParameter(self)) return false;
  // The rewrite follows NumPy's typing, so it is limited to systems that refuse data types
  // themselves.
  if (words.types.sayRefused === undefined) return false;
  const [sizes, flags] = [tensor.shape, mask.shape].map((shape) => shape.map(provisional));
  const isOfFirst = flags?.every((size, dim) => size === sizes?.[dim]) === true;
  if (!isOfFirst || !isForEach(words, value, sizes?.slice(mask.shape.length) ?? [])) return false;
  const changed = operated(words, operator, [self, value], context, span);
  if (changed === undefined || words.tensorOf(changed)?.dtype !== tensor.dtype) return false;
  const at = { context, span };
  let condition = key;
  for (let dim = mask.shape.length; dim < tensor.shape.length; dim += 1)
    condition = callEntry(words, "unsqueeze", [condition], { dim }, at);
  words.replace(self, callEntry(words, "where", [condition, changed, self], {}, at));
  return true;
}

/** Whether a value broadcasts over all selected elements, or over selected rows of these sizes. */
function isForEach(words: TensorCalls, value: Value, rest: readonly number[]): boolean {
  if (numberOf(value) !== undefined) return true;
  const shape = words.tensorOf(value)?.shape?.map(provisional);
  const skipped = rest.length - (shape?.length ?? 0);
  return (
    shape !== undefined &&
    skipped >= 0 &&
    words.tensorOf(value)?.isUnknown !== true &&
    shape.every((size, dim) => size === 1 || size === rest[dim + skipped])
  );
}
