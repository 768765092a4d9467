import type { Operator, Tensor, TensorId } from "#core/ir";

/** Entries that show a tensor in another shape, order or type, or a part of it, and compute nothing new. */
const views: ReadonlySet<string> = new Set([
  ...["reshape", "flatten", "squeeze", "unsqueeze", "permute", "transpose", "expand"],
  ...["identity", "cast", "split", "chunk", "slice", "select"],
]);

/** Whether an operator can stay inside the edge that it lies on. */
function isView({ entry }: Operator): boolean {
  return entry !== undefined && views.has(entry);
}

/** The operators that get a row; all of them where there would be none. */
export function rowOperators(
  operators: readonly Operator[],
  tensors: ReadonlyMap<TensorId, Pick<Tensor, "isHeld">>,
  showsViews: boolean,
): readonly Operator[] {
  // A mask that a module makes once, at its creation, does not run in a step.
  const isMadeOnce = ({ outputs }: Operator) =>
    outputs.length > 0 && outputs.every(({ tensor }) => tensors.get(tensor)?.isHeld === true);
  const isHidden = (each: Operator) => isView(each) || isMadeOnce(each);
  const computing = showsViews ? operators : operators.filter((each) => !isHidden(each));
  return computing.length === 0 ? operators : computing;
}
