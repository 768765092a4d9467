import type { Span } from "#core/diagnostics";
import { integersOf, itemsOf, textOf } from "#language/document/bindings/values";
import type { Argument, Context, Value } from "#language/python";
import { type Feeding, piecesOf } from "./fed-batch.ts";
import { dtypesOf } from "./leaf.ts";
import type { MindsporeParts } from "./parts.ts";

/** Services for `GetNext`, and how the context feeds a net. */
export interface NextParts extends Pick<MindsporeParts, "recorder" | "tensors"> {
  readonly feeding: () => Feeding | undefined;
}

/**
 * `GetNext(types, shapes, output_num, shared_name)()`: the next rows of the dataset, a tuple of
 * tensors with these global shapes, sharded as the dataset is. `undefined` if a shape is not known.
 */
export function nextRows(
  { recorder, tensors, feeding }: NextParts,
  constructed: readonly Argument[],
  context: Context,
  span: Span,
): Value | undefined {
  const given = (name: string) => constructed.find((each) => each.name === name)?.value;
  const [types, shapes] = [given("types"), given("shapes")];
  const rows = (shapes && itemsOf(shapes))?.map((each) => integersOf(each));
  if (types === undefined || rows === undefined || rows.length === 0) return undefined;
  const known = rows.filter((shape) => shape !== undefined);
  if (known.length < rows.length) return undefined;
  const named = itemsOf(types) ?? [];
  const fed = feeding();
  const items = known.map((shape, at) => {
    const dtypes = dtypesOf(textOf(named[at]) ?? "float32");
    const spec = { role: "input", shape, shapeStatus: "set", ...dtypes, span } as const;
    const tensor = recorder.leaf(spec, context);
    const pieces = fed && piecesOf(fed, shape, at);
    if (pieces?.length === shape.length) tensor.fed = pieces;
    return tensors.object(tensor);
  });
  return { kind: "tuple", items };
}
