import {
  copiesOf,
  type FlatStep,
  outerNames,
  type RepeatStep,
  type SpmdProgram,
  type Step,
  type ValueId,
} from "#core/program";

/** From the step that makes a value to the last that needs it, both counted in run order. */
export interface Lifetime {
  readonly first: number;
  readonly last: number;
}

/**
 * When each value is alive. What no step makes is there throughout, the program's outputs to the
 * end. An all-reduce works in place: what it reads for the last time makes room for its result.
 * The runs of a `repeat` count as if written out, but its body is looked through only once. Of
 * micro-batches the last run stands for all: sums over them are there from its start.
 */
export function lifetimesOf(program: SpmdProgram): ReadonlyMap<ValueId, Lifetime> {
  const lives = new Lives();
  for (const { steps, runs } of program.stages) {
    if (runs !== undefined) lives.hold(sumsIn(program, steps));
    for (const step of steps) {
      if (step.kind === "repeat") lives.repeat(step);
      else lives.step(step);
    }
  }
  return lives.finish(program);
}

/** What runs add up in place. */
function sumsIn({ graph }: SpmdProgram, steps: readonly Step[]): readonly ValueId[] {
  const adding = new Set(
    graph.operators.flatMap(({ id, op }) => (op === "accumulate" ? [id] : [])),
  );
  return steps.flatMap((step) => {
    const flat = step.kind === "repeat" ? copiesOf(step) : [step];
    return flat.flatMap((each) =>
      each.kind === "local" && adding.has(each.operator) ? each.outputs : [],
    );
  });
}

/** A lifetime while the steps are gone through. */
interface Life {
  readonly first: number;
  last: number;
}

class Lives {
  private readonly lifetimes = new Map<ValueId, Life>();
  private readonly made = new Set<ValueId>();
  private readonly held = new Set<ValueId>();
  /** What each all-reduce reads, and when. */
  private readonly combined: { readonly id: ValueId; readonly moment: number }[] = [];
  private moment = 0;

  step(step: FlatStep): void {
    if (step.kind === "collective" && step.collective === "all-reduce") {
      this.combined.push({ id: step.input, moment: this.moment });
    }
    if (step.kind === "local") {
      for (const id of step.outputs) this.make(id, this.moment, this.moment);
      for (const id of step.inputs) this.read(id, this.moment);
    } else {
      this.make(step.output, this.moment, this.moment);
      this.read(step.input, this.moment);
    }
    this.moment += 1;
  }

  repeat(step: RepeatStep): void {
    const inside = new Lives();
    for (const each of step.body) inside.step(each);
    for (let run = 0; run < step.count; run += 1) {
      const names = outerNames(step, run);
      for (const [id, { first, last }] of inside.lifetimes) {
        const outer = names.get(id) ?? id;
        if (inside.made.has(id)) this.make(outer, this.moment + first, this.moment + last);
        else this.read(outer, this.moment + last);
      }
      for (const { id, moment } of inside.combined) {
        this.combined.push({ id: names.get(id) ?? id, moment: this.moment + moment });
      }
      this.moment += step.body.length;
    }
  }

  finish(program: SpmdProgram): ReadonlyMap<ValueId, Lifetime> {
    const end = Math.max(0, this.moment - 1);
    for (const { id } of program.values) {
      if (!this.made.has(id)) this.lifetimes.set(id, { first: 0, last: end });
    }
    for (const id of program.outputs) {
      const life = this.lifetimes.get(id);
      if (life !== undefined) life.last = end;
    }
    for (const { id, moment } of this.combined) {
      const life = this.lifetimes.get(id);
      const isGone = this.made.has(id) && life?.last === moment && life.first < moment;
      if (isGone) life.last = moment - 1;
    }
    return this.lifetimes;
  }

  /** Values that are there before the step that seems to make them. */
  hold(ids: readonly ValueId[]): void {
    for (const id of ids) {
      this.make(id, this.moment, this.moment);
      this.held.add(id);
    }
  }

  private make(id: ValueId, first: number, last: number): void {
    this.made.add(id);
    if (this.held.has(id)) this.read(id, last);
    else this.lifetimes.set(id, { first, last });
  }

  private read(id: ValueId, moment: number): void {
    const life = this.lifetimes.get(id);
    if (life === undefined) this.lifetimes.set(id, { first: moment, last: moment });
    else life.last = Math.max(life.last, moment);
  }
}
