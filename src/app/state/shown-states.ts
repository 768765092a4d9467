import { type Compiled, type Reader, readBy, type TensorView, withReaders } from "#compile";
import type { TensorId } from "#core/ir";

/** The reader in whose state a tensor is drawn, for tensors not drawn at rest. */
export type Readers = ReadonlyMap<TensorId, Reader>;

export const noReaders: Readers = new Map();

/** The readers with another one for a tensor, which is drawn at rest without one. */
export function withReader(readers: Readers, tensor: TensorId, reader?: Reader): Readers {
  const others = [...readers].filter(([each]) => each !== tensor);
  return new Map(reader === undefined ? others : [...others, [tensor, reader]]);
}

/** The last drawing of each version, and the readers that it was made for. */
const known = new WeakMap<Compiled, { readonly readers: Readers; readonly compiled: Compiled }>();

/** A version with the chosen readers' states; the same object until either changes. */
export function asChosen(compiled: Compiled | undefined, readers: Readers): Compiled | undefined {
  if (compiled === undefined || readers.size === 0) return compiled;
  const before = known.get(compiled);
  if (before?.readers === readers) return before.compiled;
  const chosen = withReaders(compiled, readers);
  known.set(compiled, { readers, compiled: chosen });
  return chosen;
}

/** The chosen reader of a tensor that holds it otherwise than it lies at rest. */
export function chosenReader(
  compiled: Compiled | undefined,
  readers: Readers,
  tensor: TensorId,
): Reader | undefined {
  const reader = readers.get(tensor);
  const view = reader && compiled?.tensors.find((each: TensorView) => each.tensor === tensor);
  const read = view && readBy(view, reader);
  return read && { operator: read.operator, operand: read.operand };
}
