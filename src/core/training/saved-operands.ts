import {
  type BoundCall,
  callOf,
  entryOf,
  type Operator,
  type Tensor,
  type TensorId,
} from "#core/ir";

/**
 * Whether the backward pass of an operator needs more than its operands: its result, or memory that
 * its kernel keeps. If that was not kept, the operator runs again.
 */
export function savesMoreThanOperands(
  operator: Operator,
  tensorOf: (id: TensorId) => Tensor,
  hasGradient: (id: TensorId) => boolean,
): boolean {
  return keepsOfCall(operator, () => callOf(operator, (id) => tensorOf(id).shape), hasGradient);
}

/**
 * Like `savesMoreThanOperands`, for a caller that may have bound the operator's call already;
 * `call` is used only if the entry keeps something.
 */
export function keepsOfCall(
  { entry, inputs }: Operator,
  call: () => BoundCall,
  hasGradient: (id: TensorId) => boolean,
): boolean {
  const keeps = entry === undefined ? undefined : entryOf(entry)?.keeps;
  if (keeps === undefined) return false;
  const bound = call();
  const positions = bound.inputs.flatMap((input, at) => (input === undefined ? [] : [at]));
  const wanted = inputs.flatMap(({ tensor }, at) =>
    hasGradient(tensor) ? [positions[at] ?? -1] : [],
  );
  return keeps(bound, new Set(wanted)).some(({ kind }) => kind !== "operand");
}
