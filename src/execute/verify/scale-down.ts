import type { Graph, Operand, OperandDim, Operator, Tensor, TensorId } from "#core/ir";

/** Arguments that name sizes or places, so that the sizes of their operator have to stay. */
const sized: ReadonlySet<string> = new Set([
  ...["shape", "size", "split_size", "chunks", "repeats", "pad", "start", "stop", "step", "index"],
  ...["groups", "diagonal", "shifts", "kernel_size", "scale_factor"],
]);

/**
 * The same graph on smaller sizes, each divisible by what divided it before among the divisors of
 * the number of devices, so that a plan cuts it in the same way.
 *
 * Dims that operators bind together shrink together. What a bracket, a number in an annotation or
 * an argument ties down keeps its size.
 *
 * @param floor sizes below it stay as they are
 */
export function scaleDown(graph: Graph, deviceCount: number, floor: number): Graph {
  const classes = new Classes(graph);
  const sizeOf = (tensor: TensorId, dim: number, size: number) =>
    classes.isFixed(tensor, dim) ? size : reduced(size, deviceCount, floor);
  const tensors = graph.tensors.map((tensor): Tensor => {
    const shape = tensor.shape.map((size, dim) => sizeOf(tensor.id, dim, size));
    return { ...tensor, shape };
  });
  const shapes = new Map(tensors.map(({ id, shape }) => [id, shape]));
  const operators = graph.operators.map((operator): Operator => {
    const places = placesOf(operator);
    const axes = operator.axes.map((axis) => {
      const place = places.find(({ name }) => name === axis.name);
      const size = place && shapes.get(place.tensor)?.[place.dim];
      return size === undefined ? axis : { ...axis, size };
    });
    return { ...operator, axes };
  });
  return { ...graph, tensors, operators };
}

/** The smallest size from a floor on that the same divisors of the device count divide. */
function reduced(size: number, deviceCount: number, floor: number): number {
  const divisors = Array.from({ length: deviceCount }, (_, at) => at + 1).filter(
    (divisor) => deviceCount % divisor === 0,
  );
  const isAlike = (other: number) =>
    divisors.every((divisor) => (size % divisor === 0) === (other % divisor === 0));
  for (let other = Math.max(2, floor); other < size; other += 1) {
    if (isAlike(other)) return other;
  }
  return size;
}

interface Place {
  readonly name: string;
  readonly tensor: TensorId;
  readonly dim: number;
}

/** Dims that are one index axis each. */
function placesOf(operator: Operator): readonly Place[] {
  const names = new Set(operator.axes.map(({ name }) => name));
  return operandsOf(operator).flatMap(({ tensor, dims }) =>
    dims.flatMap(({ identifiers }, dim) => {
      const [name] = identifiers;
      return identifiers.length === 1 && name !== undefined && names.has(name)
        ? [{ name, tensor, dim }]
        : [];
    }),
  );
}

function operandsOf({ inputs, outputs }: Operator): readonly Operand[] {
  return [...inputs, ...outputs];
}

/** Dims that have to keep one size together, as a forest; some classes keep the size they have. */
class Classes {
  private readonly parents = new Map<string, string>();
  private readonly fixed = new Set<string>();

  constructor(graph: Graph) {
    for (const operator of graph.operators) {
      const firsts = new Map<string, string>();
      for (const { name, tensor, dim } of placesOf(operator)) {
        const key = keyOf(tensor, dim);
        const first = firsts.get(name);
        if (first === undefined) firsts.set(name, key);
        else this.parents.set(this.rootOf(key), this.rootOf(first));
      }
    }
    for (const operator of graph.operators) {
      const tied = tiedDims(operator);
      for (const { tensor, dims } of operandsOf(operator)) {
        dims.forEach((each, dim) => {
          if (tied(each)) this.fixed.add(this.rootOf(keyOf(tensor, dim)));
        });
      }
    }
  }

  isFixed(tensor: TensorId, dim: number): boolean {
    return this.fixed.has(this.rootOf(keyOf(tensor, dim)));
  }

  private rootOf(key: string): string {
    let root = key;
    for (let parent = this.parents.get(root); parent !== undefined; ) {
      if (parent === root) break;
      root = parent;
      parent = this.parents.get(root);
    }
    return root;
  }
}

function keyOf(tensor: TensorId, dim: number): string {
  return `${tensor} ${dim}`;
}

/**
 * Whether something besides the operands' shapes says the size of a dim: an argument that names
 * sizes, a number in the annotation, a bracket whose identifiers stand there too.
 */
function tiedDims(operator: Operator): (dim: OperandDim) => boolean {
  const names = Object.keys(operator.attributes);
  const isFunction = operator.entry === undefined && names.length > 0;
  if (isFunction || names.some((name) => sized.has(name))) return () => true;
  const axes = new Set(operator.axes.map(({ name }) => name));
  const isPlain = ({ identifiers }: OperandDim) =>
    identifiers.length === 1 && identifiers.every((name) => name === "1" || axes.has(name));
  const dims = operandsOf(operator).flatMap((operand) => operand.dims);
  const bound = new Set(dims.flatMap((dim) => (isPlain(dim) ? [] : dim.identifiers)));
  return ({ identifiers }) => identifiers.some((name) => name !== "1" && bound.has(name));
}
