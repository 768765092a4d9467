import { greatestCommonDivisor, product } from "#core/arithmetic";
import { type Checked, type Diagnostic, passed } from "#core/diagnostics";
import {
  dimOf,
  type ForwardStep,
  type Inferred,
  type OperatorRule,
  refused,
  type TupleCall,
  valueAt,
  valuesFrom,
} from "./call.ts";
import { type GatherCall, manualGather } from "./gather-manual.ts";

/**
 * Gather, SparseGatherV2 and IndexSelect. The mode follows from strategy and attributes
 * (mindspore.md §5.5).
 */
export const gatherRule: OperatorRule = {
  tuples: gatherTuples,
  batchDims: ({ attributes }) =>
    Number(attributes.batch_dims ?? 0) > 0
      ? [
          [0, 0],
          [1, 0],
        ]
      : [[1, 0]],
  takesOutStrategy: true,
};

/** EmbeddingLookup: a Gather on the host, which requires `primitive_target` "CPU". */
export const lookupRule: OperatorRule = {
  ...gatherRule,
  tuples: (call) =>
    call.attributes.primitive_target === "CPU"
      ? gatherTuples(call)
      : refused('EmbeddingLookup needs add_prim_attr("primitive_target", "CPU")'),
  defaultStrategies: ({ shapes: [table = [], indices = []], attributes, devices }) => [
    table.map((size, dim) =>
      dim === 0 && Number(attributes.batch_dims ?? 0) > 0
        ? greatestCommonDivisor(size, devices)
        : 1,
    ),
    indices.map((size, dim) => (dim === 0 ? greatestCommonDivisor(size, devices) : 1)),
  ],
};

export function gatherTuples(call: TupleCall): Checked<Inferred> {
  const { op, shapes, strategies, attributes, arguments: given, outStrategy } = call;
  const [param, indices] = shapes;
  const [paramCut = [], indexCut = []] = strategies;
  if (param === undefined || indices === undefined || shapes.length !== 2) {
    return refused(`${op} takes a parameter and indices`);
  }
  const axis = dimOf(given[0] ?? attributes.axis ?? attributes.dim ?? 0, param.length);
  const batchDims = attributes.batch_dims ?? 0;
  if (axis === undefined) return refused(`${op} has no such axis`);
  if (
    typeof batchDims !== "number" ||
    batchDims < 0 ||
    batchDims > Math.min(axis, indices.length)
  ) {
    return refused(`${op} has no such batch_dims`);
  }
  if (attributes.primitive_target === "CPU" && axis !== 0) {
    return refused(`${op} on CPU gathers along axis 0 only`);
  }
  const gather = { ...call, param, indices, axis, batchDims, paramCut, indexCut };
  const inferred = modeOf(gather)(gather);
  if (!inferred.ok) return inferred;
  return outStrategy === undefined
    ? inferred
    : withOutStrategy(gather, inferred.value, outStrategy);
}

type Mode = (call: GatherCall) => Checked<Inferred>;

function modeOf(call: GatherCall): Mode {
  const { attributes, axis, batchDims, param, indices, paramCut, indexCut, devices } = call;
  const { manual_split: plain, manual_split_with_offset: offset } = attributes;
  const isManual = plain !== undefined || offset !== undefined;
  if (isManual && axis !== 0) return () => refused("manual_split needs axis 0");
  if (batchDims > 0) return batchMode;
  if (paramCut[axis] === 1) return normalMode;
  if (isManual) return manualGather;
  const [p0 = 1, p1] = paramCut;
  const indexPieces = product(indexCut);
  const arePlain = param.length === 2 && indices.length === 2 && p1 === 1;
  const isShared = p0 * indexPieces === devices && p0 !== devices && (indexCut[0] ?? 1) > 1;
  if (axis === 0 && arePlain && isShared) return batchAndAxisMode;
  if (axis === 0) return axis0Mode;
  return axis === 1 ? axis1Mode : () => refused(`${call.op} cannot be split on axis ${axis}`);
}

/** The result's shape: the parameter's shape with the axis replaced by the dims of the indices. */
function resultShape({ param, indices, axis, batchDims }: GatherCall): readonly number[] {
  return [...param.slice(0, axis), ...indices.slice(batchDims), ...param.slice(axis + 1)];
}

