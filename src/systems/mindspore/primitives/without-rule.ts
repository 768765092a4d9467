/**
 * Primitives that MindSpore 2.10 has no rule of its own for: whatever strategy they are given, dim 0
 * of the first input is split over all devices (its `BatchParallelInfo`; asked of its compiler one by
 * one). Of several inputs the others stay whole, which their shapes then refuse.
 */
export const withoutOwnRule: ReadonlySet<string> = new Set(
  [
    "Addcdiv Addcmul ArgMaxExt ArgMinExt BCEWithLogitsLoss BesselK0 BesselK0e BesselK1 BesselK1e",
    "BesselY0 BesselY1 BinaryCrossEntropy BitwiseAndTensor BitwiseOrTensor BitwiseXorTensor Digamma",
    "Divs EqScalar Exp2 Flatten GreaterEqualScalar HSwish Heaviside IsInf IsNan LerpScalar LogSigmoid",
    "LogSumExp LogicalXor Logit Median MinDim Pad ProdExt ResizeNearestNeighborV2 Roll Sinc",
    "SmoothL1Loss TrilExt",
  ].flatMap((line) => line.split(" ")),
);
