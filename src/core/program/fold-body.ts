import { sum } from "#core/arithmetic";
import { readsOf, type Wire, type Wiring, writesOf } from "./fold-wiring.ts";
import {
  type FlatStep,
  type RepeatStep,
  type StepNames,
  type ValueId,
  valueId,
} from "./program.ts";

/**
 * Order of a program's values. The fold uses it to see whether runs go through the blocks backward,
 * since weights are listed by block.
 */
export interface ValueOrder {
  /** Index of a value in the program's list. */
  readonly rankOf: (id: ValueId) => number;
  readonly isParameter: (id: ValueId) => boolean;
}

/**
 * One `repeat` for equal runs of steps.
 *
 * @param runs the steps of each run, in order
 * @param mark makes the names inside unlike all others
 */
export function repeatOf(
  runs: readonly (readonly FlatStep[])[],
  { wires }: Wiring,
  order: ValueOrder,
  mark: string,
): RepeatStep {
  const inner = new InnerNames(runs, mark);
  const body = (runs[0] ?? []).map((step, at) => inner.rename(step, at, wires[at] ?? []));
  const isReverse = goesBackward(inner.read, order);
  const inOrder = <Item>(list: readonly Item[]) => (isReverse ? [...list].reverse() : list);
  const each = [...inner.read, ...inner.made].map(({ inside, outside }) => ({
    inside,
    outside: inOrder(outside),
  }));
  return {
    kind: "repeat",
    count: runs.length,
    ...(isReverse && { reverse: true }),
    body,
    carried: inner.carried,
    each,
    names: body.map((step, at) => namesOf(step, inOrder(runs.map((run) => run[at])))),
  };
}

type Each = RepeatStep["each"][number];

/** Names inside a body, created while its steps are read. */
class InnerNames {
  readonly made: Each[] = [];
  readonly read: Each[] = [];
  readonly carried: RepeatStep["carried"][number][] = [];
  private readonly runs: readonly (readonly FlatStep[])[];
  private readonly results: readonly (readonly Each[])[];
  private readonly known = new Map<string, ValueId>();
  private readonly mark: string;
  private count = 0;

  constructor(runs: readonly (readonly FlatStep[])[], mark: string) {
    this.runs = runs;
    this.mark = mark;
    this.results = (runs[0] ?? []).map((step, at) =>
      writesOf(step).map((id, output) => ({
        inside: this.newName(id),
        outside: this.acrossRuns(at, output, writesOf),
      })),
    );
    this.made.push(...this.results.flat());
  }

  rename(step: FlatStep, at: number, wires: readonly Wire[]): FlatStep {
    const inputs = wires.map((wire, operand) =>
      this.nameOf(wire, this.acrossRuns(at, operand, readsOf)),
    );
    const outputs = this.results[at]?.map(({ inside }) => inside) ?? [];
    if (step.kind === "local") return { ...step, inputs, outputs };
    const [input = step.input] = inputs;
    const [output = step.output] = outputs;
    return { ...step, input, output };
  }

  /** The values that one operand or result of a step of the body has, run by run. */
  private acrossRuns(at: number, index: number, valuesOf: typeof readsOf): readonly ValueId[] {
    return this.runs.map((run) => {
      const step = run[at];
      const id = step && valuesOf(step)[index];
      if (id === undefined) throw new Error("runs of unequal steps");
      return id;
    });
  }

  private nameOf(wire: Wire, outside: readonly ValueId[]): ValueId {
    if (wire.kind === "local") return this.resultOf(wire.source).inside;
    const [first] = outside;
    if (first === undefined) throw new Error("a body that never runs");
    if (wire.kind === "carried") return this.carriedName(wire, outside);
    if (outside.every((id) => id === first)) return first;
    return this.once(`each ${outside.join(" ")}`, first, (inside) =>
      this.read.push({ inside, outside }),
    );
  }

  /**
   * The inner name of a value made `distance` runs earlier; it is handed on `distance` times, once
   * per run.
   */
  private carriedName(
    { source, distance }: Wire & { kind: "carried" },
    reads: readonly ValueId[],
  ): ValueId {
    const made = this.resultOf(source);
    let next = made.inside;
    for (let hand = 1; hand <= distance; hand += 1) {
      const initial = reads[distance - hand];
      const result = made.outside.at(-hand);
      if (initial === undefined || result === undefined) throw new Error("too few runs");
      const from = next;
      next = this.once(`carried ${from} ${initial}`, initial, (inside) =>
        this.carried.push({ initial, inside, next: from, result }),
      );
    }
    return next;
  }

  private once(key: string, like: ValueId, add: (inside: ValueId) => void): ValueId {
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const inside = this.newName(like);
    this.known.set(key, inside);
    add(inside);
    return inside;
  }

  private newName(like: ValueId): ValueId {
    this.count += 1;
    return valueId(`${like}~${this.mark}.${this.count}`);
  }

  private resultOf({ step, output }: { step: number; output: number }): Each {
    const result = this.results[step]?.[output];
    if (result === undefined) throw new Error("a body reads what it does not make");
    return result;
  }
}

/**
 * Whether the runs read more weights in falling order than in rising order; without weights, other
 * values.
 */
function goesBackward(read: readonly Each[], { rankOf, isParameter }: ValueOrder): boolean {
  const parameters = read.filter(({ outside }) => outside.every(isParameter));
  const ways = (parameters.length > 0 ? parameters : read).map(({ outside: [first, ...rest] }) => {
    const last = rest.at(-1);
    return first === undefined || last === undefined ? 0 : Math.sign(rankOf(last) - rankOf(first));
  });
  return sum(ways) < 0;
}

function namesOf(step: FlatStep, copies: readonly (FlatStep | undefined)[]): StepNames {
  if (step.kind === "local") {
    const operators = copies.flatMap((copy) => (copy?.kind === "local" ? [copy.operator] : []));
    return { kind: "local", operators };
  }
  const collectives = copies.flatMap((copy) => (copy?.kind === "collective" ? [copy] : []));
  return {
    kind: "collective",
    reasons: collectives.map(({ reasons }) => reasons),
    reshards: collectives.map(({ reshard }) => reshard),
  };
}
