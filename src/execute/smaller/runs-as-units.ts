import type { Graph, OperatorId, TensorId } from "#core/ir";
import {
  entryOfRun,
  fold,
  type RepeatStep,
  type SpmdProgram,
  type ValueId,
  valuesById,
} from "#core/program";

/** One run of equal steps: a part of a layer that occurs several times. */
export interface Unit {
  /**
   * The number of its repeat, and its index among the repeat's runs, in the order of the layers.
   */
  readonly repeat: number;
  readonly operators: readonly OperatorId[];
}

/** The equal runs of a program, and the tensors that one run hands to the next. */
export interface Units {
  readonly units: readonly Unit[];
  readonly unitOf: ReadonlyMap<OperatorId, number>;
  /** Counterpart in the run before, for each tensor passed from run to run. */
  readonly before: ReadonlyMap<TensorId, TensorId>;
}

/** Finds the runs that `fold` writes once, with the tensors that they hand on. */
export function unitsOf(program: SpmdProgram): Units {
  const repeats = fold(program).stages.flatMap(({ steps }) =>
    steps.flatMap((step) => (step.kind === "repeat" ? [step] : [])),
  );
  const values = valuesById(program);
  const producers = producersOf(program.graph);
  const units: Unit[] = [];
  const unitOf = new Map<OperatorId, number>();
  const before = new Map<TensorId, TensorId>();
  for (const [at, repeat] of repeats.entries()) {
    for (let entry = 0; entry < repeat.count; entry += 1) {
      const operators = operatorsIn(repeat, entry);
      for (const operator of operators) unitOf.set(operator, units.length);
      units.push({ repeat: at, operators });
    }
    for (const chain of chainsOf(repeat)) {
      const tensors = chain.flatMap((id) => values.get(id)?.tensor ?? []);
      for (const [run, tensor] of tensors.entries()) {
        const earlier = tensors[run - 1];
        const isMade = producers.has(tensor);
        if (earlier !== undefined && earlier !== tensor && isMade && !before.has(tensor))
          before.set(tensor, earlier);
      }
    }
  }
  return { units, unitOf, before };
}

export function producersOf({ operators }: Graph): ReadonlyMap<TensorId, OperatorId> {
  return new Map(
    operators.flatMap(({ id, outputs }) => outputs.map(({ tensor }) => [tensor, id] as const)),
  );
}

function operatorsIn({ names }: RepeatStep, entry: number): readonly OperatorId[] {
  return names.flatMap((step) => {
    const id = step.kind === "local" ? step.operators[entry] : undefined;
    return id === undefined ? [] : [id];
  });
}

/**
 * Chain of tensors for each value passed between runs: the initial one, then the result of each
 * run.
 */
function chainsOf(repeat: RepeatStep): readonly (readonly ValueId[])[] {
  const each = new Map(repeat.each.map(({ inside, outside }) => [inside, outside]));
  const hands = new Map(repeat.carried.map((hand) => [hand.inside, hand]));
  const nameIn = (run: number, inside: ValueId): ValueId | undefined => {
    const hand = hands.get(inside);
    if (hand === undefined) return each.get(inside)?.[entryOfRun(repeat, run)];
    return run === 0 ? hand.initial : nameIn(run - 1, hand.next);
  };
  return repeat.carried.map(({ inside, next }) => {
    const runs = Array.from({ length: repeat.count }, (_, run) => nameIn(run, inside));
    return [...runs, nameIn(repeat.count - 1, next)].flatMap((id) => id ?? []);
  });
}
