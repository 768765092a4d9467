import type { BuiltGraph } from "#language/document/graph";
import { shapeOf, type Trace, type TracedTensor } from "#language/document/trace";
import type { WrittenStrategy } from "../operators/model-operator.ts";
import type { SearchOperator } from "../search/search-graph.ts";

/**
 * The inputs of a net that `shard` places, by name: MindSpore puts an operator behind each that
 * passes it on with that strategy, from which propagation starts.
 */
export function placedInputs(
  { places, placedPieces }: Pick<Trace, "places" | "placedPieces">,
  { tracedBy }: Pick<BuiltGraph, "tracedBy">,
  devices: number,
): ReadonlyMap<string, SearchOperator> {
  const written = new Map<TracedTensor | string, WrittenStrategy>();
  for (const { target, pieces } of placedPieces)
    written.set(target, { kind: "tuples", inputs: [pieces] });
  for (const { target, layout, spec } of places) {
    if (spec === undefined) continue;
    const { deviceMatrix, isInterleaved } = spec;
    const inputs = [layout.dims.map(({ entry }) => entry ?? -1)];
    written.set(target, { kind: "layouts", deviceMatrix, inputs, isInterleaved });
  }
  const call = { op: "ReLU", attributes: {}, arguments: [], parameters: [], devices, rank: 0 };
  return new Map(
    [...tracedBy].flatMap(([name, tensor]) => {
      const own = tensor.producer === undefined ? written.get(tensor) : undefined;
      if (own === undefined) return [];
      const shapes = [shapeOf(tensor)];
      return [[name, { name: `shard(${name})`, call: { ...call, shapes }, written: own }] as const];
    }),
  );
}
