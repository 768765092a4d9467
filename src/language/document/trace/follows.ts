import type { PlainOperand, TracedTensor } from "./traced.ts";

/** Whether a shape follows from the guessed rank of a tensor that nobody gave. */
export function followsGuess(tensors: Iterable<TracedTensor | PlainOperand>): boolean {
  return followsFrom(tensors, ({ isRankGuessed }) => isRankGuessed === true);
}

/** Whether a shape follows from sizes of an input that nobody gave. */
export function followsAssumed(tensors: Iterable<TracedTensor | PlainOperand>): boolean {
  return followsFrom(
    tensors,
    ({ role, shapeStatus }) => role === "input" && shapeStatus === "assumed",
  );
}

function followsFrom(
  tensors: Iterable<TracedTensor | PlainOperand>,
  test: (tensor: TracedTensor) => boolean,
): boolean {
  const seen = new Set<TracedTensor>();
  const open = [...tensors];
  for (let tensor = open.pop(); tensor !== undefined; tensor = open.pop()) {
    if (tensor.kind !== "tensor" || seen.has(tensor)) continue;
    if (test(tensor)) return true;
    seen.add(tensor);
    open.push(...(tensor.producer?.inputs ?? []));
  }
  return false;
}
