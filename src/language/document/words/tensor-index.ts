import type { Span } from "#core/diagnostics";
import { library } from "#core/ir";
import type { Argument, Context, HostObject, Value } from "#language/python";
import { isBoolean } from "./boolean-tensors.ts";
import type { TensorCalls } from "./tensor-calls.ts";
import { integer, integerOf, itemsOf } from "./values.ts";

/**
 * `x[i, a:b, ..., None]` as the operators that it stands for, from left to right: an integer
 * selects, a range slices, `None` adds a dim, `...` skips dims, a tensor of indices gathers rows.
 */
export function indexTensor(
  words: TensorCalls,
  self: HostObject,
  key: Value,
  context: Context,
  span: Span,
): Value | undefined {
  const keys = key.kind === "tuple" ? key.items : [key];
  const rank = words.tensorOf(self)?.shape?.length ?? keys.length;
  const skipped = keys.filter((each) => each.kind !== "ellipsis" && each.kind !== "none").length;
  const run = { words, context, span };
  let value: Value = self;
  let dim = 0;
  for (const each of keys) {
    if (each.kind === "ellipsis") {
      dim += Math.max(0, rank - skipped);
      continue;
    }
    const step = stepFor(run, value, each, dim);
    if (step === undefined) {
      return context.raise(
        "IndexError",
        "a tensor is indexed by integers, ranges, ... and None",
        span,
      );
    }
    value = step.value;
    if (step.keepsDim) dim += 1;
  }
  return value;
}

interface Run {
  readonly words: TensorCalls;
  readonly context: Context;
  readonly span: Span;
}

interface Step {
  readonly value: Value;
  readonly keepsDim: boolean;
}

function stepFor(run: Run, value: Value, key: Value, dim: number): Step | undefined {
  const index = integerOf(key);
  if (index !== undefined) {
    return { value: apply(run, "select", value, { dim, index }), keepsDim: false };
  }
  if (key.kind === "none") {
    return { value: apply(run, "unsqueeze", value, { dim }), keepsDim: true };
  }
  if (key.kind === "slice") {
    const [start, stop, step] = [key.start, key.stop, key.step].map(integerOf);
    const isWhole = start === undefined && stop === undefined && step === undefined;
    const given = { dim, ...defined({ start, stop, step }) };
    return { value: isWhole ? value : apply(run, "slice", value, given), keepsDim: true };
  }
  if (run.words.tensorOf(key) === undefined && itemsOf(key) === undefined) return undefined;
  const entry = library.get("embedding");
  const indices = run.words.tensorOf(key);
  if (entry === undefined || dim !== 0 || indices === undefined) return undefined;
  if (isBoolean(indices))
    run.words.refuse("it picks elements by their values", run.context, run.span);
  const args = [key, value].map((each) => ({ value: each, span: run.span }));
  const style = { op: "getitem", stem: "gather", reducesInside: false };
  return { value: run.words.call(entry, style, args, run.context, run.span), keepsDim: true };
}

function apply(
  { words, context, span }: Run,
  name: string,
  value: Value,
  attributes: Readonly<Record<string, number>>,
): Value {
  const entry = library.get(name);
  if (entry === undefined) return value;
  const given = Object.entries(attributes).map(
    ([key, number]): Argument => ({ name: key, value: integer(number), span }),
  );
  const style = { op: name, reducesInside: false };
  return words.call(entry, style, [{ value, span }, ...given], context, span);
}

function defined(
  values: Readonly<Record<string, number | undefined>>,
): Readonly<Record<string, number>> {
  const pairs = Object.entries(values).filter(
    (pair): pair is [string, number] => pair[1] !== undefined,
  );
  return Object.fromEntries(pairs);
}
