import type { Bound } from "#core/dimops";

/** The positions of an annotation at which tensors stand, inputs first. */
export function tensorPlaces(bound: Bound): readonly number[] {
  const inputs = bound.inputs.flatMap(({ kind }, at) => (kind === "tensor" ? [at] : []));
  return [...inputs, ...bound.outputs.map((_, at) => bound.inputs.length + at)];
}
