import { callOf, entryOf, type Operator, type Tensor, type TensorId } from "#core/ir";

/**
 * Whether the backward pass of an operator needs what none of its operands is: its result, or what its
 * kernel leaves beside. Where that is not kept, the operator runs again.
 */
export function keepsItsOwn(
  operator: Operator,
  tensorOf: (id: TensorId) => Tensor,
  hasGradient: (id: TensorId) => boolean,
): boolean {
  const { entry, inputs } = operator;
  const keeps = entry === undefined ? undefined : entryOf(entry)?.keeps;
  if (keeps === undefined) return false;
  const call = callOf(operator, (tensor) => tensorOf(tensor).shape);
  const positions = call.inputs.flatMap((input, at) => (input === undefined ? [] : [at]));
  const wanted = inputs.flatMap(({ tensor }, at) =>
    hasGradient(tensor) ? [positions[at] ?? -1] : [],
  );
  return keeps(call, new Set(wanted)).some(({ kind }) => kind !== "operand");
}
