// The whole numbers and flags that MindSpore's primitives do not take, as its compiler says.

import type { DType } from "#core/ir";

/** Data types in the order of the columns below: whole numbers and flags. */
const types: readonly DType[] = ["u8", "i8", "i16", "i32", "i64", "bool"];

/**
 * By what the first tensor of a call may not be, a `-` for each of the types that is refused, the
 * primitives (MindSpore 2.10, asked one by one). Floats are left out: those of 16 bits that it
 * refuses by name were not asked.
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

/** Whether a primitive refuses a tensor of a data type as its first one. */
export function refusesType(name: string, dtype: DType): boolean {
  return refused.get(name)?.includes(dtype) === true;
}
