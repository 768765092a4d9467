import type { Diagnostic } from "#core/diagnostics";
import { boundSoundly } from "./bind-traced.ts";
import { certainSizes } from "./follows.ts";
import type { Trace } from "./trace.ts";
import type { TracedOperator, TracedTensor } from "./traced.ts";

/** A backward pass that a program runs, with the number of operators recorded before it. */
export interface BackwardRun {
  readonly tensor: TracedTensor;
  readonly operators: number;
}

/** Which parts were left out when one step was kept. */
export interface LeftOut {
  /** Whether further steps or code after the step were left out. */
  readonly later: boolean;
  /** Whether evaluation code was left out. */
  readonly evaluation: boolean;
}

/**
 * Keeps the first step of a training loop, and what follows the last one.
 *
 * @param end number of operators when the step ended; later ones are left out too
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

/** Removes operators from a program, with their results and the inputs that only they read. */
function leaveOut(trace: Trace, gone: ReadonlySet<TracedOperator>): void {
  if (gone.size === 0) return;
  const kept = trace.operators.filter((operator) => !gone.has(operator));
  trace.diagnostics.push(...conflictsIn(gone, kept));
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

/** What is wrong for certain with the sizes of calls that are left out, whose place is not kept either. */
function conflictsIn(
  gone: ReadonlySet<TracedOperator>,
  kept: readonly TracedOperator[],
): readonly Diagnostic[] {
  const seen = new Set(kept.map(({ span }) => span.from));
  const faults: Diagnostic[] = [];
  for (const operator of gone) {
    if (operator.span.from < 0 || seen.has(operator.span.from)) continue;
    seen.add(operator.span.from);
    const tensors = operator.inputs.filter((each) => each.kind === "tensor");
    if (tensors.every((each) => certainSizes(each) !== undefined)) boundSoundly(operator, faults);
  }
  return faults.filter(({ code, severity }) => severity === "error" && code.startsWith("dimops/"));
}

/**
 * Removes operators that only make data: no parameter reaches them, and no operator with parameters
 * needs their results.
 */
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

/** Removes unread inputs: they make data, or the text keeps them for later. */
export function dropUnreadInputs(trace: Trace): void {
  const read = new Set(trace.operators.flatMap(({ inputs }) => inputs));
  const kept = trace.tensors.filter(
    (tensor) => tensor.role !== "input" || tensor.producer !== undefined || read.has(tensor),
  );
  trace.tensors.splice(0, trace.tensors.length, ...kept);
}

/**
 * Operators that run without gradients before a backward pass and feed none that run with
 * gradients.
 */
function evaluatedBefore(
  { operators, rounds: { evaluated } }: Trace,
  end: number,
): readonly TracedOperator[] {
  const before = operators.slice(0, end);
  const needed = neededFor(before.filter((operator) => !evaluated.has(operator)));
  return before.filter((operator) => evaluated.has(operator) && !needed.has(operator));
}

/** Producers of the operators' inputs, transitively. */
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
