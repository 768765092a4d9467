import { bytesOf, type DType } from "#core/ir";
import { isFloat } from "#core/ir/types";
import type { Optimizer, Training } from "./training.ts";

/** The data types of one parameter under a policy. */
export interface HeldTypes {
  readonly parameter: DType;
  /** Type of the gradient that the update reads. */
  readonly gradient: DType;
  /** Whether the optimizer works on a master copy in f32. */
  readonly hasMaster: boolean;
  /** Type of the optimizer's state. */
  readonly state: DType;
}

type Asked = Pick<Training, "precision" | "gradients">;

/** The data types of a parameter that the text writes in `written`; integers keep their type. */
export function heldTypes({ precision, gradients }: Asked, written: DType): HeldTypes {
  const asWritten = { parameter: written, gradient: written, hasMaster: false, state: written };
  if (!isFloat(written) || precision === undefined || precision === "as-written") return asWritten;
  if (precision !== "megatron") {
    return { parameter: "f32", gradient: "f32", hasMaster: false, state: "f32" };
  }
  const parameter = bytesOf(written) > 2 ? "bf16" : written;
  return { parameter, gradient: gradients ?? "f32", hasMaster: true, state: "f32" };
}

/** The state of each optimizer per parameter, kept between steps beside a master copy. */
export const optimizerStates: Readonly<Record<Optimizer, readonly string[]>> = {
  sgd: [],
  momentum: ["m"],
  adam: ["m", "v"],
  adamw: ["m", "v"],
};

/** Bytes per element of a trained parameter. */
export interface UpdateBytes {
  /** Bytes kept between steps, beyond the parameter as the text writes it. */
  readonly kept: number;
  /** Bytes that an update reads and writes. */
  readonly moved: number;
}

/**
 * Bytes per element of a trained parameter under a policy, for a parameter that the text writes in
 * `written`.
 */
export function updateBytes(
  training: Asked & Pick<Training, "optimizer">,
  written: DType,
): UpdateBytes {
  const { parameter, gradient, hasMaster, state } = heldTypes(training, written);
  const own = bytesOf(parameter);
  const states = optimizerStates[training.optimizer].length * bytesOf(state) + (hasMaster ? 4 : 0);
  const moved = (hasMaster ? own : 2 * own) + bytesOf(gradient) + 2 * states;
  return { kept: states + own - bytesOf(written), moved };
}
