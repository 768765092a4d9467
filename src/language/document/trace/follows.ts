import type { PlainOperand, TracedTensor } from "./traced.ts";

/**
 * Certain sizes of a tensor: numbers that depend on no assumed size. `undefined` when one is not
 * certain.
 */
export function certainSizes(tensor: TracedTensor | undefined): readonly number[] | undefined {
  if (tensor === undefined || tensor.isUnknown === true) return undefined;
  const { shape, shapeStatus } = tensor;
  const sizes = shape?.flatMap((size) => (typeof size === "number" ? [size] : []));
  if (shapeStatus === "assumed" || sizes?.length !== shape?.length) return undefined;
  return followsAssumed([tensor]) ? undefined : sizes;
}

/** Whether a shape depends on the guessed rank of a tensor without a given shape. */
export function followsGuess(tensors: Iterable<TracedTensor | PlainOperand>): boolean {
  return followsFrom(tensors, ({ isRankGuessed }) => isRankGuessed === true);
}

/** Whether a shape depends on assumed sizes of an input. */
export function followsAssumed(tensors: Iterable<TracedTensor | PlainOperand>): boolean {
  return followsFrom(
    tensors,
    ({ role, shapeStatus }) => role === "input" && shapeStatus === "assumed",
    knownAssumed,
  );
}

/** Cached answers per tensor; a search stops at them. */
const knownAssumed = new WeakMap<TracedTensor, boolean>();

function followsFrom(
  tensors: Iterable<TracedTensor | PlainOperand>,
  test: (tensor: TracedTensor) => boolean,
  known = new WeakMap<TracedTensor, boolean>(),
): boolean {
  const asked = [...tensors];
  const open = [...asked];
  const seen = new Set<TracedTensor>();
  for (let tensor = open.pop(); tensor !== undefined; tensor = open.pop()) {
    if (tensor.kind !== "tensor" || seen.has(tensor) || known.get(tensor) === false) continue;
    if (known.get(tensor) === true || test(tensor)) {
      const [only] = asked;
      if (asked.length === 1 && only?.kind === "tensor") known.set(only, true);
      return true;
    }
    seen.add(tensor);
    open.push(...(tensor.producer?.inputs ?? []));
  }
  for (const tensor of seen) known.set(tensor, false);
  return false;
}
