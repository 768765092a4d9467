// Integer types and bool that MindSpore's primitives refuse, as its compiler reports.

import type { DType } from "#core/ir";

/** Data types in the order of the columns below. */
const types: readonly DType[] = ["u8", "i8", "i16", "i32", "i64", "bool"];

/**
 * Primitives by the types that MindSpore 2.10 refuses for the first tensor of a call: `-` marks a
 * refused type. Recorded call by call. Floats are left out: refused 16-bit floats were not
 * recorded.
 */
const rows: readonly (readonly [string, string])[] = [
  [
    "------",
    [
      "ApproximateEqual BesselI0 BesselI0e BesselI1 BesselJ0 BesselJ1 BesselK0 BesselK0e",
      "BesselK1 BesselK1e BesselY0 BesselY1 Cdist CeLU Ceil CumulativeLogsumexp Digamma",
      "Dropout GeLU Ger HShrink Hypot IOU L2Loss L2Normalize LRN LeakyReLUExt Lerp",
      "LogSigmoid LpNorm Mish MishExt Quantile ReLU6 Rint SeLUExt SoftShrink Softmax",
      "Softplus SoftplusExt Softsign Std StdMean Var VarMean",
    ].join(" "),
  ],
  ["----++", "Exp"],
  ["---+--", "Histogram Inv Lgamma"],
  ["+++++-", "ClampScalar Conj TopK TopkExt Trace SortExt"],
  ["-++++-", "HSigmoid"],
  ["--+++-", "Median"],
  ["++-+--", "CumSum"],
];

const refused = new Map(
  rows.flatMap(([marks, names]) =>
    names
      .split(" ")
      .map((name) => [name, types.filter((_, at) => marks.charAt(at) === "-")] as const),
  ),
);

/** Whether a primitive refuses this data type for its first tensor. */
export function refusesType(name: string, dtype: DType): boolean {
  return refused.get(name)?.includes(dtype) === true;
}
