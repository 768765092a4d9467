import { type Compiled, type Reader, stateReadBy, type TensorView, withReaders } from "#compile";
import type { TensorId } from "#core/ir";

/**
 * The chosen reader of each tensor that is drawn as that reader holds it; other tensors are drawn
 * at rest.
 */
export type Readers = ReadonlyMap<TensorId, Reader>;

export const noReaders: Readers = new Map();

/** The readers with another reader for a tensor; without `reader` the tensor is drawn at rest. */
export function withReader(readers: Readers, tensor: TensorId, reader?: Reader): Readers {
  const others = [...readers].filter(([each]) => each !== tensor);
  return new Map(reader === undefined ? others : [...others, [tensor, reader]]);
}

/** The last drawing of each version, and the readers it was made for. */
const known = new WeakMap<Compiled, { readonly readers: Readers; readonly compiled: Compiled }>();

/** A version with the states of the chosen readers; the same object until either changes. */
export function asChosen(compiled: Compiled | undefined, readers: Readers): Compiled | undefined {
  if (compiled === undefined || readers.size === 0) return compiled;
  const before = known.get(compiled);
  if (before?.readers === readers) return before.compiled;
  const chosen = withReaders(compiled, readers);
  known.set(compiled, { readers, compiled: chosen });
  return chosen;
}

/** Chosen reader of a tensor, if it reads another layout than the one at rest. */
export function chosenReader(
  compiled: Compiled | undefined,
  readers: Readers,
  tensor: TensorId,
): Reader | undefined {
  const reader = readers.get(tensor);
  const view = reader && compiled?.tensors.find((each: TensorView) => each.tensor === tensor);
  const read = view && stateReadBy(view, reader);
  return read && { operator: read.operator, operand: read.operand };
}
