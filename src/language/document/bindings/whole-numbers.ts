import type { Fix, Span } from "#core/diagnostics";
import type { LibraryEntry } from "#core/ir";
import type { Argument, Context, SpanTree, Value } from "#language/python";
import { itemsOf } from "./values.ts";

interface Placed {
  readonly value: Value;
  readonly span: Span;
}

/** The fix that makes whole numbers of floats: `4.0` as `4`, `8 / 2` as `8 // 2`. */
export function asWhole(numbers: readonly Placed[], source: string): readonly Fix[] {
  const floats = numbers.filter(({ value }) => value.kind === "float");
  const edits = floats.map(({ value, span: { from, to } }) => {
    return { from, to, text: wholeText(value, source.slice(from, to)) };
  });
  const texts = edits.flatMap(({ text }) => (text === undefined ? [] : [text]));
  if (texts.length === 0 || texts.length < edits.length) return [];
  const written = edits.map(({ from, to, text = "" }) => ({ from, to, text }));
  return [{ title: `Write ${texts.join(", ")}`, edits: written }];
}

/** The items of a tuple with their places, where those are known. */
export function placedItems(value: Value, tree: SpanTree | undefined): readonly Placed[] {
  return (itemsOf(value) ?? []).flatMap((item, index) => {
    const span = tree?.items[index]?.span;
    return span === undefined ? [] : [{ value: item, span }];
  });
}

/** Refuses a size or a dim that is a float, where an operator takes integers in a row. */
export function requireWhole(
  op: string,
  entry: LibraryEntry,
  args: readonly Argument[],
  context: Context,
): void {
  if (entry.gathers === undefined) return;
  const row = args.filter(({ name }) => name === undefined);
  const placed = row.flatMap((each) => [each, ...placedItems(each.value, each.tree)]);
  const wrong = placed.find(({ value }) => value.kind === "float");
  if (wrong?.value.kind !== "float") return;
  const message = `${op}() takes integers, not the float ${context.text(wrong.value)}`;
  context.raise("TypeError", message, wrong.span, { fixes: asWhole(placed, context.source) });
}

function wholeText(value: Value, text: string): string | undefined {
  if (value.kind !== "float") return undefined;
  if (/^\d+\.0*$/.test(text)) return String(value.value);
  return /[^/]\/[^/]/.test(text) && !/['"#]/.test(text)
    ? text.replaceAll(/(?<!\/)\/(?!\/)/g, "//")
    : undefined;
}
