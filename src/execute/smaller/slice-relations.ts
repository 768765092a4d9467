import type { Graph, Operand, Operator } from "#core/ir";
import { groupedBy } from "#core/records";
import { dimNode, type ShapeOf, type SizeRelation } from "./size-nodes.ts";
import { sliceOf } from "./slices.ts";

/**
 * Size relations of a slice: to the slices that complete it to a whole dim, or of the slice alone.
 */
export function sliceRelations(
  operator: Operator,
  shapeOf: ShapeOf,
  tiled: ReadonlyMap<string, readonly Operand[]>,
): readonly SizeRelation[] {
  const slice = sliceOf(operator, shapeOf);
  if (slice === undefined) return [];
  const { whole, part, size, length, how } = slice;
  const tiles = tiled.get(slice.key);
  if (tiles !== undefined) {
    return [{ kind: "sum", whole, parts: tiles.map(({ tensor }) => dimNode(tensor, slice.dim)) }];
  }
  switch (how) {
    case "all":
      return [{ kind: "same", nodes: [whole, part] }];
    case "one":
      return slice.start === size - 1
        ? []
        : [{ kind: "least", node: whole, size: slice.start + 1 }];
    case "strided":
      return [{ kind: "product", left: [whole], right: [slice.step, part] }];
    case "parts":
      return [{ kind: "product", left: [whole], right: [size / length, part] }];
    case "ends":
      return [{ kind: "sum", whole, parts: [part, size - length] }];
    case "fixed":
      return [
        { kind: "pinned", node: whole },
        { kind: "pinned", node: part },
      ];
  }
}

/** Slices that together cover a dim, in order, by the key of the dim. */
export function tilesOf(graph: Graph, shapeOf: ShapeOf): ReadonlyMap<string, readonly Operand[]> {
  const slices = graph.operators.flatMap((operator) => {
    const slice = operator.entry === "slice" ? sliceOf(operator, shapeOf) : undefined;
    const output = operator.outputs[0];
    return slice === undefined || output === undefined ? [] : [{ ...slice, output }];
  });
  const tiled = new Map<string, readonly Operand[]>();
  for (const [key, cut] of groupedBy(slices, (each) => each.key)) {
    const byStart = new Map(cut.map((each) => [each.start, each]));
    const tiles: Operand[] = [];
    let at = 0;
    for (
      let next = byStart.get(at);
      next !== undefined && next.step === 1;
      next = byStart.get(at)
    ) {
      tiles.push(next.output);
      at += next.length;
    }
    const isWhole = at === cut[0]?.size && tiles.length === cut.length && tiles.length > 1;
    if (isWhole) tiled.set(key, tiles);
  }
  return tiled;
}
