import { alignedStart } from "./fold-align.ts";
import { repeatOf, type ValueOrder } from "./fold-body.ts";
import { createStepKeys, type StepKeys } from "./fold-keys.ts";
import { findRepetitions, type Repetition } from "./fold-periods.ts";
import { type Wires, wiresOf, wiringOf } from "./fold-wiring.ts";
import { type FlatStep, placesOfValues, type SpmdProgram, type Step } from "./program.ts";
import { unroll } from "./unroll.ts";

/**
 * Folds a program's equal blocks: consecutive runs of steps become one `repeat` if they do the same
 * to values of equal shapes and layouts, connected alike. Of overlapping repetitions, the one that
 * saves most steps is taken; repeats are not nested.
 *
 * Values, redistributions and the graph are unchanged and each run keeps its names, so that
 * `unroll` restores the flat program exactly.
 */
export function fold(program: SpmdProgram): SpmdProgram {
  return createFold()(program);
}

/**
 * `fold` for one version of a program after the other; steps that versions share are read once.
 * @internal
 */
export function createFold(): (program: SpmdProgram) => SpmdProgram {
  const keysOf = createStepKeys();
  return (program) => folded(program, keysOf);
}

function folded(program: SpmdProgram, keysOf: StepKeys): SpmdProgram {
  const flat = unroll(program);
  const order = orderOf(flat);
  const found = findersOf(flat, keysOf);
  const stages = flat.stages.map((stage, index) => {
    return { ...stage, steps: found[index]?.write(order, `${index}`) ?? stage.steps };
  });
  return { ...flat, stages };
}

/** Consecutive runs of equal steps. */
export interface EqualRuns {
  /** The steps of each run. */
  readonly runs: readonly (readonly FlatStep[])[];
  /** Whether a run reads a value computed by an earlier run. */
  readonly isCarried: boolean;
}

/** Finds the runs that `fold` would fold, in one version of a program after the other. */
export function createFindRuns(): (program: SpmdProgram) => readonly EqualRuns[] {
  const keysOf = createStepKeys();
  return (program) => findersOf(unroll(program), keysOf).flatMap((found) => found.equalRuns());
}

function findersOf(flat: SpmdProgram, keysOf: StepKeys): readonly Finder[] {
  const blockOf = blocksOf(flat);
  return flat.stages.map((stage) => {
    const steps = stage.steps.filter((step) => step.kind !== "repeat");
    const keys = keysOf(flat, steps);
    const found = new Finder(wiresOf(steps), steps.map(blockOf));
    for (const each of findRepetitions(keys)) found.take(each);
    return found;
  });
}

function orderOf({ graph, values }: SpmdProgram): ValueOrder {
  const ranks = placesOfValues({ values });
  const weights = graph.tensors.filter((each) => each.role === "parameter" && !each.producer);
  const tensors = new Set(weights.map(({ id }) => id));
  const parameters = new Set(values.flatMap(({ id, tensor }) => (tensors.has(tensor) ? [id] : [])));
  return { rankOf: (id) => ranks.get(id) ?? 0, isParameter: (id) => parameters.has(id) };
}

/** The block of the model that a step belongs to: `layers[3]` for `layers[3].attention.h`. */
function blocksOf({ graph, values }: SpmdProgram): (step: FlatStep) => string {
  const operators = new Map(graph.operators.map(({ id, name }) => [id, name]));
  const tensors = new Map(graph.tensors.map(({ id, name }) => [id, name]));
  const made = new Map(values.map(({ id, tensor }) => [id, tensors.get(tensor)]));
  return (step) => {
    const name =
      (step.kind === "local" ? operators.get(step.operator) : made.get(step.output)) ?? "";
    return name.slice(0, name.indexOf("]") + 1);
  };
}

interface Block {
  readonly start: number;
  readonly period: number;
  readonly wiring: ReturnType<typeof wiringOf>;
}

/** Collects equal runs of steps that do not overlap. */
class Finder {
  private readonly wires: Wires;
  private readonly blocks: readonly string[];
  private readonly found = new Map<number, Block>();
  private readonly isTaken: boolean[];

  constructor(wires: Wires, blocks: readonly string[]) {
    this.wires = wires;
    this.blocks = blocks;
    this.isTaken = blocks.map(() => false);
  }

  /** Takes the parts of a repetition that are free and whose runs are connected alike. */
  take({ start, stop, period }: Repetition): void {
    let at = start;
    while (at < stop) {
      let end = at;
      while (end < stop && this.isTaken[end] === false) end += 1;
      this.takeFree(at, end, period);
      at = end + 1;
    }
  }

  private takeFree(from: number, stop: number, period: number): void {
    let at = from;
    while (stop - at >= 2 * period) {
      const most = Math.floor((stop - at) / period);
      const { count, faultAt } = wiringOf(this.wires, at, period, most);
      if (count < 2) {
        // A step whose connections differ from those of its copy cannot be inside a repeat: the
        // next attempt begins behind it.
        at += (faultAt ?? 0) + 1;
        continue;
      }
      const spare = faultAt ?? (stop - at) % period;
      const start = alignedStart(this.wires, this.blocks, at, period, spare);
      this.accept({ start, period, wiring: wiringOf(this.wires, start, period, count) });
      at = start + count * period;
    }
  }

  private accept(block: Block): void {
    this.found.set(block.start, block);
    this.isTaken.fill(true, block.start, block.start + block.wiring.count * block.period);
  }

  /** The found runs in the order of their steps. */
  equalRuns(): readonly EqualRuns[] {
    const found = [...this.found.values()].sort((a, b) => a.start - b.start);
    return found.map((block) => ({
      runs: this.runsOf(block),
      isCarried: block.wiring.wires.some((step) => step.some(({ kind }) => kind === "carried")),
    }));
  }

  private runsOf({ start, period, wiring }: Block): readonly (readonly FlatStep[])[] {
    return Array.from({ length: wiring.count }, (_, run) =>
      this.wires.steps.slice(start + run * period, start + (run + 1) * period),
    );
  }

  write(order: ValueOrder, mark: string): readonly Step[] {
    const { steps } = this.wires;
    const written: Step[] = [];
    for (let at = 0; at < steps.length; at += 1) {
      const block = this.found.get(at);
      const step = steps[at];
      if (block === undefined) {
        if (step !== undefined) written.push(step);
        continue;
      }
      const { wiring, period } = block;
      written.push(repeatOf(this.runsOf(block), wiring, order, `${mark}.${at}`));
      at += wiring.count * period - 1;
    }
    return written;
  }
}
