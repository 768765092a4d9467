import { leastCommonMultiple } from "#core/arithmetic";
import type { Graph, Operand, OperandDim, Operator, OperatorId, TensorId } from "#core/ir";

/** Arguments that name sizes or places, so that the sizes of their operator have to stay. */
const sized: ReadonlySet<string> = new Set([
  ...["shape", "size", "split_size", "chunks", "repeats", "pad", "start", "stop", "step", "index"],
  ...["groups", "diagonal", "shifts", "kernel_size", "scale_factor"],
]);

/** The largest argument of a function that is taken for a number of parts, such as heads. */
const mostParts = 64;

/** A dim whose size follows from that of one index axis. */
export interface SizedDim {
  readonly name: string;
  readonly tensor: TensorId;
  readonly dim: number;
  /** The product of what else stands in its bracket. */
  readonly beside: number;
}

/** Dims that are one index axis each, or a bracket of which one axis may change its size. */
export function sizedDims(operator: Operator): readonly SizedDim[] {
  const names = new Set(operator.axes.map(({ name }) => name));
  const free = freeAxes(operator);
  return operandsOf(operator).flatMap(({ tensor, dims }) =>
    dims.flatMap(({ identifiers }, dim) => {
      const [only] = identifiers;
      if (identifiers.length === 1 && only !== undefined && names.has(only))
        return [{ name: only, tensor, dim, beside: 1 }];
      const found = free.get(identifiers.join(" "));
      return found === undefined ? [] : [{ name: found.name, tensor, dim, beside: found.beside }];
    }),
  );
}

function operandsOf({ inputs, outputs }: Operator): readonly Operand[] {
  return [...inputs, ...outputs];
}

/** By the text of a bracket, the axis of it that may change its size. */
function freeAxes(operator: Operator): ReadonlyMap<string, FreeAxis> {
  if (operator.entry !== undefined) return new Map();
  const brackets = operandsOf(operator)
    .flatMap(({ dims }) => dims)
    .filter(({ identifiers }) => identifiers.length > 1);
  return new Map(
    brackets.flatMap((dim) => {
      const free = freeAxis(operator, dim);
      return free === undefined ? [] : [[dim.identifiers.join(" "), free] as const];
    }),
  );
}

interface FreeAxis {
  readonly name: string;
  readonly beside: number;
  /** Pieces of the axis that leads the bracket have to stay equal. */
  readonly isLeading: boolean;
}

/** The identifier of a bracket that stands nowhere else and is no argument, best one behind. */
function freeAxis(
  operator: Operator,
  { identifiers, splittable }: OperandDim,
): FreeAxis | undefined {
  const text = identifiers.join(" ");
  const sizes = new Map(operator.axes.map(({ name, size }) => [name, size]));
  const others = operandsOf(operator)
    .flatMap(({ dims }) => dims)
    .filter((dim) => dim.identifiers.join(" ") !== text);
  const isFree = (name: string) =>
    sizes.has(name) &&
    !Object.hasOwn(operator.attributes, name) &&
    !others.some((dim) => dim.identifiers.includes(name)) &&
    identifiers.filter((each) => each === name).length === 1;
  const name = identifiers.findLast((each) => isFree(each) && each !== splittable);
  const chosen = name ?? identifiers.find(isFree);
  if (chosen === undefined) return undefined;
  const rest = identifiers.filter((each) => each !== chosen);
  const beside = rest.reduce((product, each) => product * (sizes.get(each) ?? Number(each)), 1);
  return { name: chosen, beside, isLeading: chosen === splittable };
}

/** Dims that have to keep one size together, as a forest; some classes keep the size they have. */
export class SizeClasses {
  private readonly parents = new Map<string, string>();
  private readonly fixed = new Set<string>();
  private readonly multiples = new Map<string, number>();

  constructor(graph: Graph, deviceCount: number, pinned: ReadonlySet<OperatorId>) {
    const shapes = new Map(graph.tensors.map(({ id, shape }) => [id, shape]));
    for (const operator of graph.operators) this.join(operator);
    for (const operator of graph.operators) {
      const tied = pinned.has(operator.id) ? () => true : tiedDims(operator);
      const free = freeAxes(operator);
      for (const { tensor, dims } of operandsOf(operator)) {
        dims.forEach((each, dim) => {
          const root = this.rootOf(keyOf(tensor, dim));
          if (tied(each)) this.fixed.add(root);
          const bracket = free.get(each.identifiers.join(" "));
          if (bracket !== undefined) {
            this.require(root, bracket.beside * (bracket.isLeading ? deviceCount : 1));
          }
          const size = shapes.get(tensor)?.[dim] ?? 1;
          for (const parts of partCounts(operator))
            if (size % parts === 0) this.require(root, parts);
        });
      }
    }
  }

  /** What the size of a dim has to stay a multiple of; absent where it may not change. */
  multipleOf(tensor: TensorId, dim: number): number | undefined {
    const root = this.rootOf(keyOf(tensor, dim));
    return this.fixed.has(root) ? undefined : (this.multiples.get(root) ?? 1);
  }

  private join(operator: Operator): void {
    const firsts = new Map<string, string>();
    for (const { name, tensor, dim, beside } of sizedDims(operator)) {
      const [key, alike] = [keyOf(tensor, dim), `${name} ${beside}`];
      const first = firsts.get(alike);
      if (first === undefined) firsts.set(alike, key);
      else this.parents.set(this.rootOf(key), this.rootOf(first));
    }
  }

  private require(root: string, multiple: number): void {
    this.multiples.set(root, leastCommonMultiple(this.multiples.get(root) ?? 1, multiple));
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

/** Arguments of a function that may be numbers of parts: what they divide, they go on dividing. */
function partCounts({ entry, attributes }: Operator): readonly number[] {
  if (entry !== undefined) return [];
  return Object.values(attributes).filter(
    (value): value is number =>
      typeof value === "number" && Number.isInteger(value) && value > 1 && value <= mostParts,
  );
}

/**
 * Whether something besides the operands' shapes says the size of a dim: an argument that names
 * sizes, a number in the annotation, a bracket whose identifiers stand there too.
 */
function tiedDims(operator: Operator): (dim: OperandDim) => boolean {
  const names = Object.keys(operator.attributes);
  const isEntry = operator.entry !== undefined;
  if (isEntry && names.some((name) => sized.has(name))) return () => true;
  const axes = new Set(operator.axes.map(({ name }) => name));
  const free = freeAxes(operator);
  const isPlain = ({ identifiers }: OperandDim) =>
    identifiers.length === 1 && identifiers.every((name) => name === "1" || axes.has(name));
  const isLoose = (dim: OperandDim) => free.has(dim.identifiers.join(" "));
  const dims = operandsOf(operator).flatMap((operand) => operand.dims);
  const bound = new Set([
    ...dims.flatMap((dim) => (isPlain(dim) ? [] : dim.identifiers)),
    ...(isEntry ? [] : names),
  ]);
  return (dim) => !isLoose(dim) && dim.identifiers.some((name) => name !== "1" && bound.has(name));
}
