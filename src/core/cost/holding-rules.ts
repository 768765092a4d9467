import type { Operator, TensorId } from "#core/ir";
import type { FlatStep, SpmdProgram, ValueId } from "#core/program";

/** The values that steps make. */
export function madeBy(steps: readonly FlatStep[]): ReadonlySet<ValueId> {
  const made = new Set<ValueId>();
  for (const step of steps)
    if (step.kind === "local") for (const id of step.outputs) made.add(id);
    else made.add(step.output);
  return made;
}

/** Whether an operator adds up what several readers of a tensor contribute to its gradient. */
export function addsGradients({ phase, entry }: Operator): boolean {
  return phase === "backward" && entry === "add";
}

/** Unread results of operators that have another result which is read. */
export function leftOver({ graph: { operators } }: SpmdProgram): ReadonlySet<TensorId> {
  const read = new Set<TensorId>();
  for (const operator of operators)
    if (!asksForSizes(operator)) for (const { tensor } of operator.inputs) read.add(tensor);
  const left = new Set<TensorId>();
  for (const { outputs } of operators) {
    // An operator with one result has no unread result beside a read one.
    if (outputs.length < 2 || outputs.every(({ tensor }) => !read.has(tensor))) continue;
    for (const { tensor } of outputs) if (!read.has(tensor)) left.add(tensor);
  }
  return left;
}

/** Whether an operator reads only the size of its operand, none of its elements. */
export function asksForSizes({ entry }: Operator): boolean {
  return entry === "zeros_like";
}
