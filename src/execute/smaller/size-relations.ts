import type { Graph, Operand, Operator } from "#core/ir";
import { isProjected } from "#core/plan";
import { fieldOf, sameItems } from "#core/records";
import { fromFrontOf } from "./attribute-dims.ts";
import { functionRelations } from "./function-sizes.ts";
import { reshapeGroups } from "./reshape-groups.ts";
import type { ShapeOf } from "./size-nodes.ts";
import {
  axisNode,
  dimNode,
  type Factor,
  factorNode,
  type SizeNode,
  type SizeRelation,
} from "./size-nodes.ts";
import { sliceRelations, tilesOf } from "./slice-relations.ts";

/** Arguments that are sizes or places, of operators without a relation of their own here. */
const sized: ReadonlySet<string> = new Set([
  ...["shape", "size", "split_size", "start", "stop", "index", "scale_factor", "output_size"],
]);

/** Arguments that are numbers of parts: sizes that they divide stay divisible. */
const partCounts = ["num_groups", "num_heads", "heads", "upscale_factor"];

/** Arguments that are the size of a dim of the result. */
export const resultSizes = ["capacity", "slots", "num_classes"];

/** Arguments that are lower limits of a dim's size. */
const reached = ["k", "padding_idx"];

/** The relations between the sizes of a graph. */
export function sizeRelations(
  graph: Graph,
  shapeOf: ShapeOf,
  deviceCount: number,
  hasBody: (operator: Operator) => boolean,
): readonly SizeRelation[] {
  const tiled = tilesOf(graph, shapeOf);
  const gradients = graph.tensors.flatMap(({ id, shape, gradientOf }): SizeRelation[] =>
    gradientOf === undefined || shapeOf(gradientOf).length !== shape.length
      ? []
      : shape.map((_, dim) => ({
          kind: "same",
          nodes: [dimNode(id, dim), dimNode(gradientOf, dim)],
        })),
  );
  const units = graph.tensors.flatMap(({ id, shape }) =>
    shape.flatMap((size, dim): SizeRelation[] =>
      size <= 1 ? [{ kind: "pinned", node: dimNode(id, dim) }] : [],
    ),
  );
  const own = graph.operators.flatMap((operator): readonly SizeRelation[] => {
    if (isProjected(operator) || operator.points !== undefined) return pinned(operator, shapeOf);
    if (operator.entry === undefined) {
      return hasBody(operator)
        ? functionRelations(operator, shapeOf, deviceCount)
        : plainRelations(operator, shapeOf);
    }
    return [...plainRelations(operator, shapeOf), ...entryRelations(operator, shapeOf, tiled)];
  });
  return [...units, ...gradients, ...own];
}

function pinned(operator: Operator, shapeOf: ShapeOf): readonly SizeRelation[] {
  return [...operator.inputs, ...operator.outputs].flatMap(({ tensor }) =>
    shapeOf(tensor).map((_, dim) => ({ kind: "pinned", node: dimNode(tensor, dim) }) as const),
  );
}

/**
 * The relations of dims and brackets: a dim is an axis, or the product of the axes in its bracket.
 */
function plainRelations(operator: Operator, shapeOf: ShapeOf): readonly SizeRelation[] {
  const axes = new Set(operator.axes.map(({ name }) => name));
  const operands = [...operator.inputs, ...operator.outputs];
  return operands.flatMap(({ tensor, dims }, at) =>
    dims.flatMap(({ identifiers }, dim): readonly SizeRelation[] => {
      const node = dimNode(tensor, dim);
      const names = identifiers.filter((name) => name !== "1");
      const [only] = names;
      if (names.length === 1 && only !== undefined) {
        const isAxis = axes.has(only) || isLoose(operator);
        const isLong = (shapeOf(tensor)[dim] ?? 1) > 1;
        return isAxis && isLong ? [{ kind: "same", nodes: [node, axisNode(operator, only)] }] : [];
      }
      const factors = names.map((name, place): Factor => {
        if (axes.has(name) || isLoose(operator)) return axisNode(operator, name);
        return isReshape(operator) ? factorNode(operator, `${at} ${dim} ${place}`) : Number(name);
      });
      return factors.length === 0 ? [] : [{ kind: "product", left: [node], right: factors }];
    }),
  );
}

/** Whether an operator is known only by its annotation, so that equal numbers count as one size. */
function isLoose({ entry }: Operator): boolean {
  return entry === undefined;
}

const reshapes: ReadonlySet<string> = new Set(["reshape", "flatten", "squeeze", "unsqueeze"]);

function isReshape({ entry }: Operator): boolean {
  return reshapes.has(entry ?? "");
}

