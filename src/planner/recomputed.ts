import type { TensorId } from "#core/ir";
import type { Choice } from "./choices.ts";
import type { PlanRequest } from "./problem.ts";
import type { PlannedValue, Reader } from "./values.ts";

type Choices = readonly (readonly Choice[])[];

/**
 * Indices of the operators that run again before the backward pass: their results are not kept, and
 * the backward pass or another such operator reads them (planner.md §6.5).
 */
export function runAgain({ graph, training }: PlanRequest, choices: Choices): ReadonlySet<number> {
  const places = new Set<number>();
  const { recompute = new Set() } = training ?? {};
  if (recompute.size === 0) return places;
  const wanted = new Set<TensorId>();
  for (const [at, { id, inputs, outputs }] of [...graph.operators.entries()].reverse()) {
    const own = choices[at] ?? [];
    for (const [position, { tensor }] of inputs.entries()) {
      if (isReadBackward(own, position)) wanted.add(tensor);
    }
    const isWanted =
      outputs.some(({ tensor }) => wanted.has(tensor)) ||
      own.some(({ readsResult }) => readsResult);
    if (!recompute.has(id) || !isWanted) continue;
    places.add(at);
    for (const { tensor } of inputs) wanted.add(tensor);
  }
  return places;
}

function isReadBackward(choices: readonly Choice[], position: number): boolean {
  return choices.some(({ again }) => (again[position] ?? -1) >= 0);
}

/** The choices with the work of a second run added. */
export function withRuns(choices: Choices, again: ReadonlySet<number>): Choices {
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
 * The values, with a second value for each that is computed again, read by the backward pass and by
 * other second runs. Second runs read parameters once more.
 */
export function withCopies(
  values: readonly PlannedValue[],
  again: ReadonlySet<number>,
  choices: Choices,
): readonly PlannedValue[] {
  if (again.size === 0) return values;
  return values.flatMap((value): readonly PlannedValue[] => {
    const { source, readers } = value;
    if (source.kind !== "operator" || !again.has(source.operator)) {
      const runs = readers.map((reader) => ({ ...reader, isRunAgain: again.has(reader.operator) }));
      return [{ ...value, readers: runs }];
    }
    const backward = readers
      .filter(({ operator, position }) => isReadBackward(choices[operator] ?? [], position))
      .map((reader): Reader => ({ ...reader, pass: "backward" }));
    const others = readers
      .filter(({ operator }) => again.has(operator))
      .map((reader): Reader => ({ ...reader, pass: "recompute" }));
    const copy = { ...value, hasGradient: false, isResult: false, ends: [] };
    return [
      { ...value, isForgotten: true },
      { ...copy, readers: [...backward, ...others] },
    ];
  });
}
