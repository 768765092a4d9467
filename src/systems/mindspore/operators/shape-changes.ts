import { type Checked, passed } from "#core/diagnostics";
import { axisSizeOf, productOf } from "../redistribution/flat-layout.ts";
import {
  dimOf,
  entryList,
  type Inferred,
  integersIn,
  isNone,
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
  if (isCut(axis)) return refused("Split cannot be split on its axis");
  const output = { shape: shape.with(axis, size / count), map };
  const outputs = Array.from({ length: count }, () => output);
  return passed({ deviceMatrix, inputMaps: [map], outputs, forward: [] });
}

/**
 * Tile: where a dim is repeated its strategy value cuts the repetitions and the input stays whole,
 * elsewhere it cuts the input's dim (mindspore.md §6.5).
 */
export const tileRule: OperatorRule = {
  tuples: tileTuples,
  layouts: tileLayouts,
  cutSizes: (call) => {
    const [shape = []] = call.shapes;
    const multiples = multiplesOf(call) ?? [];
    return [shape.map((size, dim) => ((multiples[dim] ?? 1) > 1 ? (multiples[dim] ?? 1) : size))];
  },
};

/** How often each dim of the input is repeated; `undefined` when that is not said for each. */
function multiplesOf(call: OperatorCall): readonly number[] | undefined {
  const { shapes, attributes, arguments: given } = call;
  const multiples = integersIn(attributes.multiples ?? attributes.dims ?? given[0]);
  const isSound =
    multiples?.length === shapes[0]?.length && multiples?.every((count) => count >= 1) === true;
  return isSound ? multiples : undefined;
}

function tileTuples(call: TupleCall): Checked<Inferred> {
  const [cut = []] = call.strategies;
  const multiples = multiplesOf(call);
  if (multiples === undefined) return refused("Tile needs a multiple of 1 or more for each dim");
  const map = valuesFrom(cut.length, 0, cut.length);
  const inputMap = map.map((value, dim) => ((multiples[dim] ?? 1) > 1 ? -1 : value));
  return passed(tiled(call, cut, inputMap, map));
}

function tileLayouts(call: LayoutCall): Checked<Inferred> {
  const [map = []] = call.maps;
  const multiples = multiplesOf(call);
  if (multiples === undefined) return refused("Tile needs a multiple of 1 or more for each dim");
  if (map.some((entry, dim) => (multiples[dim] ?? 1) > 1 && !isNone(entry))) {
    return refused("Tile cannot be split on a dim that it repeats");
  }
  return passed(tiled(call, call.deviceMatrix, map, map));
}

function tiled(
  call: OperatorCall,
  deviceMatrix: readonly number[],
  inputMap: Inferred["inputMaps"][number],
  map: Inferred["inputMaps"][number],
): Inferred {
  const [shape = []] = call.shapes;
  const multiples = multiplesOf(call) ?? [];
  const output = { shape: shape.map((size, dim) => size * (multiples[dim] ?? 1)), map };
  return { deviceMatrix, inputMaps: [inputMap], outputs: [output], forward: [] };
}
