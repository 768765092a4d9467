import type { Fix, TextEdit } from "#core/diagnostics";
import { assumedOf, asWhole, placedItems } from "#language/document/bindings";
import { integerOf, itemsOf } from "#language/document/bindings/values";
import type { Argument, Context, SpanTree, Value } from "#language/python";
import { type MindsporeLayout, mindsporeLayoutOf } from "./layouts.ts";

/** One strategy argument of `shard`: tuples of integers, or called layouts. */
export type Side =
  | { readonly kind: "tuples"; readonly values: readonly (readonly number[])[] }
  | { readonly kind: "layouts"; readonly layouts: readonly MindsporeLayout[] };

/** Number of pieces assumed for an undefined name in a strategy. */
const assumedPieces = 2;

/** Reads a strategy argument with the checks of MindSpore's Python side (mindspore.md §2.1). */
export function readSide(name: string, argument: Argument, context: Context): Side {
  const { value, span, tree } = argument;
  if (value.kind !== "tuple") {
    const message = `${name} must be a tuple of tuples or of Layouts`;
    return context.raise("TypeError", message, span, { fixes: asTuples(context.source, tree) });
  }
  const items = spread(value.items).map((item, index) => {
    const place = tree?.items[index]?.span ?? span;
    const layout = mindsporeLayoutOf(item);
    const numbers = item.kind === "tuple" ? piecesIn(item.items) : undefined;
    if (layout !== undefined || numbers !== undefined) return { layout, numbers, place };
    if (itemsOf(item)?.some(({ kind }) => kind === "bool") && item.kind === "tuple") {
      const cast = `${name} has a bool: Python takes it for an integer, MindSpore's compiler does not`;
      return context.raise("RuntimeError", cast, place);
    }
    const message = `every element of ${name} must be a tuple of integers or a Layout`;
    const fixes = [
      ...asTuples(context.source, tree),
      ...asWhole(placedItems(item, tree?.items[index]), context.source),
    ];
    return context.raise("TypeError", message, place, { fixes });
  });
  const layouts = items.flatMap(({ layout }) => layout ?? []);
  const values = items.flatMap(({ numbers }) => (numbers === undefined ? [] : [numbers]));
  if (layouts.length === 0) return { kind: "tuples", values };
  if (values.length === 0) return { kind: "layouts", layouts };
  const startsWithLayout = items[0]?.layout !== undefined;
  const mixed = `${name} mixes tuples and Layouts`;
  return context.raise(startsWithLayout ? "TypeError" : "RuntimeError", mixed, span);
}

/** Flattens one level: strategies of a tuple of tensors join those of the other operands. */
function spread(items: readonly Value[]): readonly Value[] {
  return items.flatMap((item) => {
    const inner = item.kind === "tuple" ? item.items : [];
    const isNested = inner.some(
      (each) => each.kind === "tuple" || mindsporeLayoutOf(each) !== undefined,
    );
    return isNested ? inner : [item];
  });
}

/** The fix that writes lists as tuples, with a trailing comma in a tuple of one. */
function asTuples(source: string, tree: SpanTree | undefined): readonly Fix[] {
  const edits = tree === undefined ? [] : bracketEdits(source, tree);
  return edits.length === 0 ? [] : [{ title: "Write tuples", edits }];
}

function bracketEdits(source: string, { kind, span, items }: SpanTree): readonly TextEdit[] {
  const inner = items.flatMap((item) => bracketEdits(source, item));
  if (kind !== "list" || source[span.from] !== "[") return inner;
  const isOne = items.length === 1 && !/,\s*\]$/.test(source.slice(span.from, span.to));
  return [
    { from: span.from, to: span.from + 1, text: "(" },
    ...inner,
    { from: span.to - 1, to: span.to, text: isOne ? ",)" : ")" },
  ];
}

function piecesIn(items: readonly Argument["value"][]): readonly number[] | undefined {
  const read = items.map((item) =>
    assumedOf(item) === undefined ? integerOf(item) : assumedPieces,
  );
  return read.every((pieces) => pieces !== undefined) ? read : undefined;
}
