import type { Operator, Tensor, TensorId } from "#core/ir";

/**
 * Entries that only show a tensor in another shape, order, type or part, and compute nothing new.
 */
const views: ReadonlySet<string> = new Set([
  ...["reshape", "flatten", "squeeze", "unsqueeze", "permute", "transpose", "expand"],
  ...["identity", "cast", "split", "chunk", "slice", "select"],
]);

/** Whether an operator may be hidden in the edge it is on. */
function isView({ entry }: Operator): boolean {
  return entry !== undefined && views.has(entry);
}

/** The operators that get a row; all operators if none would remain. */
export function rowOperators(
  operators: readonly Operator[],
  tensors: ReadonlyMap<TensorId, Pick<Tensor, "isHeld">>,
  showsViews: boolean,
): readonly Operator[] {
  // A mask that a module makes once, at its creation, is not computed in a step.
  const isMadeOnce = ({ outputs }: Operator) =>
    outputs.length > 0 && outputs.every(({ tensor }) => tensors.get(tensor)?.isHeld === true);
  const isHidden = (each: Operator) => isView(each) || isMadeOnce(each);
  const computing = showsViews ? operators : operators.filter((each) => !isHidden(each));
  return computing.length === 0 ? operators : computing;
}
