import { type Checked, passed } from "#core/diagnostics";
import type { MapEntry } from "../layout.ts";
import { axisSizeOf } from "../redistribution/flat-layout.ts";
import {
  entryList,
  type Inferred,
  isSameEntry,
  type OperatorCall,
  type OperatorRule,
  refused,
  valuesFrom,
} from "./call.ts";

/**
 * RmsNorm: gamma cut like the dims of x that it has; where these are cut, their squares are summed
 * over the devices. It also gives the reciprocal root, which lies like x with nothing on those dims
 * (MindSpore 2.10's `rms_norm_info`).
 */
export const rmsNormRule: OperatorRule = {
  tuples: (call) => {
    const [x = [], gamma = []] = call.strategies;
    const map = valuesFrom(x.length, 0, x.length);
    const isAlike = x.slice(firstNormed(call)).join() === gamma.join();
    return rmsNorm(call, x, [map, map.slice(firstNormed(call))], isAlike);
  },
  layouts: (call) => {
    const [x = [], gamma = []] = call.maps;
    const normed = x.slice(firstNormed(call));
    const isAlike = normed.every((entry, dim) => isSameEntry(entry, gamma[dim] ?? -1));
    return rmsNorm(call, call.deviceMatrix, call.maps, isAlike);
  },
};

function firstNormed({ shapes: [x = [], gamma = []] }: OperatorCall): number {
  return x.length - gamma.length;
}

function rmsNorm(
  call: OperatorCall,
  deviceMatrix: readonly number[],
  inputMaps: readonly (readonly MapEntry[])[],
  isAlike: boolean,
): Checked<Inferred> {
  const [shape = [], gamma] = call.shapes;
  const begin = firstNormed(call);
  if (gamma === undefined || call.shapes.length !== 2 || begin < 0) {
    return refused("RmsNorm takes x, and gamma of no more dims");
  }
  if (!isAlike) return refused("gamma of RmsNorm must be cut like the dims that it normalises");
  const [map = []] = inputMaps;
  const root = {
    shape: shape.map((size, dim) => (dim < begin ? size : 1)),
    map: map.map((entry, dim) => (dim < begin ? entry : -1)),
  };
  const axes = map
    .slice(begin)
    .flatMap(entryList)
    .filter((axis) => axisSizeOf(deviceMatrix, axis) > 1);
  const forward = axes.length === 0 ? [] : [{ primitive: "AllReduce", axes } as const];
  return passed({ deviceMatrix, inputMaps, outputs: [{ shape, map }, root], forward });
}
