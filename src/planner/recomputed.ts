import { type OperatorId, type TensorId, tensorsById } from "#core/ir";
import { required } from "#core/records";
import { savesMoreThanOperands } from "#core/training";
import type { Choice } from "./choices.ts";
import type { PlanRequest } from "./problem.ts";
import type { PlannedValue, Reader } from "./values.ts";

type Choices = readonly (readonly Choice[])[];

/** Indices of operators that run again before the backward pass. */
export interface RunsAgain {
  readonly all: ReadonlySet<number>;
  /** Operators without a kept result: the backward pass reads the results of their second run. */
  readonly forgotten: ReadonlySet<number>;
}

/**
 * Operators that are recomputed before the backward pass. Either their results, or the memory that
 * their kernels keep, are not kept but needed by the backward pass or by another recomputed
 * operator (planner.md §6.5); or they belong to a part that is recomputed as a whole.
 */
export function runAgain(
  { graph, training }: PlanRequest,
  choices: Choices,
  hasGradient: (id: TensorId) => boolean,
): RunsAgain {
  const [all, forgotten] = [new Set<number>(), new Set<number>()];
  const { recompute = new Set<OperatorId>(), handsOn = new Set<OperatorId>() } = training ?? {};
  const whole = new Set((training?.runsAgain ?? []).flat());
  if (recompute.size + handsOn.size + whole.size === 0) return { all, forgotten };
  const tensors = tensorsById(graph);
  const tensorOf = (id: TensorId) => required(tensors, id, "tensor");
  const wanted = new Set<TensorId>();
  for (const [at, operator] of [...graph.operators.entries()].reverse()) {
    const { id, inputs, outputs } = operator;
    const own = choices[at] ?? [];
    for (const [position, { tensor }] of inputs.entries()) {
      if (isReadBackward(own, position)) wanted.add(tensor);
    }
    const isTrained = outputs.some(({ tensor }) => hasGradient(tensor));
    const needsOwn = () => isTrained && savesMoreThanOperands(operator, tensorOf, hasGradient);
    const isRead = () =>
      outputs.some(({ tensor }) => wanted.has(tensor)) ||
      own.some(({ readsResult }) => readsResult);
    const isForgotten = recompute.has(id);
    const runs =
      whole.has(id) ||
      (isForgotten && isRead()) ||
      ((isForgotten || handsOn.has(id)) && needsOwn());
    if (!runs) continue;
    all.add(at);
    if (isForgotten) forgotten.add(at);
    for (const { tensor } of inputs) wanted.add(tensor);
  }
  return { all, forgotten };
}

function isReadBackward(choices: readonly Choice[], position: number): boolean {
  return choices.some(({ again }) => (again[position] ?? -1) >= 0);
}

/** The choices with the work of a second run added. */
export function withRuns(choices: Choices, again: RunsAgain["all"]): Choices {
  if (again.size === 0) return choices;
  const known = new Map<readonly Choice[], readonly Choice[]>();
  return choices.map((own, at) => {
    if (!again.has(at)) return own;
    const longer =
      known.get(own) ??
      own.map(({ inside = [], ...choice }) => ({
        ...choice,
        seconds: choice.seconds + choice.forwardSeconds,
        inside: [...inside, ...inside.filter(({ isForward }) => isForward)],
      }));
    known.set(own, longer);
    return longer;
  });
}

/**
 * The values, with a second value for each recomputed one, read by the backward pass and by other
 * second runs. Second runs read parameters once more.
 */
export function withCopies(
  values: readonly PlannedValue[],
  { all, forgotten }: RunsAgain,
  choices: Choices,
): readonly PlannedValue[] {
  if (all.size === 0) return values;
  return values.flatMap((value): readonly PlannedValue[] => {
    const { source, readers, placed } = value;
    const maker = source.kind === "operator" ? source.operator : -1;
    const copy = {
      ...value,
      hasGradient: false,
      isResult: false,
      isGatheredAgain: false,
      ends: [],
    };
    if (!forgotten.has(maker)) {
      const runs = readers.map((reader) => ({ ...reader, isRunAgain: all.has(reader.operator) }));
      const kept = { ...value, readers: runs };
      // A second run next to a kept result places its result as the text says; nothing reads it.
      return all.has(maker) && placed !== undefined ? [kept, { ...copy, readers: [] }] : [kept];
    }
    const backward = readers
      .filter(({ operator, position }) => isReadBackward(choices[operator] ?? [], position))
      .map((reader): Reader => ({ ...reader, pass: "backward" }));
    const others = readers
      .filter(({ operator }) => all.has(operator))
      .map((reader): Reader => ({ ...reader, pass: "recompute" }));
    return [
      { ...value, isForgotten: true },
      { ...copy, readers: [...backward, ...others] },
    ];
  });
}
