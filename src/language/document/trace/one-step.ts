import type { Trace } from "./trace.ts";
import type { TracedOperator, TracedTensor } from "./traced.ts";

/** A backward pass that a program runs: how many operators it had then. */
export interface BackwardRun {
  readonly tensor: TracedTensor;
  readonly operators: number;
}

/** The parts of a program that are left out when one step is kept. */
export interface LeftOut {
  /** Whether further steps are left out, or code behind the step. */
  readonly later: boolean;
  /** Whether code that only evaluates is left out. */
  readonly evaluation: boolean;
}

/**
 * Of a loop that trains the first step is kept, and what follows the last one.
 *
 * @param end how many operators the program had when the step ended: what follows is left out too
 */
export function keepOneStep(trace: Trace, calls: readonly BackwardRun[], end?: number): LeftOut {
  const [first, last] = [calls[0], calls.at(-1)];
  if (first === undefined || last === undefined) return { later: false, evaluation: false };
  const later = trace.operators.slice(end ?? trace.operators.length);
  const needed = neededFor(trace.operators.slice(last.operators, end));
  const repeated = trace.operators
    .slice(first.operators, last.operators)
    .filter((operator) => !needed.has(operator));
  const evaluated = evaluatedBefore(trace, first.operators);
  leaveOut(trace, new Set([...repeated, ...later, ...evaluated]));
  const isLater = first !== last || later.length > 0;
  return { later: isLater, evaluation: evaluated.length > 0 };
}

/** Takes operators out of a program, with what they make and the inputs that they alone read. */
function leaveOut(trace: Trace, gone: ReadonlySet<TracedOperator>): void {
  if (gone.size === 0) return;
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
}

/** Operators that no parameter reaches, and whose results nothing needs that one reaches, make data. */
export function dropDataMaking(trace: Trace): void {
  const reached = new Set<TracedTensor>(
    trace.tensors.filter(({ role, producer }) => role === "parameter" && producer === undefined),
  );
  const trained = trace.operators.filter(({ inputs, outputs }) => {
    const isReached = inputs.some((input) => input.kind === "tensor" && reached.has(input));
    if (isReached) for (const output of outputs) reached.add(output);
    return isReached;
  });
  const needed = neededFor(trained);
  for (const operator of trained) needed.add(operator);
  leaveOut(trace, new Set(trace.operators.filter((operator) => !needed.has(operator))));
}

/** Inputs that no operator reads are no part of a step: they make data, or the text keeps them for later. */
export function dropUnreadInputs(trace: Trace): void {
  const read = new Set(trace.operators.flatMap(({ inputs }) => inputs));
  const kept = trace.tensors.filter(
    (tensor) => tensor.role !== "input" || tensor.producer !== undefined || read.has(tensor),
  );
  trace.tensors.splice(0, trace.tensors.length, ...kept);
}

/** What runs without gradients before a backward pass, and gives nothing to what runs with them. */
function evaluatedBefore(
  { operators, rounds: { evaluated } }: Trace,
  end: number,
): readonly TracedOperator[] {
  const before = operators.slice(0, end);
  const needed = neededFor(before.filter((operator) => !evaluated.has(operator)));
  return before.filter((operator) => evaluated.has(operator) && !needed.has(operator));
}

/** The operators from which the inputs of some come. */
function neededFor(operators: readonly TracedOperator[]): Set<TracedOperator> {
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
