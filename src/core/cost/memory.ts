import { sameBlocks } from "#core/mesh";
import {
  copiesOf,
  type FlatStep,
  outerNames,
  type RepeatStep,
  type SpmdProgram,
  type Step,
  type Value,
  type ValueId,
} from "#core/program";
import type { Memory } from "./cost.ts";
import { valueBytes } from "./operator-seconds.ts";

/**
 * Memory of the fullest device, read off the steps: inputs and parameters lie there throughout, a
 * result from the step that makes it to the last one that reads it, the program's outputs to the
 * end. While a step runs, what it reads and what it makes are both alive; an updated parameter or
 * state takes over the room of the old one.
 *
 * @param sizes bytes of every value (`valueBytes`), where they are known already
 */
export function memoryOf(
  program: SpmdProgram,
  sizes: ReadonlyMap<ValueId, number> = valueBytes(program),
): Memory {
  const bytes = ownBytes(program, sizes);
  const lifetimes = lifetimesOf(program);
  const peak = peakMoment(lifetimes, bytes);
  const alive = aliveIn(program, lifetimes, peak.moment);
  const ofRole = (role: Value["role"]) =>
    sumBytes(
      alive.filter((value) => value.role === role),
      bytes,
    );
  return {
    peakBytes: peak.total,
    afterForwardBytes: Number.NaN,
    curve: [],
    parameterBytes: ofRole("parameter"),
    inputBytes: ofRole("input"),
    activationBytes: ofRole("activation"),
    gradientBytes: ofRole("gradient"),
    optimizerBytes: ofRole("state"),
    alive: alive
      .map((value) => ({ value: value.id, bytes: bytes.get(value.id) ?? 0 }))
      .sort((a, b) => b.bytes - a.bytes || (a.value < b.value ? -1 : 1)),
  };
}

/**
 * What the fullest device holds while a step runs, in the program's order of values: what the step
 * reads and makes, and everything that a later step still needs. At the fullest moment the bytes
 * add up to `memoryOf`'s peak.
 *
 * @param step index into `flatSteps(program)`
 */
export function aliveAt(
  program: SpmdProgram,
  step: number,
): readonly { readonly value: ValueId; readonly bytes: number }[] {
  const bytes = ownBytes(program, valueBytes(program));
  return aliveIn(program, lifetimesOf(program), step).map(({ id }) => ({
    value: id,
    bytes: bytes.get(id) ?? 0,
  }));
}

function aliveIn(
  { values }: SpmdProgram,
  lifetimes: ReadonlyMap<ValueId, Lifetime>,
  moment: number,
): readonly Value[] {
  return values.filter(({ id }) => {
    const life = lifetimes.get(id);
    return life !== undefined && life.first <= moment && moment <= life.last;
  });
}

/**
 * Bytes of every value; none of what lies as the tensor does that it replaces. An input is there
 * with the rows of all micro-batches.
 */
function ownBytes(
  program: SpmdProgram,
  sizes: ReadonlyMap<ValueId, number>,
): ReadonlyMap<ValueId, number> {
  const { microbatches } = program;
  if (microbatches === undefined) return placedBytes(program, sizes);
  const bytes = new Map(placedBytes(program, sizes));
  for (const { id, role, tensor } of program.values) {
    const isWhole = role === "input" && program.made.get(tensor) === id;
    if (!isWhole || !microbatches.dims.has(tensor)) continue;
    bytes.set(id, (bytes.get(id) ?? 0) * microbatches.count);
  }
  return bytes;
}

function placedBytes(
  program: SpmdProgram,
  sizes: ReadonlyMap<ValueId, number>,
): ReadonlyMap<ValueId, number> {
  if (program.graph.tensors.every(({ replaces }) => replaces === undefined)) return sizes;
  const tensors = new Map(program.graph.tensors.map((tensor) => [tensor.id, tensor]));
  const values = new Map(program.values.map((value) => [value.id, value]));
  const bytes = new Map(sizes);
  for (const { id, tensor, layout } of program.values) {
    const { replaces, shape = [] } = tensors.get(tensor) ?? {};
    const at = replaces === undefined ? undefined : program.made.get(replaces);
    const old = at === undefined ? undefined : values.get(at);
    if (old !== undefined && sameBlocks(layout, old.layout, shape)) bytes.set(id, 0);
  }
  return bytes;
}

/** The first step at which the most bytes are alive: what comes and goes, swept in order. */
function peakMoment(
  lifetimes: ReadonlyMap<ValueId, Lifetime>,
  bytes: ReadonlyMap<ValueId, number>,
): { readonly moment: number; readonly total: number } {
  const changes: number[] = [0];
  const change = (moment: number, by: number) => {
    while (changes.length <= moment) changes.push(0);
    changes[moment] = (changes[moment] ?? 0) + by;
  };
  for (const [id, { first, last }] of lifetimes) {
    const held = bytes.get(id) ?? 0;
    change(first, held);
    change(last + 1, -held);
  }
  let total = 0;
  let peak = { moment: 0, total: 0 };
  for (const [moment, by] of changes.entries()) {
    total += by;
    if (total > peak.total) peak = { moment, total };
  }
  return peak;
}

function sumBytes(values: readonly Value[], bytes: ReadonlyMap<ValueId, number>): number {
  return values.reduce((total, value) => total + (bytes.get(value.id) ?? 0), 0);
}

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
 *
 * @internal
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
