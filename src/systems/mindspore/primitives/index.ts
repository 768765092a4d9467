import { alongDimRows } from "./along-dims.ts";
import { attentionRows } from "./attention.ts";
import { communicationRows } from "./communication.ts";
import { customRow } from "./custom.ts";
import { elementWiseRows } from "./element-wise.ts";
import { functionRows } from "./function-rows.ts";
import { functionalRows } from "./functional.ts";
import { fusedRows } from "./fused.ts";
import { groupedMatmulRow } from "./grouped-matmul.ts";
import { imageRows } from "./image-rows.ts";
import { indexingRows } from "./indexing.ts";
import type { LinkCall } from "./links.ts";
import { blockAttentionRow, modelRows } from "./models.ts";
import { sliceRows } from "./slices.ts";
import { type PrimitiveSpec, specsIn } from "./spec.ts";
import { windowRows } from "./windows.ts";

const specs: ReadonlyMap<string, PrimitiveSpec> = new Map(
  specsIn([
    ...elementWiseRows,
    ...functionalRows,
    ...functionRows,
    ...imageRows,
    ...alongDimRows,
    ...sliceRows,
    ...indexingRows,
    ...windowRows,
    ...modelRows,
    ...fusedRows,
    ...communicationRows,
    ...attentionRows,
    blockAttentionRow,
    customRow,
    groupedMatmulRow,
  ]),
);

/**
 * Parameters and links of a primitive that the operator library lacks, by MindSpore's name;
 * `undefined` if unknown.
 */
export function specOf(name: string): PrimitiveSpec | undefined {
  return specs.get(name);
}

/** Names of the primitives that have a spec. */
export function specNames(): readonly string[] {
  return [...specs.keys()];
}

/**
 * Primitives without a rule of their own in MindSpore 2.10: whatever their strategy, dim 0 of the
 * first input is split over all devices if their number divides it, else nothing is split. Source:
 * its `BatchParallelInfo` and `StandAloneInfo`, recorded from its compiler one by one. Further
 * inputs stay whole, which may then fail on their shapes.
 */
export const withoutOwnRule: ReadonlySet<string> = new Set(
  [
    "Addcdiv Addcmul ArgMaxExt ArgMinExt BCEWithLogitsLoss BesselK0 BesselK0e BesselK1 BesselK1e",
    "BesselY0 BesselY1 BinaryCrossEntropy BitwiseAndTensor BitwiseOrTensor BitwiseXorTensor Digamma",
    "Divs EqScalar Exp2 Flatten GreaterEqualScalar HSwish Heaviside IsInf IsNan LerpScalar LogSigmoid",
    "LogSumExp LogicalXor Logit Median MinDim Pad ProdExt ResizeNearestNeighborV2 Roll Sinc",
    "SmoothL1Loss TrilExt TExt TransposeExtView TransposeView SplitTensorView SplitWithSizeView ChunkView",
    "LogSoftmaxExt NarrowView Chunk Unstack UnstackExtView SelectExtView",
    "Fmax Fmin Atan2Ext LogAddExp LogAddExp2 ClampTensor AcosExt AcoshExt AsinExt AsinhExt AtanExt",
    "Angle CeLU Conj Frac GeluExt Hardtanh Imag Log10 Log2 MishExt OnesLikeExt Real SeLUExt",
    "ZerosLikeExt IsNegInf AddScalar SubScalar FloorDivScalar PowTensorScalar XLogYScalarOther",
    "LessScalar BitwiseAndScalar BitwiseOrScalar BitwiseXorScalar BitwiseNot FlattenExt Dense Var",
    "Std ReduceStd BroadcastToView ExpandAs ViewAs TypeAs ExpandDimsView",
    "Addbmm Addmm ArgSort Baddbmm Clone ConstantPadND CountNonZero CumminExt Diag DiagExt FullLike",
    "GLU IndexFill KLDiv LayerNormExt LinalgVectorNorm LpNorm MatrixDeterminant MedianDim Mm Mv Nansum Narrow",
    "SoftMarginLoss StdMean TensorScatterElements Threshold Trace TraceExt VarMean",
    "InplaceRemainderTensorScalar InplaceRemainderTensorTensor InplaceClampTensor",
    "InplaceClampScalar InplaceDivMod InplaceDivMods InplaceErfinv InplaceExp InplaceFillScalar",
    "InplaceFillTensor InplaceIndexPut InplaceLog InplaceMaskedFillScalar InplaceMaskedFillTensor",
    "InplaceMaskedScatter InplaceScatterAdd InplaceScatterSrc InplaceSigmoid InplaceSign InplaceTanh InplaceZero",
    "AdaptiveAvgPool2D AdaptiveAvgPool2DExt AdaptiveMaxPool2D NewEmpty NewFull NewOnes NewZeros",
    "AdaptiveAvgPool1D AdaptiveAvgPool3D AddcdivExt Cross AvgPool1D AvgPool2D ChannelShuffle Conv1DExt Conv2DExt",
    "CumulativeLogsumexp Diagonal Dropout2D Dropout3D HistcExt Histogram Im2Col Im2ColExt IndexAdd InstanceNorm",
    "MaxPoolWithArgmaxV2 MaxPoolWithMask MirrorPad ReflectionPad1D ReflectionPad2D Renorm ReplicationPad1D",
    "ReplicationPad2D ResizeBicubic ResizeLinear1D Scatter ScatterAddExt SearchSorted UpsampleBicubic2D",
    "UpsampleBilinear2D UpsampleLinear1D UpsampleNearest1D UpsampleNearest2D",
    "BatchNormExt FillDiagonal LRN LpNormV2 MedianExt Mvlgamma NLLLoss Quantile Take TripletMarginLoss",
  ].flatMap((line) => line.split(" ")),
);

/**
 * Index of the first operand of such a primitive for which MindSpore 2.10 finds no layout;
 * `operands` if there is none. It counts layouts by tensors and looks them up by all inputs, so
 * each number before a tensor shifts the lookup by one.
 */
export function firstBeyondLayouts(op: string, operands: number): number {
  const spec = withoutOwnRule.has(op) ? specOf(op) : undefined;
  // IndexFill's fill value is a tensor in MindSpore.
  const layouts = operands + (op === "IndexFill" ? 1 : 0);
  const beyond = spec?.tensors.findIndex((name) => spec.called.indexOf(name) >= layouts) ?? -1;
  return beyond < 0 ? operands : beyond;
}

/**
 * Number of pieces into which such a primitive splits dim 0: all devices, if their number divides
 * dim 0 of the inputs and of every result; else 1.
 *
 * @param read lengths of dim 0 of the split inputs
 */
export function piecesWithoutRule(
  call: LinkCall,
  devices: number,
  read: readonly number[] = [call.shapes[0]?.[0] ?? 1],
): number {
  const links = specOf(call.op)?.links(call);
  // A scalar has no dim to split; further results may be scalars, the first may not.
  const results = typeof links === "object" ? links.outputs : [];
  const made = results.flatMap(([first], at) =>
    at > 0 && first === undefined ? [] : [first?.size ?? 1],
  );
  const isEven = [...read, ...made].every((size) => size % devices === 0);
  return isEven ? devices : 1;
}