function normalMode(call: GatherCall): Checked<Inferred> {
  const { indexCut, paramCut, axis } = call;
  const deviceMatrix = [...indexCut, ...paramCut];
  const indexMap = valuesFrom(deviceMatrix.length, 0, indexCut.length);
  const paramMap = valuesFrom(deviceMatrix.length, indexCut.length, paramCut.length).with(axis, -1);
  const map = [...paramMap.slice(0, axis), ...indexMap, ...paramMap.slice(axis + 1)];
  const outputs = [{ shape: resultShape(call), map }];
  return passed({ deviceMatrix, inputMaps: [paramMap, indexMap], outputs, forward: [] });
}

function batchMode(call: GatherCall): Checked<Inferred> {
  const { op, indexCut, paramCut, axis, batchDims } = call;
  if (paramCut[axis] !== 1) return refused(`${op} with batch_dims cannot be split on its axis`);
  if (paramCut.slice(0, batchDims).join() !== indexCut.slice(0, batchDims).join()) {
    return refused(`${op} needs equal strategies on its batch dims`);
  }
  const deviceMatrix = [...indexCut, ...paramCut.slice(batchDims)];
  const count = deviceMatrix.length;
  const indexMap = valuesFrom(count, 0, indexCut.length);
  const own = valuesFrom(count, indexCut.length, paramCut.length - batchDims);
  const paramMap = [...indexMap.slice(0, batchDims), ...own].with(axis, -1);
  const map = [
    ...paramMap.slice(0, axis),
    ...indexMap.slice(batchDims),
    ...paramMap.slice(axis + 1),
  ];
  const outputs = [{ shape: resultShape(call), map }];
  return passed({ deviceMatrix, inputMaps: [paramMap, indexMap], outputs, forward: [] });
}

/**
 * Rows and indices are both split over the devices; an AllReduce sums the partial results of the
 * row blocks.
 */
function batchAndAxisMode(call: GatherCall): Checked<Inferred> {
  const { indexCut, paramCut } = call;
  const isCut = (dim: number) => dim === 0 || (indexCut[dim] ?? 1) > 1;
  const deviceMatrix = [...indexCut.filter((_, dim) => isCut(dim)), paramCut[0] ?? 1];
  const indexMap = indexCut.map((_, dim) =>
    isCut(dim)
      ? valueAt(deviceMatrix.length, indexCut.slice(0, dim).filter((_, at) => isCut(at)).length)
      : -1,
  );
  return passed({
    deviceMatrix,
    inputMaps: [[0, -1], indexMap],
    outputs: [{ shape: resultShape(call), map: [...indexMap, -1] }],
    forward: [{ primitive: "AllReduce", axes: [0] }],
    ...offsetOf(call, call.rank % (paramCut[0] ?? 1)),
  });
}

/**
 * Rows are split: each device looks up its own rows, then the results are all-reduced or
 * reduce-scattered.
 */
function axis0Mode(call: GatherCall): Checked<Inferred> {
  const { op, param, indices, paramCut, indexCut, devices, rank } = call;
  if (param.length > 2) return refused(`${op} can split the axis of 1-D and 2-D parameters only`);
  if (indices.length === 0 || product(indexCut) !== 1) {
    return refused(`${op} cannot split its indices beside its axis`);
  }
  const pieces = product(paramCut);
  if (pieces !== devices && (paramCut[1] ?? 1) !== 1) {
    return refused(`${op} cannot repeat its calculation when both dims are split`);
  }
  const count = paramCut.length;
  const paramMap = valuesFrom(count, 0, count);
  const rows = paramCut[0] ?? 1;
  // A dynamic length counts as indivisible.
  const isScattered = !call.openDims?.[1]?.has(0) && (indices[0] ?? 1) % rows === 0;
  const first = isScattered ? valueAt(count, 0) : -1;
  const map = [first, ...indices.slice(1).map(() => -1), ...paramMap.slice(1)];
  const primitive = isScattered ? "ReduceScatter" : "AllReduce";
  const position = Math.floor((rank % pieces) / (pieces / rows));
  return passed({
    deviceMatrix: paramCut,
    inputMaps: [paramMap, indices.map(() => -1)],
    outputs: [{ shape: resultShape(call), map }],
    forward: [{ primitive, axes: [valueAt(count, 0)] }],
    ...(pieces !== 1 && pieces !== devices && { repeatSide: "left" as const }),
    ...offsetOf(call, position),
  });
}

