import type { Graph, Operator, OperatorId, Tensor, TensorId } from "#core/ir";
import { SizeClasses, sizedDims } from "./size-classes.ts";

/**
 * The same graph on smaller sizes, each divisible by what divided it before among the divisors of
 * the number of devices, so that a plan cuts it in the same way.
 *
 * Dims that operators bind together shrink together. What a bracket, a number in an annotation or
 * an argument ties down keeps its size; in a bracket of a registered function one identifier
 * shrinks, if nothing else says its size.
 *
 * @param floor sizes below it stay as they are
 * @param pinned functions whose operands keep their sizes, because their bodies take no others
 */
export function scaleDown(
  graph: Graph,
  deviceCount: number,
  floor: number,
  pinned: ReadonlySet<OperatorId> = new Set(),
): Graph {
  const classes = new SizeClasses(graph, deviceCount, pinned);
  const sizeOf = (tensor: TensorId, dim: number, size: number) => {
    const multiple = classes.multipleOf(tensor, dim);
    return multiple === undefined ? size : reduced(size, deviceCount, floor, multiple);
  };
  const tensors = graph.tensors.map((tensor): Tensor => {
    const shape = tensor.shape.map((size, dim) => sizeOf(tensor.id, dim, size));
    return { ...tensor, shape };
  });
  const shapes = new Map(tensors.map(({ id, shape }) => [id, shape]));
  const operators = graph.operators.map((operator): Operator => {
    const places = sizedDims(operator);
    const axes = operator.axes.map((axis) => {
      const place = places.find(({ name }) => name === axis.name);
      const size = place && shapes.get(place.tensor)?.[place.dim];
      return size === undefined || place === undefined
        ? axis
        : { ...axis, size: size / place.beside };
    });
    return { ...operator, axes };
  });
  return { ...graph, tensors, operators };
}

/** The smallest size from a floor on that the same divisors of the device count divide. */
function reduced(size: number, deviceCount: number, floor: number, multiple: number): number {
  const divisors = Array.from({ length: deviceCount }, (_, at) => at + 1).filter(
    (divisor) => deviceCount % divisor === 0,
  );
  const isAlike = (other: number) =>
    divisors.every((divisor) => (size % divisor === 0) === (other % divisor === 0));
  const first = Math.ceil(Math.max(2, floor) / multiple) * multiple;
  for (let other = first; other < size; other += multiple) if (isAlike(other)) return other;
  return size;
}
