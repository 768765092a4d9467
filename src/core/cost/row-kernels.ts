import { bytesOf } from "#core/ir";
import { fieldOf } from "#core/records";
import type { Kernel, Traffic, TrafficKind } from "./kernel.ts";
import type { LocalOperator, LocalTensor } from "./local-operator.ts";
import { touchedBytes, volume } from "./work.ts";

/** Row length in elements from which every pass reads the row again. */
const longRow = 65_536;

/**
 * Kernels of normalisations and of their gradients; one kernel gives the gradients of input and
 * weights.
 */
export function normKernels(local: LocalOperator): readonly Kernel[] {
  const { entry, inputs, siblings } = local;
  const kind = entry.startsWith("rms") ? "rms norm" : "layer norm";
  const [first] = inputs;
  if (first === undefined) return [];
  if (entry.endsWith("_backward")) {
    const bytes = 5 * Math.max(first.bytes, inputs[1]?.bytes ?? 0);
    return [{ ...traffic(`${kind} backward`, bytes), share: 1 / siblings }];
  }
  const row = (first.shape.at(-1) ?? 1) * bytesOf(first.dtype);
  return [{ ...traffic(kind, touchedBytes(local)), row }];
}

function traffic(kind: TrafficKind, bytes: number): Traffic {
  return { class: "traffic", kind, bytes };
}

/** The kernels of softmax and of the class losses built on it. */
export function softmaxKernels(local: LocalOperator): readonly Kernel[] {
  const { entry, inputs, outputs } = local;
  const isBackward = entry.endsWith("_backward");
  const isLoss = entry.startsWith("cross_entropy");
  const logits = isBackward && isLoss ? inputs[1] : inputs[0];
  if (logits === undefined) return [];
  const row = rowBytes(local, logits);
  if (!isBackward) {
    const probabilities = isLoss ? logits.bytes : (outputs[0]?.bytes ?? logits.bytes);
    const loss = isLoss ? [traffic("loss of classes", 0)] : [];
    return [softmax(row, logits.bytes + probabilities), ...loss];
  }
  const backward =
    row > longRow
      ? traffic("long softmax", 4 * logits.bytes)
      : traffic("softmax backward", 3 * logits.bytes);
  return isLoss ? [traffic("loss of classes", logits.bytes), backward] : [backward];
}

function softmax(row: number, bytes: number): Kernel {
  if (row > longRow) return traffic("long softmax", 2 * bytes);
  return { ...traffic("softmax", bytes), row };
}

/** Bytes along the dim that softmax normalises. */
function rowBytes({ operator, entry }: LocalOperator, { shape, dtype }: LocalTensor): number {
  const dim = fieldOf(operator.attributes, "dim");
  const at = entry.startsWith("cross_entropy") ? 1 : typeof dim === "number" ? dim : -1;
  return (shape.at(at) ?? volume(shape)) * bytesOf(dtype);
}
