import type { Trace } from "./trace.ts";
import type { TracedOperator, TracedTensor } from "./traced.ts";

/** A backward pass that a program runs: how many operators it had then. */
export interface BackwardRun {
  readonly tensor: TracedTensor;
  readonly operators: number;
}

/**
 * Of a loop that trains the first step is kept, and what follows the last one.
 *
 * @returns whether there were several steps
 */
export function keepOneStep(trace: Trace, calls: readonly BackwardRun[]): boolean {
  const [first, last] = [calls[0], calls.at(-1)];
  if (first === undefined || last === undefined || first === last) return false;
  const repeated = new Set(trace.operators.slice(first.operators, last.operators));
  const needed = neededFor(trace.operators.slice(last.operators));
  const gone = new Set([...repeated].filter((operator) => !needed.has(operator)));
  const kept = trace.operators.filter((operator) => !gone.has(operator));
  trace.operators.splice(0, trace.operators.length, ...kept);
  const read = new Set(kept.flatMap(({ inputs }) => inputs));
  const lost = new Set(
    [...gone].flatMap(({ inputs }) => inputs).filter((input) => !read.has(input)),
  );
  const tensors = trace.tensors.filter(
    (tensor) =>
      !(tensor.producer !== undefined && gone.has(tensor.producer)) &&
      !(tensor.producer === undefined && tensor.role === "input" && lost.has(tensor)),
  );
  trace.tensors.splice(0, trace.tensors.length, ...tensors);
  return true;
}

/** The operators from which the inputs of some come. */
function neededFor(operators: readonly TracedOperator[]): ReadonlySet<TracedOperator> {
  const needed = new Set<TracedOperator>();
  const open = [...operators];
  for (let operator = open.pop(); operator !== undefined; operator = open.pop()) {
    for (const input of operator.inputs) {
      const producer = input.kind === "tensor" ? input.producer : undefined;
      if (producer === undefined || needed.has(producer)) continue;
      needed.add(producer);
      open.push(producer);
    }
  }
  return needed;
}
