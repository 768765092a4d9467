// A tensor as the row of its parts: for loops, unpacking, len.

import type { Span } from "#core/diagnostics";
import type { Context, HostObject, Value } from "#language/python";
import { trains } from "../trace/repeated-rounds.ts";
import { provisional } from "../trace/size.ts";
import type { At } from "./call-place.ts";
import { isRaw } from "./data-rows.ts";
import { callEntry } from "./library-calls.ts";
import type { TensorCalls } from "./tensor-calls.ts";
import { isOpaque } from "./tensor-index.ts";

/** Rows that are read one by one at most. */
const mostRows = 4096;

/** The tensors along the first dim: what a loop over a tensor, or an unpacking of it, gives. */
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

/** Ends the statement that goes through rows or counts them: what it sets is unknown. */
function leaveOut(why: string, context: Context, span: Span): never {
  const message = `${why}: what goes through them is left out, and what it sets is unknown`;
  return context.leaveOut({ code: "document/unknown-value", severity: "warning", message, span });
}

/** How many samples data is taken to have that a text trains on, and of which nobody knows it. */
const manySamples = 1e9;

/** `len(x)` of a tensor without a known shape: of data that a text trains on, enough to draw from. */
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

/** The items of a loop over a tensor without a known shape: unknown tensors. */
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
