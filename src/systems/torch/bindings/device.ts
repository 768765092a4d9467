import { hostFunction, text } from "#language/document/bindings/values";
import type { Context, Value } from "#language/python";
import device from "../library/device.py?raw";

const classes = new WeakMap<Context, Value>();

/** The class `torch.device`, one in each run of a program. */
export function deviceWord(context: Context): Value {
  const known = classes.get(context) ?? context.library("torch", device).get("device");
  if (known !== undefined) classes.set(context, known);
  return known ?? { kind: "none" };
}

/** `torch.accelerator.current_accelerator()`: a board's devices are GPUs. */
export const currentAccelerator: Value = hostFunction(
  "current_accelerator",
  (_args, context, span) =>
    context.call(deviceWord(context), [{ value: text("cuda"), span }], span),
);
