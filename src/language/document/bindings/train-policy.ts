import { type Overlap, overlaps, type Precision, precisions } from "#core/training";
import type { Argument, Context } from "#language/python";
import type { TrainPolicy } from "../trace/trace.ts";
import { oneOf } from "./one-of.ts";
import { dtypeOf } from "./types/dtype-values.ts";

/** Data types of a training step and options of its kernels, from the arguments of `train`. */
export function trainPolicy(bound: ReadonlyMap<string, Argument>, context: Context): TrainPolicy {
  const precision = precisionIn(bound.get("precision"), context);
  const gradients = gradientsIn(bound.get("gradients"), precision, context);
  const compiled = flagIn(bound.get("compiled"), context);
  const overlap = overlapIn(bound.get("overlap"), context);
  return {
    ...(precision !== undefined && { precision }),
    ...(gradients !== undefined && { gradients }),
    ...(compiled !== undefined && { compiled }),
    ...(overlap !== undefined && { overlap }),
  };
}

function precisionIn(argument: Argument | undefined, context: Context): Precision | undefined {
  return argument && oneOf("the precision", argument, precisions, context);
}

/** Data type of main gradients; only `precision="megatron"` has them. */
function gradientsIn(
  argument: Argument | undefined,
  precision: Precision | undefined,
  context: Context,
): TrainPolicy["gradients"] {
  if (argument === undefined) return undefined;
  if (precision !== "megatron") {
    const message = '"gradients" are those of precision="megatron": others have no main gradients';
    return context.raise("ValueError", message, argument.nameSpan ?? argument.span);
  }
  const dtype = dtypeOf(argument.value);
  if (dtype === "f32" || dtype === "bf16" || dtype === "f16") return dtype;
  const message = '"gradients" is one of "f32", "bf16", "f16"';
  return context.raise("ValueError", message, argument.span);
}

function flagIn(argument: Argument | undefined, context: Context): boolean | undefined {
  if (argument === undefined) return undefined;
  if (argument.value.kind === "bool") return argument.value.value;
  return context.raise("ValueError", '"compiled" is True or False', argument.span);
}

function overlapIn(argument: Argument | undefined, context: Context): Overlap | undefined {
  return argument && oneOf('"overlap"', argument, overlaps, context);
}
