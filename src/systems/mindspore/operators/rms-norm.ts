import { type Checked, passed } from "#core/diagnostics";
import type { MapEntry } from "../layout.ts";
import {
  type Inferred,
  isSameEntry,
  type OperatorCall,
  type OperatorRule,
  refused,
  valuesFrom,
} from "./call.ts";

/**
 * RmsNorm: x whole on the dims that gamma has, gamma whole. It also gives the reciprocal root,
 * which lies like x with nothing on those dims (mindspore.md §6.5).
 */
export const rmsNormRule: OperatorRule = {
  tuples: (call) => {
    const [x = [], gamma = []] = call.strategies;
    const isWhole = [...x.slice(firstNormed(call)), ...gamma].every((value) => value === 1);
    const map = valuesFrom(x.length, 0, x.length);
    return rmsNorm(call, x, [map, map.slice(firstNormed(call))], isWhole);
  },
  layouts: (call) => {
    const [x = [], gamma = []] = call.maps;
    const normed = [...x.slice(firstNormed(call)), ...gamma];
    const isWhole = normed.every((entry) => isSameEntry(entry, -1));
    return rmsNorm(call, call.deviceMatrix, call.maps, isWhole);
  },
};

function firstNormed({ shapes: [x = [], gamma = []] }: OperatorCall): number {
  return x.length - gamma.length;
}

function rmsNorm(
  call: OperatorCall,
  deviceMatrix: readonly number[],
  inputMaps: readonly (readonly MapEntry[])[],
  isWhole: boolean,
): Checked<Inferred> {
  const [shape = [], gamma] = call.shapes;
  const begin = firstNormed(call);
  if (gamma === undefined || call.shapes.length !== 2 || begin < 0) {
    return refused("RmsNorm takes x, and gamma of no more dims");
  }
  if (!isWhole) return refused("RmsNorm cannot be split on the dims that it normalises");
  const [map = []] = inputMaps;
  const root = {
    shape: shape.map((size, dim) => (dim < begin ? size : 1)),
    map: map.map((entry, dim) => (dim < begin ? entry : -1)),
  };
  return passed({ deviceMatrix, inputMaps, outputs: [{ shape, map }, root], forward: [] });
}