/** The relations of library operators beyond their annotations. */
function entryRelations(
  operator: Operator,
  shapeOf: ShapeOf,
  tiled: ReadonlyMap<string, readonly Operand[]>,
): readonly SizeRelation[] {
  const { entry, attributes, inputs, outputs } = operator;
  const [input, output] = [inputs[0], outputs[0]];
  if (input === undefined || output === undefined) return [];
  const [from, to] = [shapeOf(input.tensor), shapeOf(output.tensor)];
  const dim = fromFrontOf(attributes, Math.max(from.length, 1));
  switch (entry) {
    case "reshape":
    case "flatten":
    case "squeeze":
    case "unsqueeze":
      return reshapeRelations(operator, from, to, shapeOf);
    case "split":
    case "chunk":
      return splitRelations(dimNode(input.tensor, dim), outputs, dim, shapeOf);
    case "concat":
      return [
        {
          kind: "sum",
          whole: dimNode(output.tensor, dim),
          parts: inputs.map(({ tensor }) => dimNode(tensor, dim)),
        },
      ];
    case "slice":
      return sliceRelations(operator, shapeOf, tiled);
    case "sort":
      return outputs.map(({ tensor }) => ({
        kind: "same",
        nodes: [dimNode(input.tensor, dim), dimNode(tensor, dim)],
      }));
    case "select":
      return [{ kind: "least", node: dimNode(input.tensor, dim), size: reachedBy(operator) }];
    case "expand":
    case "sum_to":
      return [];
    default:
      return [...boundRelations(operator, shapeOf), ...argumentRelations(operator, shapeOf)];
  }
}

/** Least length of a dim into which the index of a call points. */
function reachedBy({ attributes: { index } }: Operator): number {
  const at = typeof index === "number" ? index : 0;
  return at < 0 ? -at : at + 1;
}

function reshapeRelations(
  operator: Operator,
  from: readonly number[],
  to: readonly number[],
  shapeOf: ShapeOf,
): readonly SizeRelation[] {
  const [input, output] = [operator.inputs[0], operator.outputs[0]];
  const groups = reshapeGroups(from, to);
  if (groups === undefined || input === undefined || output === undefined)
    return pinned(operator, shapeOf);
  return groups.map(({ ins, outs }) => ({
    kind: "product",
    left: ins.map((dim) => dimNode(input.tensor, dim)),
    right: outs.map((dim) => dimNode(output.tensor, dim)),
  }));
}

function splitRelations(
  whole: SizeNode,
  outputs: readonly Operand[],
  dim: number,
  shapeOf: ShapeOf,
): readonly SizeRelation[] {
  const parts = outputs.map(({ tensor }) => dimNode(tensor, dim));
  const sizes = outputs.map(({ tensor }) => shapeOf(tensor)[dim]);
  const alike = parts.flatMap((part, at): SizeRelation[] => {
    const first = sizes.indexOf(sizes[at]);
    const other = parts[first];
    return first === at || other === undefined ? [] : [{ kind: "same", nodes: [part, other] }];
  });
  return [...alike, { kind: "sum", whole, parts }];
}

/** The argument with the whole shape of an operator's result. */
export function shapeArgument(
  { attributes, outputs }: Operator,
  shapeOf: ShapeOf,
): "shape" | "size" | undefined {
  const made = outputs[0] && shapeOf(outputs[0].tensor);
  return (["shape", "size"] as const).find((name) => {
    const asked = fieldOf(attributes, name);
    const list =
      typeof asked === "number" ? [asked] : typeof asked === "object" ? asked : undefined;
    return list !== undefined && made !== undefined && sameItems(list, made);
  });
}

/** Relations for numbers among the dims of a result, which follow from the operands. */
function boundRelations(operator: Operator, shapeOf: ShapeOf): readonly SizeRelation[] {
  if (operator.phase === "backward" || shapeArgument(operator, shapeOf) !== undefined) return [];
  const axes = new Set(operator.axes.map(({ name }) => name));
  return operator.outputs.flatMap(({ tensor, dims }, output) =>
    dims.flatMap(({ identifiers }, dim): SizeRelation[] => {
      const isNumber = identifiers.length === 1 && !axes.has(identifiers[0] ?? "");
      const size = shapeOf(tensor)[dim] ?? 1;
      const isAsked = resultSizes.some((name) => fieldOf(operator.attributes, name) === size);
      return isNumber && size > 1 && !isAsked
        ? [{ kind: "bound", node: dimNode(tensor, dim), operator, output, dim }]
        : [];
    }),
  );
}

function argumentRelations(operator: Operator, shapeOf: ShapeOf): readonly SizeRelation[] {
  const { attributes, inputs } = operator;
  const shape = shapeArgument(operator, shapeOf);
  const isTied = Object.keys(attributes).some((name) => sized.has(name) && name !== shape);
  if (isTied && operator.phase !== "backward") return pinned(operator, shapeOf);
  const nodes = inputs.flatMap(({ tensor }) =>
    shapeOf(tensor).map((size, dim) => ({ node: dimNode(tensor, dim), size })),
  );
  const numbers = (names: readonly string[]) =>
    names.flatMap((name) => {
      const value = fieldOf(attributes, name);
      return typeof value === "number" && Number.isInteger(value) && value > 1 ? [value] : [];
    });
  const multiples = numbers(partCounts).flatMap((of) =>
    nodes.flatMap(({ node, size }): SizeRelation[] =>
      size % of === 0 ? [{ kind: "multiple", node, of }] : [],
    ),
  );
  const least = numbers(reached).flatMap((number) =>
    nodes.flatMap(({ node, size }): SizeRelation[] =>
      size > number ? [{ kind: "least", node, size: number + 1 }] : [],
    ),
  );
  return [...multiples, ...least];
}
