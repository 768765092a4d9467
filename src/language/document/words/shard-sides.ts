import type { Argument, Context } from "#language/python";
import { assumedOf } from "./assumed.ts";
import { type MindsporeLayout, mindsporeLayoutOf } from "./layouts.ts";
import { integerOf } from "./values.ts";

/** One strategy argument of `shard`: tuples of integers, or called layouts. */
export type Side =
  | { readonly kind: "tuples"; readonly values: readonly (readonly number[])[] }
  | { readonly kind: "layouts"; readonly layouts: readonly MindsporeLayout[] };

/** Pieces that an undefined name in a strategy stands for. */
const assumedPieces = 2;

/** Reads a strategy argument with the checks of MindSpore's Python side (mindspore.md §2.1). */
export function readSide(name: string, argument: Argument, context: Context): Side {
  const { value, span, tree } = argument;
  if (value.kind !== "tuple") {
    return context.raise("TypeError", `${name} must be a tuple of tuples or of Layouts`, span);
  }
  const items = value.items.map((item, index) => {
    const place = tree?.items[index]?.span ?? span;
    const layout = mindsporeLayoutOf(item);
    const numbers = item.kind === "tuple" ? piecesIn(item.items) : undefined;
    if (layout !== undefined || numbers !== undefined) return { layout, numbers, place };
    const message = `every element of ${name} must be a tuple of integers or a Layout`;
    return context.raise("TypeError", message, place);
  });
  const layouts = items.flatMap(({ layout }) => layout ?? []);
  const values = items.flatMap(({ numbers }) => (numbers === undefined ? [] : [numbers]));
  if (layouts.length === 0) return { kind: "tuples", values };
  if (values.length === 0) return { kind: "layouts", layouts };
  const startsWithLayout = items[0]?.layout !== undefined;
  const mixed = `${name} mixes tuples and Layouts`;
  return context.raise(startsWithLayout ? "TypeError" : "RuntimeError", mixed, span);
}

function piecesIn(items: readonly Argument["value"][]): readonly number[] | undefined {
  const read = items.map((item) =>
    assumedOf(item) === undefined ? integerOf(item) : assumedPieces,
  );
  return read.every((pieces) => pieces !== undefined) ? read : undefined;
}
