import { product } from "#core/arithmetic";
import { passed } from "#core/diagnostics";
import { sameItems } from "#core/records";
import type { MapEntry } from "../layout.ts";
import { axisSizeOf } from "../redistribution/flat-layout.ts";
import {
  dimOf,
  entryList,
  integersIn,
  isSameEntry,
  type OperatorCall,
  type OperatorRule,
  refused,
  valuesFrom,
} from "./call.ts";
import { ruleOfFirstInput } from "./first-input.ts";

/** Split: its axis is whole, and every result has the input's layout (mindspore.md §6.5). */
export const splitRule: OperatorRule = {
  ...ruleOfFirstInput(({ call, deviceMatrix, shape, map }) => {
    const axis = axisOf(call);
    if (axis === undefined) return refused("Split has no such axis");
    const count = call.attributes.output_num ?? call.arguments[1] ?? 1;
    const size = shape[axis] ?? 1;
    if (typeof count !== "number" || count < 1 || size % count !== 0) {
      return refused(`Split cannot make ${String(count)} equal results of ${size} elements`);
    }
    const pieces = product(entryList(map[axis]).map((value) => axisSizeOf(deviceMatrix, value)));
    if (pieces !== 1 && call.attributes.skip_redistribution !== true)
      return refused("Split cannot be split on its axis");
    const output = { shape: shape.with(axis, size / count), map };
    const outputs = Array.from({ length: count }, () => output);
    return passed({ deviceMatrix, inputMaps: [map], outputs, forward: [] });
  }),
  batchDims: (call) => {
    const isFree = (call.shapes[0]?.length ?? 0) > 1 && axisOf(call) !== 0;
    return isFree ? [[0, 0]] : [];
  },
};

/** The axis along which an operator splits or concatenates. */
function axisOf({ shapes, attributes, arguments: [given] }: OperatorCall): number | undefined {
  return dimOf(attributes.axis ?? given ?? 0, shapes[0]?.length ?? 0);
}

/** Concat: all inputs have equal strategies, and the axis is whole. */
export const concatRule: OperatorRule = {
  tuples: (call) => {
    const { shapes, strategies } = call;
    const [first = []] = shapes;
    const [cut = []] = strategies;
    const axis = axisOf(call);
    if (axis === undefined) return refused("Concat has no such axis");
    const isAlike = strategies.every((entries) => entries.join() === cut.join());
    if (!isAlike) return refused("Concat needs equal strategies of all inputs");
    if (cut[axis] !== 1) return refused("Concat cannot be split on its axis");
    const map = valuesFrom(first.length, 0, first.length);
    const total = shapes.reduce((sum, shape) => sum + (shape[axis] ?? 0), 0);
    const outputs = [{ shape: first.with(axis, total), map }];
    return passed({ deviceMatrix: cut, inputMaps: shapes.map(() => map), outputs, forward: [] });
  },
  batchDims: (call) =>
    axisOf(call) === 0 ? [] : call.shapes.map((_, input) => [input, 0] as const),
};

/**
 * Warning for a Transpose whose output layout equals its input's: 2.10 accepts it, but transposes
 * the pieces anyway.
 */
const unturned = {
  code: "mindspore/wrong-values",
  severity: "warning",
  message:
    "MindSpore 2.10 takes the layout of what Transpose reads for its result, though every piece is turned: what follows has other values then; here the result lies as it is turned",
} as const;

/** Transpose: any strategy; the result's map is the input's, permuted (mindspore.md §5.3). */
export const transposeRule: OperatorRule = {
  ...ruleOfFirstInput(({ call, deviceMatrix, shape, map }) => {
    const { attributes, arguments: given, outMap, outMatrix = deviceMatrix } = call;
    const order = integersIn(attributes.perm ?? given[0])?.map((axis) => dimOf(axis, shape.length));
    const dims = order?.filter((dim) => dim !== undefined) ?? [];
    if (new Set(dims).size !== shape.length || order?.length !== shape.length) {
      return refused("perm of Transpose must name every dim of its input once");
    }
    const permuted = dims.map((dim) => map[dim] ?? -1);
    const isOut = (entries: readonly MapEntry[]) =>
      outMap === undefined || entries.every((entry, dim) => isSameEntry(entry, outMap[dim]));
    const isTurned = isOut(permuted) && sameItems(outMatrix, deviceMatrix);
    // Upstream transposes the device matrix as well: it accepts the input's own map for the output
    // on a device matrix whose axes have changed places.
    const pieces = (matrix: readonly number[], entry: MapEntry = -1) =>
      product(entryList(entry).map((axis) => axisSizeOf(matrix, axis)));
    const isSwapped = dims.every(
      (dim, at) => pieces(outMatrix, map[dim]) === pieces(deviceMatrix, map[at]),
    );
    if (!isTurned && !(isOut(map) && isSwapped))
      return refused("the output layout of Transpose must be the permuted one");
    const turned = dims.map((dim) => shape[dim] ?? 1);
    const output = isTurned
      ? { shape: turned, map: permuted }
      : { shape: turned, map, deviceMatrix: outMatrix };
    const inferred = { deviceMatrix, inputMaps: [map], outputs: [output], forward: [] };
    return passed(inferred, isTurned ? [] : [unturned]);
  }),
  takesOutLayout: true,
};
