// A tensor as the sequence of its rows: for loops, unpacking, `len`.

import type { Span } from "#core/diagnostics";
import type { Context, HostObject, Value } from "#language/python";
import { trains } from "../trace/repeated-rounds.ts";
import { provisional } from "../trace/size.ts";
import type { At } from "./call-place.ts";
import { isRaw } from "./data-rows.ts";
import { callEntry } from "./library-calls.ts";
import type { TensorCalls } from "./tensor-calls.ts";
import { isOpaque } from "./tensor-index.ts";

/** Most rows that a loop reads one by one. */
const mostRows = 4096;

/** Slices along the first dim, as iterating or unpacking a tensor gives them. */
export function rowsOf(
  words: TensorCalls,
  self: HostObject,
  context: Context,
  span: Span,
  count?: number,
): readonly Value[] | undefined {
  const tensor = words.tensorOf(self);
  if (tensor?.isUnknown === true || isOpaque(tensor))
    return partsOfUnknown(words, self, count, { context, span });
  const size = tensor?.shape?.[0];
  if (tensor?.shape !== undefined && size === undefined)
    return context.raise("TypeError", "iteration over a 0-d tensor", span);
  const length =
    size === undefined ? count : typeof size === "number" ? size : (count ?? provisional(size));
  if (length === undefined) return undefined;
  if (length > mostRows)
    return leaveOut(`${length} rows are more than are gone through one by one`, context, span);
  const at = { context, span };
  return Array.from({ length }, (_, index) =>
    callEntry(words, "select", [self], { dim: 0, index }, at),
  );
}

function leaveOutRows(words: TensorCalls, self: Value, context: Context, span: Span): never {
  const name = words.tensorOf(self)?.name?.text ?? "this tensor";
  return leaveOut(`nobody knows how many rows "${name}" has`, context, span);
}

/** Leaves out the statement that iterates or counts rows; the names it sets become unknown. */
function leaveOut(why: string, context: Context, span: Span): never {
  const message = `${why}: what goes through them is left out, and what it sets is unknown`;
  return context.leaveOut({ code: "document/unknown-value", severity: "warning", message, span });
}

/** Assumed number of samples in training data of unknown size. */
const manySamples = 1e9;

/**
 * `len(x)` of a tensor of unknown shape: `manySamples` for training data; otherwise the statement
 * is left out.
 */
export function unknownLength(
  words: TensorCalls,
  self: Value,
  context: Context,
  span: Span,
): number {
  const tensor = words.tensorOf(self);
  const isData = tensor !== undefined && isRaw(tensor) && trains(context.source);
  if (isData) return manySamples;
  return leaveOutRows(words, self, context, span);
}

/**
 * Items of a tensor of unknown shape: unknown tensors when the number of items is known; otherwise
 * the statement is left out.
 */
function partsOfUnknown(
  words: TensorCalls,
  self: HostObject,
  count: number | undefined,
  { context, span }: At,
): readonly Value[] {
  if (count !== undefined)
    return Array.from({ length: count }, () =>
      words.unknownResult("getitem", [self], context, span),
    );
  return leaveOutRows(words, self, context, span);
}
