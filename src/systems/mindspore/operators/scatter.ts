import { type Checked, passed } from "#core/diagnostics";
import { specOf } from "../primitives/index.ts";
import {
  type Inferred,
  type LayoutCall,
  type OperatorRule,
  refused,
  sliceOf,
  type TupleCall,
  valuesFrom,
} from "./call.ts";

/** TensorScatterUpdate and similar operators (mindspore.md §5.7). */
export const scatterRule: OperatorRule = { tuples: scatterTuples, batchDims: () => [] };

function scatterTuples({ op, shapes, strategies }: TupleCall): Checked<Inferred> {
  const [input = [], indices = [], updates = []] = shapes;
  const [cut = [], indexCut = [], updateCut = []] = strategies;
  if (shapes.length !== 3) return refused(`${op} takes input, indices and updates`);
  const depth = indices.at(-1) ?? 0;
  const leading = indices.length - 1;
  const isWhole = (entries: readonly number[]) => entries.every((value) => value === 1);
  if (!isWhole(cut.slice(0, depth))) return refused(`${op} cannot be split on indexed dims`);
  if (!isWhole(indexCut)) return refused(`${op} cannot be split on its indices`);
  const trailing = updateCut.slice(leading);
  if (!isWhole(updateCut.slice(0, leading)) || trailing.join() !== cut.slice(depth).join()) {
    return refused(`updates of ${op} must be cut like the trailing dims of its input`);
  }
  const map = valuesFrom(input.length, 0, input.length);
  const updateMap = updates.map((_, dim) =>
    dim < leading ? -1 : (map[dim - leading + depth] ?? -1),
  );
  return passed({
    deviceMatrix: cut,
    inputMaps: [map, indices.map(() => -1), updateMap],
    outputs: [{ shape: input, map }],
    forward: [],
  });
}

/** The rule of any operator under `self_define_shard`. */
export const selfDefinedRule: OperatorRule = {
  layouts: selfDefined,
  takesOutStrategy: true,
};

/** The layouts are used as written, without collectives. */
function selfDefined(call: LayoutCall): Checked<Inferred> {
  const { op, shapes, maps, outMap, deviceMatrix } = call;
  if (outMap === undefined) return refused(`${op} with self_define_shard needs an output layout`);
  const links = specOf(op)?.links(call);
  const made = typeof links === "object" ? links.outputs[0]?.map(({ size }) => size) : undefined;
  const shape = made ?? shapes.find((each) => each.length === outMap.length) ?? [];
  const local = sliceOf(shape, outMap, deviceMatrix);
  if (shape.length !== outMap.length || !local.every(Number.isInteger)) {
    return refused(`the output layout of ${op} does not fit its result`);
  }
  return passed({ deviceMatrix, inputMaps: maps, outputs: [{ shape, map: outMap }], forward: [] });
}
