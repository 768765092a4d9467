import { type Checked, passed } from "#core/diagnostics";
import { axisSizeOf, productOf } from "../redistribution/flat-layout.ts";
import {
  dimOf,
  entryList,
  type Inferred,
  type LayoutCall,
  type OperatorCall,
  type OperatorRule,
  refused,
  type TupleCall,
  valuesFrom,
} from "./call.ts";

/** Split: whole on its axis, and every result lies like the input (mindspore.md §6.5). */
export const splitRule: OperatorRule = {
  tuples: splitTuples,
  layouts: splitLayouts,
  batchDims: (call) => {
    const isFree = (call.shapes[0]?.length ?? 0) > 1 && splitAxis(call) !== 0;
    return isFree ? [[0, 0]] : [];
  },
};

function splitAxis({ shapes, attributes, arguments: [given] }: OperatorCall): number | undefined {
  return dimOf(attributes.axis ?? given ?? 0, shapes[0]?.length ?? 0);
}

function splitTuples(call: TupleCall): Checked<Inferred> {
  const [cut = []] = call.strategies;
  const map = valuesFrom(cut.length, 0, cut.length);
  return splitInto(call, cut, map, (axis) => (cut[axis] ?? 1) !== 1);
}

function splitLayouts(call: LayoutCall): Checked<Inferred> {
  const { deviceMatrix, maps } = call;
  const [map = []] = maps;
  const isCut = (axis: number) => {
    const sizes = entryList(map[axis]).map((value) => axisSizeOf(deviceMatrix, value));
    return productOf(sizes) !== 1;
  };
  return splitInto(call, deviceMatrix, map, isCut);
}

function splitInto(
  call: OperatorCall,
  deviceMatrix: readonly number[],
  map: Inferred["inputMaps"][number],
  isCut: (axis: number) => boolean,
): Checked<Inferred> {
  const [shape = []] = call.shapes;
  const axis = splitAxis(call);
  if (axis === undefined) return refused("Split has no such axis");
  const count = call.attributes.output_num ?? call.arguments[1] ?? 1;
  const size = shape[axis] ?? 1;
  if (typeof count !== "number" || count < 1 || size % count !== 0) {
    return refused(`Split cannot make ${String(count)} equal results of ${size} elements`);
  }
  if (isCut(axis) && call.attributes.skip_redistribution !== true)
    return refused("Split cannot be split on its axis");
  const output = { shape: shape.with(axis, size / count), map };
  const outputs = Array.from({ length: count }, () => output);
  return passed({ deviceMatrix, inputMaps: [map], outputs, forward: [] });
}
