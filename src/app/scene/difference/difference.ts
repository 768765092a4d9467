import type { OperatorId, Tensor, TensorId } from "#core/ir";
import type { Layout } from "#core/mesh";
import type { BadgeStep } from "../graph/canvas.ts";

/** `+`: only in the present plan; `−`: only in the baseline; `~`: in both but different. */
export type DifferenceSign = "+" | "−" | "~";

/** The difference of one part of the present plan from the baseline. */
export interface DifferenceMark {
  readonly sign: "+" | "~";
  /** The difference in words, for screen readers: `only here`, `was [b@dp, f]`. */
  readonly text: string;
  /** The tensor in the baseline, if its layout has changed. */
  readonly before?: TensorBefore;
  /** For a redistribution: change of the bytes that the busiest device receives. */
  readonly bytes?: number;
}

/** A tensor of the baseline. */
export interface TensorBefore {
  readonly tensor: Tensor;
  readonly layout: Layout;
}

/** A redistribution that only the baseline has. */
export interface RemovedRedistribution {
  readonly name: string;
  readonly steps: readonly BadgeStep[];
  /** The change of bytes that the busiest device receives; at most 0. */
  readonly bytes: number;
  readonly text: string;
}

/** The differences of one name; equal layers share a line. */
export interface DifferenceLine {
  readonly sign: DifferenceSign;
  readonly kind: "operator" | "tensor" | "send";
  /** Name with `*` for layer indices if several are merged: `layers[*].h`. */
  readonly name: string;
  readonly text: string;
  /** The number of equal parts. */
  readonly count: number;
  /** Total byte change of all equal parts, signed; 0 for parts that send nothing. */
  readonly bytes: number;
}

/** The differences of the present plan from a baseline, by the names of operators and tensors. */
export interface PlanDifference {
  readonly operators: ReadonlyMap<OperatorId, DifferenceMark>;
  readonly tensors: ReadonlyMap<TensorId, DifferenceMark>;
  readonly redistributions: ReadonlyMap<number, DifferenceMark>;
  /** The gone redistributions of each present tensor. */
  readonly gone: ReadonlyMap<TensorId, readonly RemovedRedistribution[]>;
  readonly lines: readonly DifferenceLine[];
}
