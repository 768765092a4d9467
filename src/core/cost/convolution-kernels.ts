import { fieldOf } from "#core/records";
import type { Kernel } from "./kernel.ts";
import type { LocalOperator, LocalTensor } from "./local-operator.ts";
import { arithmeticOf, touchedBytes, volume } from "./work.ts";

/**
 * A convolution as the product of its output positions with its kernel, or one of the two products
 * of its backward pass; the gradient of a bias is a sum.
 */
export function convolutionKernels(local: LocalOperator): readonly Kernel[] {
  const { entry, inputs, outputs, operator } = local;
  const isBackward = entry.endsWith("_backward");
  const target = isBackward ? fieldOf(operator.attributes, "operand") : undefined;
  const [result, input, weight] = isBackward ? inputs : [outputs[0], ...inputs];
  if (result === undefined || input === undefined || weight === undefined) return [];
  if (target === 2) return [{ class: "traffic", kind: "column sum", bytes: result.bytes }];
  const own = arithmeticOf(local);
  const sizes = entry.startsWith("conv_transpose")
    ? productOf(input, result, weight)
    : productOf(result, input, weight);
  const taps = volume(weight.shape.slice(2));
  const isLaidOut = taps > 1 || volume(input.shape.slice(2)) !== volume(result.shape.slice(2));
  return [
    {
      class: "convolution",
      arithmetic: own === "f32" ? "tf32" : own,
      ...turned(sizes, target),
      bytes: touchedBytes(local),
      isAligned: (input.shape[1] ?? 1) % alignedChannels === 0,
      copiedBytes: isLaidOut ? 2 * (input.bytes + result.bytes) : 0,
    },
  ];
}

/** Channels that fill a wide load in two bytes each. */
const alignedChannels = 8;

/**
 * The lengths of a convolution's product. Rows are positions of the result, or of the operand of a
 * transposed convolution.
 */
function productOf(at: LocalTensor, other: LocalTensor, weight: LocalTensor) {
  const [count = 1, channels = 1, ...places] = at.shape;
  const batch = Math.max(1, Math.round((other.shape[1] ?? 1) / (weight.shape[1] ?? 1)));
  const inner = volume(weight.shape) / Math.max(1, channels);
  return { batch, rows: count * volume(places), columns: channels / batch, inner };
}

/** The lengths of the same product in the gradient of one operand: the axes change their roles. */
function turned(sizes: ReturnType<typeof productOf>, target: unknown) {
  const { batch, rows, columns, inner } = sizes;
  if (target === 1) return { batch, rows: columns, columns: inner, inner: rows };
  return target === 0 ? { batch, rows, columns: inner, inner: columns } : sizes;
}
