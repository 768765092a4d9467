import type { DimAnno, OpAnno, ShapeAnno } from "#core/dimops";
import { followingDims } from "./following-dims.ts";
import { assumedSize, freshSize, knownSize, type Size, unify } from "./size.ts";

/**
 * Applies an annotation to a call with open sizes: dims with equal identifiers are unified, and the
 * results get sizes. Nothing is refused here; exact binding, which reports faults, follows when all
 * sizes are known.
 *
 * @param inputs shapes by position; `undefined` for operands that are no tensors
 */
export function symbolicShapes(
  annotation: OpAnno,
  inputs: readonly (readonly Size[] | undefined)[],
  integers: Readonly<Record<string, Size>>,
): readonly (readonly Size[])[] {
  const sizes = new Map<string, Size>();
  const stars = starSizes(annotation, inputs);
  for (const [name, value] of Object.entries(integers)) {
    if (isHidden(annotation, name)) sizes.set(name, value);
  }
  for (const [index, shape] of annotation.inputs.entries()) {
    const actual = inputs[index];
    if (actual !== undefined && !shape.ignored) meet(shape, actual, stars, sizes);
  }
  const isOpen = (input: number, dim: number) => {
    const size = inputs[input]?.[dim];
    return size !== undefined && knownSize(size) === undefined;
  };
  const following = stars.length > 0 ? [] : followingDims(annotation, isOpen);
  return annotation.outputs.map((shape, output) =>
    shape.dims.flatMap((dim, at) =>
      isNumber(dim) && following[output]?.[at] === true
        ? [assumedSize(numberOf(dim))]
        : produced(dim, stars, sizes),
    ),
  );
}

/** Whether an annotation fits inputs as far as their sizes are known; open sizes fit anything. */
export function fitsSymbolic(
  annotation: OpAnno,
  inputs: readonly (readonly Size[] | undefined)[],
): boolean {
  const sizes = new Map<string, Size>();
  const stars = starSizes(annotation, inputs);
  return annotation.inputs.every((shape, index) => {
    const actual = inputs[index];
    return actual === undefined || shape.ignored || meet(shape, actual, stars, sizes);
  });
}

/**
 * Rank that an annotated tensor requires. `*` covers as many dims as a tensor of known rank shows,
 * else one beside other dims and two alone.
 */
export function annotatedRank(
  shape: ShapeAnno,
  annotation: OpAnno,
  inputs: readonly (readonly Size[] | undefined)[],
): number {
  const plain = shape.dims.filter((dim) => !isStar(dim)).length;
  return plain === shape.dims.length ? plain : plain + starCount(annotation, inputs);
}

function starCount(annotation: OpAnno, inputs: readonly (readonly Size[] | undefined)[]): number {
  const starred = annotation.inputs.map(({ dims }) => dims.some(isStar));
  if (inputs.some((actual, index) => actual !== undefined && starred[index] === true)) {
    return starSizes(annotation, inputs).length;
  }
  return annotation.inputs.some(({ dims }, index) => starred[index] === true && dims.length > 1)
    ? 1
    : 2;
}

function isStar(dim: DimAnno): boolean {
  return dim.identifiers.length === 1 && dim.identifiers[0]?.kind === "star";
}

/**
 * Whether a dim is a number. In a result dim that follows from an open size the number is only
 * assumed: the annotation was made with a provisional size.
 */
function isNumber(dim: DimAnno): boolean {
  return dim.identifiers.every(({ kind }) => kind === "number");
}

function numberOf(dim: DimAnno): number {
  return dim.identifiers.reduce((product, { name }) => product * Number(name), 1);
}

function isHidden(annotation: OpAnno, name: string): boolean {
  const brackets = annotation.inputs.flatMap((shape) => shape.dims);
  return brackets.some(
    (dim) =>
      dim.identifiers.length > 1 && dim.identifiers.some((identifier) => identifier.name === name),
  );
}

/** Sizes that `*` covers: those of the first tensor that has one. */
function starSizes(
  annotation: OpAnno,
  inputs: readonly (readonly Size[] | undefined)[],
): readonly Size[] {
  for (const [index, shape] of annotation.inputs.entries()) {
    const at = shape.dims.findIndex(isStar);
    const actual = inputs[index];
    if (at < 0 || actual === undefined) continue;
    return actual.slice(at, actual.length - (shape.dims.length - at - 1));
  }
  return [];
}

function meet(
  shape: ShapeAnno,
  actual: readonly Size[],
  stars: readonly Size[],
  sizes: Map<string, Size>,
): boolean {
  const wanted = shape.dims.flatMap((dim) => (isStar(dim) ? [...stars] : [sizeOfDim(dim, sizes)]));
  const met = wanted.map((size, dim) => {
    const other = actual[dim];
    return other === undefined || unify(other, size);
  });
  return wanted.length === actual.length && met.every(Boolean);
}

function produced(dim: DimAnno, stars: readonly Size[], sizes: Map<string, Size>): readonly Size[] {
  return isStar(dim) ? stars : [sizeOfDim(dim, sizes)];
}

function sizeOfDim(dim: DimAnno, sizes: Map<string, Size>): Size {
  const members = dim.identifiers.map((identifier): Size => {
    if (identifier.kind === "number") return Number(identifier.name);
    const size = sizes.get(identifier.name) ?? freshSize();
    sizes.set(identifier.name, size);
    return size;
  });
  const [only] = members;
  if (members.length === 1 && only !== undefined) return only;
  const known = members.map(knownSize);
  if (known.every((size) => size !== undefined)) return known.reduce((n, m) => n * m, 1);
  const product = freshSize();
  product.products = [members];
  return product;
}
