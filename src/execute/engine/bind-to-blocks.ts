import { bindCall, callOf, entryOf, type Operator, type TensorId } from "#core/ir";
import { sameShape } from "#core/ir/body";

type ShapeOf = (tensor: TensorId) => readonly number[];

/**
 * Operator bound to the block shapes of one device, for attributes that make a device treat its
 * blocks as whole tensors (`skip_redistribution`, `self_define_shard`). A reshape then has the
 * shape of the result's block. `undefined` if blocks of these shapes do not bind.
 */
export function bindToBlocks(
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
