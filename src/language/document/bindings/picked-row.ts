import type { TracedOperator, TracedTensor } from "../trace/traced.ts";

/** A row of a tensor, along its first dim. */
export interface PickedRow {
  readonly whole: TracedTensor;
  readonly at: number;
  /** Operators that pick the row. */
  readonly makers: readonly TracedOperator[];
}

/**
 * The tensor and row index that a tensor was picked from, with the picking operators; `undefined`
 * for other tensors.
 */
export function rowFrom(tensor: TracedTensor, isSqueezed = false): PickedRow | undefined {
  const { producer, shape } = tensor;
  if (producer === undefined) return undefined;
  const [whole] = producer.inputs;
  if (whole?.kind !== "tensor") return undefined;
  const { dim = 0, index } = producer.attributes ?? {};
  if (producer.entry === "select" && dim === 0 && typeof index === "number")
    return { whole, at: index, makers: [producer] };
  if (producer.entry === "squeeze" && dim === 0) {
    const row = rowFrom(whole, true);
    return row && { ...row, makers: [producer, ...row.makers] };
  }
  const isOne = isSqueezed && dim === 0 && shape?.[0] === 1;
  if (!isOne || (producer.entry !== "chunk" && producer.entry !== "split")) return undefined;
  const at = producer.outputs.indexOf(tensor);
  return { whole, at, makers: [producer] };
}
