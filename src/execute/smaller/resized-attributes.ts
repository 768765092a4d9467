import { type Attributes, type Graph, type Operand, type Operator, operatorsById } from "#core/ir";
import { fromFrontOf } from "./attribute-dims.ts";
import type { ShapeOf } from "./size-relations.ts";
import { slicedAt, sliceOf } from "./slices.ts";

/** The arguments of operators on other sizes: those that say a size or a place say the new one. */
export function resizedAttributes(
  graph: Graph,
  shapeOf: ShapeOf,
  newShapeOf: ShapeOf,
  tiles: ReadonlyMap<string, readonly Operand[]>,
): (operator: Operator) => Attributes {
  const operators = operatorsById(graph);
  const own = (operator: Operator): Attributes => {
    const { attributes, inputs, outputs, entry } = operator;
    const [input, output] = [inputs[0], outputs[0]];
    if (input === undefined || output === undefined) return attributes;
    const shape = newShapeOf(output.tensor);
    switch (entry) {
      case "reshape":
      case "expand":
      case "sum_to":
        return withShape(attributes, shape);
      case "split":
        return withParts(operator, newShapeOf);
      case "slice":
        return withRange(operator, shapeOf, newShapeOf, tiles);
      case "one_hot":
        return { ...attributes, num_classes: shape.at(-1) ?? 1 };
      default:
        return "normalized_shape" in attributes
          ? { ...attributes, normalized_shape: normalized(attributes, newShapeOf(input.tensor)) }
          : attributes;
    }
  };
  return (operator) => {
    const source = operator.of === undefined ? undefined : operators.get(operator.of);
    const isBack = operator.entry !== undefined && operator.entry === `${source?.entry}_backward`;
    if (!isBack || source === undefined) return own(operator);
    const resized = own(source);
    return Object.fromEntries(
      Object.entries(operator.attributes).map(([name, value]) => [
        name,
        Object.hasOwn(resized, name) && Object.hasOwn(source.attributes, name)
          ? (resized[name] ?? value)
          : value,
      ]),
    );
  };
}

function withShape(attributes: Attributes, shape: readonly number[]): Attributes {
  const name = "shape" in attributes ? "shape" : "size" in attributes ? "size" : undefined;
  if (name === undefined) return attributes;
  const asked = attributes[name];
  const isLike = typeof asked === "object" && asked.length === shape.length;
  const sizes = shape.map((size, dim) => (isLike && asked[dim] === -1 ? -1 : size));
  return { ...attributes, [name]: sizes };
}

function withParts({ attributes, inputs, outputs }: Operator, newShapeOf: ShapeOf): Attributes {
  const [input, output] = [inputs[0], outputs[0]];
  if (input === undefined || output === undefined) return attributes;
  const dim = fromFrontOf(attributes, newShapeOf(input.tensor).length);
  const parts = outputs.map(({ tensor }) => newShapeOf(tensor)[dim] ?? 1);
  if (!("split_size" in attributes)) return attributes;
  const isListed = typeof attributes.split_size === "object";
  return { ...attributes, split_size: isListed ? parts : (parts[0] ?? 1) };
}

function withRange(
  operator: Operator,
  shapeOf: ShapeOf,
  newShapeOf: ShapeOf,
  tiles: ReadonlyMap<string, readonly Operand[]>,
): Attributes {
  const { attributes, outputs } = operator;
  const slice = sliceOf(operator, shapeOf);
  const output = outputs[0];
  if (slice === undefined || output === undefined || slice.step !== 1) return attributes;
  const length = newShapeOf(output.tensor)[slice.dim] ?? 1;
  const all = tiles.get(slice.key);
  const own = all?.findIndex(({ tensor }) => tensor === output.tensor) ?? -1;
  const before = all
    ?.slice(0, Math.max(0, own))
    .reduce((sum, { tensor }) => sum + (newShapeOf(tensor)[slice.dim] ?? 0), 0);
  if (length === slice.length && before === undefined) return attributes;
  return { ...attributes, ...slicedAt(slice, length, before) };
}

function normalized(
  { normalized_shape: asked }: Attributes,
  shape: readonly number[],
): number | readonly number[] {
  if (typeof asked === "number") return shape.at(-1) ?? asked;
  return typeof asked === "object" ? shape.slice(shape.length - asked.length) : [];
}
