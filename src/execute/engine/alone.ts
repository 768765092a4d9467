import { bindCall, callOf, entryOf, type Operator, sameShape, type TensorId } from "#core/ir";

type ShapeOf = (tensor: TensorId) => readonly number[];

/**
 * An operator bound to a device's own shapes, as a device runs it that is not told of the others
 * (`skip_redistribution`, `self_define_shard`); a reshape goes to the shape of its block. Absent
 * where the operator does not take such blocks, or makes others.
 */
export function operatorAlone(
  operator: Operator,
  wholeOf: ShapeOf,
  shapeOf: ShapeOf,
): Operator | undefined {
  const entry = operator.entry === undefined ? undefined : entryOf(operator.entry);
  const [output] = operator.outputs;
  if (entry === undefined || output === undefined) return undefined;
  const given = [...operator.inputs];
  const inputs = callOf(operator, wholeOf).inputs.map((input) => {
    const operand = input === undefined ? undefined : given.shift();
    return operand && shapeOf(operand.tensor);
  });
  const isReshape = "shape" in operator.attributes;
  const shape = shapeOf(output.tensor);
  const attributes = isReshape ? { ...operator.attributes, shape } : operator.attributes;
  const bound = bindCall(entry, { inputs, attributes });
  if (!bound.ok) return undefined;
  const { call } = bound.value;
  const fits = operator.outputs.every(({ tensor }, at) =>
    sameShape(call.outputs[at]?.shape ?? [], shapeOf(tensor)),
  );
  if (!fits) return undefined;
  const dims = call.inputs.flatMap((input) => (input === undefined ? [] : [input.dims]));
  return {
    ...operator,
    attributes,
    annotation: bound.value.bound.annotation,
    axes: call.axes,
    inputs: operator.inputs.map(({ tensor }, at) => ({ tensor, dims: dims[at] ?? [] })),
    outputs: operator.outputs.map(({ tensor }, at) => ({
      tensor,
      dims: call.outputs[at]?.dims ?? [],
    })),
  };
}
