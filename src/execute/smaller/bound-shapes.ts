import { bindCall, callOf, entryOf, type Operator } from "#core/ir";
import { sameShape } from "#core/ir/body";
import { axisSizes } from "./resized-attributes.ts";
import { axisNode, dimNode, type ShapeOf, type SizeNode } from "./size-nodes.ts";

/** The shapes of results of library operators, from the operands' shapes; remembered. */
export function boundShapes(
  shapeOf: ShapeOf,
): (
  operator: Operator,
  sizeOf: (node: SizeNode) => number,
) => readonly (readonly number[])[] | undefined {
  const known = new Map<string, readonly (readonly number[])[] | undefined>();
  return (operator, sizeOf) => {
    const newShapeOf: ShapeOf = (tensor) =>
      shapeOf(tensor).map((_, dim) => sizeOf(dimNode(tensor, dim)));
    const shapes = operator.inputs.map(({ tensor }) => newShapeOf(tensor));
    if (!shapes.flat().every((size) => Number.isInteger(size) && size > 0)) return undefined;
    const asked = axisSizes(operator, (axis) => sizeOf(axisNode(operator, axis)));
    const key = `${operator.id} ${shapes.join(" ")}`;
    if (!known.has(key)) {
      const attributes = { ...operator.attributes, ...asked };
      known.set(key, boundBy({ ...operator, attributes }, shapeOf, newShapeOf));
    }
    return known.get(key);
  };
}

/** The shapes of an operator's results, if its entry binds its operands. */
function boundBy(
  operator: Operator,
  shapeOf: ShapeOf,
  newShapeOf: ShapeOf,
): readonly (readonly number[])[] | undefined {
  const entry = operator.entry === undefined ? undefined : entryOf(operator.entry);
  if (entry === undefined) return undefined;
  const given = [...operator.inputs];
  const inputs = callOf(operator, shapeOf).inputs.map((input) => {
    const operand = input === undefined ? undefined : given.shift();
    return operand && newShapeOf(operand.tensor);
  });
  const bound = bindCall(entry, { inputs, attributes: operator.attributes });
  return bound.ok ? bound.value.call.outputs.map(({ shape }) => shape) : undefined;
}

/**
 * Whether an operator's entry binds to its new sizes with its new results. An operator with an
 * annotation of its own always passes.
 */
export function bindsAs(
  before: Operator,
  shapeOf: ShapeOf,
  operator: Operator,
  newShapeOf: ShapeOf,
): boolean {
  if (operator.body !== undefined || operator.points !== undefined) return true;
  if (operator.entry === undefined) return true;
  const agrees = (each: Operator, shapes: ShapeOf) => {
    const made = boundBy(each, shapes, shapes);
    return made?.every((shape, at) => {
      const output = each.outputs[at];
      return output === undefined || sameShape(shape, shapes(output.tensor));
    });
  };
  return agrees(before, shapeOf) !== true || agrees(operator, newShapeOf) === true;
}
