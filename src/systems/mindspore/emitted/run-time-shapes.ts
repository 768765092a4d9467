import { greatestCommonDivisor, product } from "#core/arithmetic";
import { entryList } from "../operators/call.ts";
import { axisSizeOf } from "../redistribution/flat-layout.ts";
import type { PlacedTensor } from "./sent.ts";

/** A placed tensor, with the dims whose lengths are known only at run time. */
export interface RunTimeTensor {
  readonly placed: PlacedTensor;
  readonly dims: ReadonlySet<number>;
}

/**
 * Replaces run-time lengths on both sides of a redistribution by fixed ones, as MindSpore's
 * `AssembleStaticTensorShape`: for each dim a prime of its own times the pieces that both sides
 * need, so that pieces of different dims never match by chance. If a Reshape makes several run-time
 * lengths, the target is fully gathered.
 */
export function withLengths(
  from: RunTimeTensor,
  to: RunTimeTensor,
): { readonly from: PlacedTensor; readonly to: PlacedTensor } {
  const [source, target] = [openShape(from), openShape(to)];
  const isReshape = from.placed.shape.join() !== to.placed.shape.join();
  if (isReshape && to.dims.size > 1) return { from: from.placed, to: gathered(from.placed) };
  const shape = sourceShape(source, target, cuts(from.placed), cuts(to.placed));
  if (!isReshape) return { from: { ...from.placed, shape }, to: { ...to.placed, shape } };
  const rest = product(shape) / product(known(target));
  const made = target.map((size) => size ?? rest);
  return { from: { ...from.placed, shape }, to: { ...to.placed, shape: made } };
}

type OpenShape = readonly (number | undefined)[];

function openShape({ placed, dims }: RunTimeTensor): OpenShape {
  // Half of a run-time length that is read as 1 gives size 0; it is run-time too.
  return placed.shape.map((size, dim) => (dims.has(dim) || size === 0 ? undefined : size));
}

function gathered({ deviceMatrix, shape }: PlacedTensor): PlacedTensor {
  return { deviceMatrix, shape, tensorMap: shape.map(() => -1) };
}

function known(shape: OpenShape): readonly number[] {
  return shape.filter((size) => size !== undefined);
}

/** Number of pieces per dim. */
function cuts({ deviceMatrix, tensorMap }: PlacedTensor): readonly number[] {
  return tensorMap.map((entry) =>
    product(entryList(entry).map((axis) => axisSizeOf(deviceMatrix, axis))),
  );
}

function sourceShape(
  source: OpenShape,
  target: OpenShape,
  cut: readonly number[],
  wanted: readonly number[],
): readonly number[] {
  const isSame = source.join() === target.join();
  const last = source.lastIndexOf(undefined);
  const numbers = [...known(source), ...known(target)];
  let missing = missingPieces(source, target, wanted);
  const shape = source.map((size, dim) => {
    if (size !== undefined) return size;
    const pieces = cut[dim] ?? 1;
    const other = isSame ? (wanted[dim] ?? 1) : 1;
    let length = coprime(numbers) * pieces;
    if (length % other !== 0) length *= other / greatestCommonDivisor(pieces, other);
    missing /= greatestCommonDivisor(isSame ? length : pieces, missing);
    if (dim === last) length *= missing;
    numbers.push(length);
    return length;
  });
  const lacking = left(shape, known(target));
  return shape.map((size, dim) => (source[dim] === undefined ? size * lacking : size));
}

/**
 * The pieces that the target's run-time dims need beyond what known lengths of the source provide.
 */
function missingPieces(source: OpenShape, target: OpenShape, wanted: readonly number[]): number {
  const pieces = product(wanted.filter((_, dim) => target[dim] === undefined));
  const [have, want] = [product(known(source)), product(known(target))];
  if (want > have && want % have === 0) return pieces * (want / have);
  const spare = have > want && have % want === 0 ? have / want : 1;
  return pieces > spare && pieces % spare === 0 ? pieces / spare : pieces;
}

/** The product of `factors` after removing what divides the sizes of a shape. */
function left(shape: readonly number[], factors: readonly number[]): number {
  const rest = [...factors];
  for (let size of shape) {
    for (const [at, factor] of rest.entries()) {
      const shared = greatestCommonDivisor(size, factor);
      size /= shared;
      rest[at] = factor / shared;
    }
  }
  return product(rest);
}

/** The smallest odd prime that divides none of the numbers. */
function coprime(numbers: readonly number[]): number {
  for (let prime = 3; ; prime += 2) {
    if (isPrime(prime) && numbers.every((each) => each % prime !== 0)) return prime;
  }
}

function isPrime(odd: number): boolean {
  for (let factor = 3; factor * factor <= odd; factor += 2) if (odd % factor === 0) return false;
  return true;
}
