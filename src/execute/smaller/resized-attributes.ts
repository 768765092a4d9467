import { type Attributes, type Graph, type Operand, type Operator, operatorsById } from "#core/ir";
import { fieldOf } from "#core/records";
import { fromFrontOf } from "./attribute-dims.ts";
import type { ShapeOf } from "./size-nodes.ts";
import { resultSizes, shapeArgument } from "./size-relations.ts";
import { slicedAt, sliceOf } from "./slices.ts";

/** The arguments of operators on other sizes: sizes and places among them are adapted. */
export function resizedAttributes(
  graph: Graph,
  shapeOf: ShapeOf,
  newShapeOf: ShapeOf,
  tiles: ReadonlyMap<string, readonly Operand[]>,
  sizeOfAxis: (operator: Operator, axis: string) => number | undefined,
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
      default: {
        const isShape = shapeArgument(operator, shapeOf) !== undefined;
        const asked = {
          ...(isShape ? withShape(attributes, shape) : attributes),
          ...axisSizes(operator, (axis) => sizeOfAxis(operator, axis)),
          ...resultSizesOf(operator, shapeOf, newShapeOf),
        };
        return "normalized_shape" in attributes
          ? { ...asked, normalized_shape: normalized(attributes, newShapeOf(input.tensor)) }
          : asked;
      }
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

/** Arguments that give the length of an index axis, by its name. */
export function axisSizes(
  operator: Operator,
  sizeOf: (axis: string) => number | undefined,
): Attributes {
  if (operator.entry === undefined) return {};
  const said = operator.axes.filter(
    ({ name, size }) => fieldOf(operator.attributes, name) === size && size > 1,
  );
  return Object.fromEntries(said.map(({ name, size }) => [name, sizeOf(name) ?? size]));
}

/** Arguments that give the length of a dim of the result. */
function resultSizesOf(operator: Operator, shapeOf: ShapeOf, newShapeOf: ShapeOf): Attributes {
  const changed = operator.outputs.flatMap(({ tensor }) =>
    shapeOf(tensor).flatMap((size, dim) =>
      resultSizes
        .filter((name) => fieldOf(operator.attributes, name) === size)
        .map((name) => [name, newShapeOf(tensor)[dim] ?? size] as const),
    ),
  );
  return Object.fromEntries(changed);
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
  const { attributes, inputs, outputs } = operator;
  const slice = sliceOf(operator, shapeOf);
  const output = outputs[0];
  if (slice === undefined || output === undefined || slice.step !== 1) return attributes;
  const length = newShapeOf(output.tensor)[slice.dim] ?? 1;
  const size = (inputs[0] && newShapeOf(inputs[0].tensor)[slice.dim]) ?? 1;
  const all = tiles.get(slice.key);
  const own = all?.findIndex(({ tensor }) => tensor === output.tensor) ?? -1;
  const before = all
    ?.slice(0, Math.max(0, own))
    .reduce((sum, { tensor }) => sum + (newShapeOf(tensor)[slice.dim] ?? 0), 0);
  if (size === slice.size) return attributes;
  return { ...attributes, ...slicedAt(slice, size, length, before) };
}

function normalized(
  { normalized_shape: asked }: Attributes,
  shape: readonly number[],
): number | readonly number[] {
  if (typeof asked === "number") return shape.at(-1) ?? asked;
  return typeof asked === "object" ? shape.slice(shape.length - asked.length) : [];
}
