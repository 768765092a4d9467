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

/** Results that nothing reads, of operators that were called for another one: nothing names them. */
export function leftOver({ graph: { operators } }: SpmdProgram): ReadonlySet<TensorId> {
  const readers = operators.filter((operator) => !asksForSizes(operator));
  const read = new Set(readers.flatMap(({ inputs }) => inputs.map(({ tensor }) => tensor)));
  return new Set(
    operators.flatMap(({ outputs }) => {
      const unread = outputs.map(({ tensor }) => tensor).filter((tensor) => !read.has(tensor));
      return unread.length < outputs.length ? unread : [];
    }),
  );
}

/** Whether an operator takes no element of its operand, only how many there are. */
export function asksForSizes({ entry }: Operator): boolean {
  return entry === "zeros_like";
}
