import { fieldOf } from "#core/records";
import type { Kernel } from "./kernel.ts";
import type { LocalOperator, LocalTensor } from "./local-operator.ts";
import { arithmeticOf, touchedBytes, volume } from "./work.ts";

/** The kernels of attention, or the part of its backward pass that makes one operand's gradient. */
export function attentionKernels(local: LocalOperator): readonly Kernel[] {
  const { entry, inputs, siblings } = local;
  const pass = entry.endsWith("_backward") ? "backward" : "forward";
  const [query, key, value] = pass === "backward" ? inputs.slice(1) : inputs;
  if (query === undefined || key === undefined || value === undefined) return [];
  const [queries, keys] = [query.shape.at(-2) ?? 1, key.shape.at(-2) ?? 1];
  return [
    {
      class: "attention",
      pass,
      arithmetic: arithmeticOf(local),
      batch: volume(query.shape.slice(0, -2)),
      ...{ queries, keys },
      width: query.shape.at(-1) ?? 1,
      valueWidth: value.shape.at(-1) ?? 1,
      visible: visibleShare(local, query, key),
      bytes: touchedBytes(local),
      share: 1 / siblings,
    },
  ];
}

/**
 * Share of the scores that a causal mask leaves visible, on the device that has most of them: with
 * cut rows, the device of the last rows.
 */
function visibleShare(local: LocalOperator, query: LocalTensor, key: LocalTensor): number {
  const { operator, wholeOf } = local;
  const isCausal = fieldOf(operator.attributes, "is_causal");
  if (isCausal !== true && isCausal !== 1) return 1;
  const [rows, columns] = [query, key].map(({ shape }) => shape.at(-2) ?? 1);
  const axis = query.dims.at(-2)?.identifiers[0];
  const whole = axis === undefined ? rows : wholeOf(axis);
  if (rows === undefined || columns === undefined || whole === undefined) return 1;
  return Math.min(1, Math.max(0, (whole - rows / 2) / columns));
}
