import type { Fix, TextEdit } from "#core/diagnostics";
import { assumedOf, asWhole, placedItems } from "#language/document/bindings";
import { integerOf, itemsOf } from "#language/document/bindings/values";
import type { Argument, Context, SpanTree, Value } from "#language/python";
import { type MindsporeLayout, mindsporeLayoutOf } from "./layouts.ts";

/** One strategy argument of `shard`: tuples of integers, or called layouts. */
export type Side =
  | {
      readonly kind: "tuples";
      readonly values: readonly (readonly number[])[];
      /** For each element of the strategy as written: whether it is a tuple of tuples. */
      readonly nested: readonly boolean[];
    }
  | { readonly kind: "layouts"; readonly layouts: readonly MindsporeLayout[] };

/** Number of pieces assumed for an undefined name in a strategy. */
const assumedPieces = 2;

/**
 * Reads a strategy argument with the checks of MindSpore's Python side (mindspore.md §2.1).
 * @param nests whether the strategy may have a tuple of tuples for an operand that is a list
 */
export function readSide(name: string, argument: Argument, context: Context, nests = false): Side {
  const { value, span, tree } = argument;
  if (value.kind !== "tuple") {
    const message = `${name} must be a tuple of tuples or of Layouts`;
    return context.raise("TypeError", message, span, { fixes: asTuples(context.source, tree) });
  }
  const nested = value.items.map(isNested);
  const items = (nests ? spread(value.items) : value.items).map((item, index) => {
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
  if (layouts.length === 0) return { kind: "tuples", values, nested };
  if (values.length === 0) return { kind: "layouts", layouts };
  const startsWithLayout = items[0]?.layout !== undefined;
  const mixed = `${name} mixes tuples and Layouts`;
  return context.raise(startsWithLayout ? "TypeError" : "RuntimeError", mixed, span);
}

/** The inputs of a strategy; none at all count as Layouts beside results that have Layouts. */
export function alike(inputs: Side, outputs: Side): Side {
  const isEmpty = inputs.kind === "tuples" && inputs.values.length === 0;
  return isEmpty && outputs.kind === "layouts" ? { kind: "layouts", layouts: [] } : inputs;
}

/** Flattens one level: strategies of a tuple of tensors join those of the other operands. */
function spread(items: readonly Value[]): readonly Value[] {
  return items.flatMap((item) => (item.kind === "tuple" && isNested(item) ? item.items : [item]));
}

function isNested(item: Value): boolean {
  if (item.kind !== "tuple") return false;
  return item.items.some((each) => each.kind === "tuple" || mindsporeLayoutOf(each) !== undefined);
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
