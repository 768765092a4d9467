import { passed } from "#core/diagnostics";
import { axisSizeOf } from "../redistribution/flat-layout.ts";
import {
  dimOf,
  entryList,
  integersIn,
  type OperatorCall,
  type OperatorRule,
  refused,
} from "./call.ts";
import { ruleOfFirstInput } from "./first-input.ts";

/** MeanExt, SumExt and ProdExt, which accept Layouts too (mindspore.md §5.6). */
export const extendedReductionRule = ruleOfFirstInput(({ call, deviceMatrix, shape, map, cut }) => {
  const { op, attributes, arguments: given } = call;
  const { cross_batch: crossBatch = false } = attributes;
  if (cut !== undefined && typeof crossBatch !== "boolean") {
    return refused("cross_batch must be bool");
  }
  const dims = reducedDims(attributes.axis ?? attributes.dim ?? given[0] ?? [], shape.length);
  if (dims === undefined) return refused(`${op} has no such axis`);
  if (cut === undefined && dims.some((dim) => entryList(map[dim]).includes(-1)))
    return refused(`MindSpore 2.10 takes a Layout of ${op} only with an axis on every reduced dim`);
  const isKept = (attributes.keep_dims ?? attributes.keepdim) === true;
  const axes = map
    .flatMap((entry, dim) => (dims.includes(dim) ? entryList(entry) : []))
    .filter((value) => axisSizeOf(deviceMatrix, value) > 1);
  const isLeft = crossBatch === true && cut !== undefined && leavesPartial(call, cut);
  const left = shape.flatMap((size, dim) => {
    if (!dims.includes(dim)) return [{ size, entry: map[dim] ?? -1 }];
    return isKept ? [{ size: 1, entry: -1 }] : [];
  });
  return passed({
    deviceMatrix,
    inputMaps: [map],
    outputs: [{ shape: left.map(({ size }) => size), map: left.map(({ entry }) => entry) }],
    forward: axes.length === 0 || isLeft ? [] : [{ primitive: "AllReduce", axes }],
  });
});

/**
 * ReduceSum, ReduceMax, ReduceMin, ReduceMean, ReduceAny and ReduceAll, which accept only tuples.
 */
export const reductionRule: OperatorRule = { tuples: extendedReductionRule.tuples };

/** The reduced dims: all if the axis is empty or None; `undefined` if one does not exist. */
function reducedDims(axis: unknown, rank: number): readonly number[] | undefined {
  const axes = axis === null ? [] : integersIn(axis);
  if (axes?.length === 0) return Array.from({ length: rank }, (_, dim) => dim);
  const dims = axes?.map((each) => dimOf(each, rank));
  return dims?.every((dim) => dim !== undefined) ? dims : undefined;
}

/**
 * Whether cross_batch removes the reduction; for ReduceMean and ReduceAny only if dim 0 is cut over
 * all devices.
 */
function leavesPartial({ op, devices }: OperatorCall, cut: readonly number[]): boolean {
  return /^Reduce(Sum|Max|Min)$/.test(op) || cut[0] === devices;
}