/** First row of a device's block of the parameter. */
function offsetOf({ param, paramCut }: GatherCall, position: number): { readonly offset: number } {
  return { offset: ((param[0] ?? 1) / (paramCut[0] ?? 1)) * position };
}

function axis1Mode(call: GatherCall): Checked<Inferred> {
  const { op, param, indices, paramCut, indexCut, devices } = call;
  const pieces = product(paramCut);
  if (param.length !== 2) return refused(`${op} can split axis 1 of 2-D parameters only`);
  if (product(indexCut) !== 1) return refused(`${op} cannot split its indices beside its axis`);
  if (pieces !== devices) return refused(`${op} cannot repeat its calculation on axis 1`);
  if ((param[0] ?? 1) % pieces !== 0) {
    return refused(`${op} cannot scatter ${param[0]} rows over ${pieces} devices`);
  }
  return passed({
    deviceMatrix: paramCut,
    inputMaps: [[1, 0], indices.map(() => -1)],
    outputs: [{ shape: resultShape(call), map: [[1, 0], ...indices.map(() => -1)] }],
    forward: [{ primitive: "ReduceScatter", axes: [0] }],
  });
}

/**
 * Checks an out_strategy. It must be the parameter's cuts with the axis replaced by the cuts of the
 * indices, or that with its first cut multiplied by the pieces of the axis.
 */
function withOutStrategy(
  { op, paramCut, indexCut, axis }: GatherCall,
  inferred: Inferred,
  outStrategy: readonly number[],
): Checked<Inferred> {
  const combined = [...paramCut.slice(0, axis), ...indexCut, ...paramCut.slice(axis + 1)];
  const [step] = inferred.forward;
  const [output] = inferred.outputs;
  if (output === undefined) return passed(inferred);
  const uneven = output.shape.findIndex((size, dim) => size % (outStrategy[dim] ?? 1) !== 0);
  if (uneven >= 0) {
    return refused(
      `the out_strategy of ${op} cuts a dim of ${output.shape[uneven]} elements into ${outStrategy[uneven]} pieces`,
    );
  }
  const scattered = combined.with(0, (combined[0] ?? 1) * (paramCut[axis] ?? 1));
  const wanted = outStrategy.join();
  if (wanted === combined.join()) return passed(summed(inferred, step));
  if (step?.primitive === "ReduceScatter" && wanted === scattered.join()) return passed(inferred);
  if (step?.primitive === "AllReduce" && wanted === scattered.join()) {
    return passed(scatteredOver(inferred, step, outStrategy), [scatterNote]);
  }
  return refused(
    `the out_strategy of ${op} must be (${combined.join(", ")}) or (${scattered.join(", ")})`,
  );
}

/**
 * The rule's result with a ReduceScatter in place of the AllReduce, on the out_strategy as its
 * device matrix.
 */
function scatteredOver(
  inferred: Inferred,
  step: ForwardStep,
  outStrategy: readonly number[],
): Inferred {
  const map = valuesFrom(outStrategy.length, 0, outStrategy.length);
  const outputs = inferred.outputs.map((output) => ({ ...output, map, deviceMatrix: outStrategy }));
  return { ...inferred, outputs, forward: [{ ...step, primitive: "ReduceScatter" }] };
}

const scatterNote: Diagnostic = {
  code: "mindspore/wrong-values",
  severity: "warning",
  message:
    "Gather with indices that are split beside its axis: MindSpore 2.10 scatters the result otherwise than its out_strategy says, so what follows reads other rows",
};

/** The rule's result with an AllReduce in place of a ReduceScatter. */
function summed(inferred: Inferred, step: ForwardStep | undefined): Inferred {
  const [output] = inferred.outputs;
  if (step?.primitive !== "ReduceScatter" || output === undefined) return inferred;
  const outputs = [{ ...output, map: output.map.with(0, -1) }];
  return { ...inferred, outputs, forward: [{ ...step, primitive: "AllReduce" }] };
}
