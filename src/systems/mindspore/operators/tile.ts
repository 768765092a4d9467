import { greatestCommonDivisor, product } from "#core/arithmetic";
import { type Checked, passed } from "#core/diagnostics";
import type { MapEntry } from "../layout.ts";
import { axisSizeOf } from "../redistribution/flat-layout.ts";
import {
  entryList,
  type Inferred,
  integersIn,
  type LayoutCall,
  type OperatorCall,
  type OperatorRule,
  refused,
  type TupleCall,
  valuesFrom,
} from "./call.ts";

/**
 * Tile: one strategy value per dim of the result. On a repeated dim it cuts the repetitions and the
 * input stays whole, on other dims it cuts the input's dim (MindSpore 2.10's `tile_info`).
 */
export const tileRule: OperatorRule = {
  tuples: tileTuples,
  layouts: tileLayouts,
  takesOutLayout: true,
  cutSizes: (call) => [
    resultDims(call).map(({ size, multiple }) => (multiple > 1 ? multiple : size)),
  ],
  /**
   * Cuts dim 0 by the greatest common divisor of the input's dim 0 and the devices, whatever its
   * repetitions.
   */
  defaultStrategies: (call) => {
    const pieces = greatestCommonDivisor(call.shapes[0]?.[0] ?? 1, call.devices);
    return [resultDims(call).map((_, dim) => (dim === 0 ? pieces : 1))];
  },
};

interface ResultDim {
  /** Size of the input's dim; 1 if the input lacks it. */
  readonly size: number;
  readonly multiple: number;
  /** Index of the input's dim; negative if the input lacks it. */
  readonly dim: number;
}

function resultDims(call: OperatorCall): readonly ResultDim[] {
  const [shape = []] = call.shapes;
  const multiples = multiplesOf(call) ?? shape.map(() => 1);
  const added = multiples.length - shape.length;
  return multiples.map((multiple, at) => {
    return { size: shape[at - added] ?? 1, multiple, dim: at - added };
  });
}

/** Repetitions of each dim of the result; `undefined` unless they are given for every dim. */
function multiplesOf(call: OperatorCall): readonly number[] | undefined {
  const { shapes, attributes, arguments: given } = call;
  const multiples = integersIn(attributes.multiples ?? attributes.dims ?? given[0]);
  if (multiples === undefined || multiples.length < (shapes[0]?.length ?? 0)) return undefined;
  return multiples.every((count) => count >= 1) ? multiples : undefined;
}

const noMultiples = "Tile needs a multiple of 1 or more for each dim";

function tileTuples(call: TupleCall): Checked<Inferred> {
  if (multiplesOf(call) === undefined) return refused(noMultiples);
  const [cut = []] = call.strategies;
  const map = valuesFrom(cut.length, 0, cut.length);
  const ofInput = resultDims(call).flatMap(({ multiple, dim }, at): MapEntry[] =>
    dim < 0 ? [] : [multiple > 1 ? -1 : (map[at] ?? -1)],
  );
  return passed(tiled(call, cut, ofInput, map));
}

/**
 * Tile with Layouts: repeated dims of the input are whole, and the result's Layout cuts the
 * repetitions.
 */
function tileLayouts(call: LayoutCall): Checked<Inferred> {
  if (multiplesOf(call) === undefined) return refused(noMultiples);
  const [map = []] = call.maps;
  const dims = resultDims(call);
  const isCut = (entry: MapEntry | undefined) => piecesIn(call, entry) > 1;
  if (dims.some(({ size, multiple, dim }) => multiple > 1 && size > 1 && isCut(map[dim]))) {
    return refused("Tile cannot be split on a dim that it repeats");
  }
  const { outMap } = call;
  if (outMap === undefined) {
    return dims.some(({ dim, multiple }) => dim < 0 && multiple > 1)
      ? refused("Tile needs an output layout where the result has more dims than the input")
      : passed(tiled(call, call.deviceMatrix, map, outOf(dims, map)));
  }
  if (outMap.length !== dims.length) return refused("the output layout of Tile has other dims");
  const uneven = dims.some(
    ({ multiple }, at) => multiple > 1 && multiple % piecesIn(call, outMap[at]) !== 0,
  );
  return uneven
    ? refused("the multiple of Tile cannot be divided as its output layout says")
    : passed(tiled(call, call.deviceMatrix, map, outMap));
}

function piecesIn({ deviceMatrix }: LayoutCall, entry: MapEntry | undefined): number {
  return product(entryList(entry).map((value) => axisSizeOf(deviceMatrix, value)));
}

function outOf(dims: readonly ResultDim[], map: readonly MapEntry[]): readonly MapEntry[] {
  return dims.map(({ dim }) => map[dim] ?? -1);
}

function tiled(
  call: OperatorCall,
  deviceMatrix: readonly number[],
  inputMap: Inferred["inputMaps"][number],
  map: Inferred["inputMaps"][number],
): Inferred {
  const shape = resultDims(call).map(({ size, multiple }) => size * multiple);
  return { deviceMatrix, inputMaps: [inputMap], outputs: [{ shape, map }], forward: [] };
}
