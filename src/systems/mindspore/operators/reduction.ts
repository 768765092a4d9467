import { type Checked, passed } from "#core/diagnostics";
import { axisSizeOf } from "../redistribution/flat-layout.ts";
import {
  dimOf,
  entryList,
  type Inferred,
  integersIn,
  type OperatorRule,
  refused,
  type TupleCall,
  valuesFrom,
} from "./call.ts";

/** ReduceSum, ReduceMax, ReduceMin, ReduceMean, ReduceAny and ReduceAll (mindspore.md §5.6). */
export const reductionRule: OperatorRule = { tuples: reductionTuples };

/** MeanExt, SumExt and ProdExt, which take Layouts too. */
export const extendedReductionRule: OperatorRule = {
  tuples: reductionTuples,
  layouts: (call) => {
    const [shape = []] = call.shapes;
    const [map = []] = call.maps;
    const axis = call.attributes.axis ?? call.attributes.dim ?? [];
    const dims = reducedDims(axis, shape.length);
    if (dims === undefined) return refused(`${call.op} has no such axis`);
    const isKept = (call.attributes.keep_dims ?? call.attributes.keepdim) === true;
    const axes = map
      .flatMap((entry, dim) => (dims.includes(dim) ? entryList(entry) : []))
      .filter((value) => axisSizeOf(call.deviceMatrix, value) > 1);
    const kept = shape.flatMap((size, dim) => {
      if (!dims.includes(dim)) return [{ size, entry: map[dim] ?? -1 }];
      return isKept ? [{ size: 1, entry: -1 }] : [];
    });
    return passed({
      deviceMatrix: call.deviceMatrix,
      inputMaps: [map],
      outputs: [{ shape: kept.map(({ size }) => size), map: kept.map(({ entry }) => entry) }],
      forward: axes.length === 0 ? [] : [{ primitive: "AllReduce", axes }],
    });
  },
};

function reductionTuples(call: TupleCall): Checked<Inferred> {
  const { op, shapes, strategies, attributes, arguments: given } = call;
  const [shape = []] = shapes;
  const [deviceMatrix = []] = strategies;
  const { keep_dims: keepDims = false, cross_batch: crossBatch = false } = attributes;
  if (typeof crossBatch !== "boolean") return refused("cross_batch must be bool");
  const dims = reducedDims(attributes.axis ?? given[0] ?? [], shape.length);
  if (dims === undefined) return refused(`${op} has no such axis`);
  const map = valuesFrom(shape.length, 0, shape.length);
  const axes = map.filter((_, dim) => dims.includes(dim) && (deviceMatrix[dim] ?? 1) > 1);
  const isLeft = crossBatch && leavesPartial(call);
  const kept = shape.flatMap((size, dim) => {
    if (!dims.includes(dim)) return [{ size, entry: map[dim] ?? -1 }];
    return keepDims === true ? [{ size: 1, entry: -1 }] : [];
  });
  const output = { shape: kept.map(({ size }) => size), map: kept.map(({ entry }) => entry) };
  return passed({
    deviceMatrix,
    inputMaps: [map],
    outputs: [output],
    forward: axes.length === 0 || isLeft ? [] : [{ primitive: "AllReduce", axes }],
  });
}

/** All dims when the axis is empty or None; `undefined` when one is none of the dims. */
function reducedDims(axis: unknown, rank: number): readonly number[] | undefined {
  const axes = axis === null ? [] : integersIn(axis);
  if (axes?.length === 0) return Array.from({ length: rank }, (_, dim) => dim);
  const dims = axes?.map((each) => dimOf(each, rank));
  return dims?.every((dim) => dim !== undefined) ? dims : undefined;
}

/** Whether cross_batch takes the reduction away: of means and any only where dim 0 has all devices. */
function leavesPartial({ op, strategies, devices }: TupleCall): boolean {
  const isSimple = /^Reduce(Sum|Max|Min)$/.test(op);
  return isSimple || strategies[0]?.[0] === devices;
}
