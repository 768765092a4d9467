import type { OperatorId, Tensor, TensorId } from "#core/ir";
import type { Layout } from "#core/mesh";
import type { BadgeStep } from "../graph/canvas.ts";

/** Only in the present plan, only in the baseline, or in both and not the same. */
export type DifferenceSign = "+" | "−" | "~";

/** How something of the present plan stands to the baseline. */
export interface DifferenceMark {
  readonly sign: "+" | "~";
  /** In words, for who does not see the sign: `only here`, `was [b@dp, f]`. */
  readonly text: string;
  /** How the tensor lay in the baseline, where it lies otherwise now. */
  readonly before?: TensorBefore;
  /** Of a redistribution: bytes that the busiest device receives now, less those before. */
  readonly bytes?: number;
}

/** A tensor of the baseline. */
export interface TensorBefore {
  readonly tensor: Tensor;
  readonly layout: Layout;
}

/** A redistribution that only the baseline has. */
export interface GoneSend {
  readonly name: string;
  readonly steps: readonly BadgeStep[];
  /** What the busiest device receives less; not above 0. */
  readonly bytes: number;
  readonly text: string;
}

/** What differs by one name; equal layers are one line. */
export interface DifferenceLine {
  readonly sign: DifferenceSign;
  readonly kind: "operator" | "tensor" | "send";
  /** `layers[*].h`. */
  readonly name: string;
  readonly text: string;
  /** For how many it stands. */
  readonly count: number;
  /** Bytes of all of them together, with their sign; 0 of what sends nothing. */
  readonly bytes: number;
}

/** How the present plan differs from a baseline, by the names of operators and tensors. */
export interface PlanDifference {
  readonly operators: ReadonlyMap<OperatorId, DifferenceMark>;
  readonly tensors: ReadonlyMap<TensorId, DifferenceMark>;
  readonly redistributions: ReadonlyMap<number, DifferenceMark>;
  /** By the present tensor, what was sent of it and is no more. */
  readonly gone: ReadonlyMap<TensorId, readonly GoneSend[]>;
  readonly lines: readonly DifferenceLine[];
}
