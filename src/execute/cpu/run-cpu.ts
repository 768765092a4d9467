import type { Blocks } from "#core/collective";
import type { Operator, OperatorId, TensorId } from "#core/ir";
import {
  type CollectiveStep,
  entryOfRun,
  type FlatStep,
  type IndexRange,
  indexRangesOf,
  type LocalStep,
  type RepeatStep,
  runOf,
  type SpmdProgram,
  type Step,
  type Value,
  type ValueId,
} from "#core/program";
import { required } from "#core/records";
import {
  type Engine,
  faultAt,
  type HeldValues,
  type NarrowType,
  type RunSettings,
  roundBlocks,
  roundedTypes,
  scatterLeaf,
} from "#execute/engine";
import { isIntegral } from "#execute/reference";
import { type NumberRules, rulesOf, wrapAround } from "./number-rules.ts";
import { runAlone } from "./run-alone.ts";
import { runCollective } from "./run-collective.ts";
import { runEntry } from "./run-entry.ts";
import { type LocalWork, runLocal } from "./run-local.ts";
import { runTraced } from "./run-traced.ts";
import { wasmContraction } from "./wasm-contraction.ts";

/**
 * Runs a per-device program. Each device runs each operator's body over its own part of the index
 * space, and collectives move blocks between devices. A `repeat` runs its body once per run and
 * keeps the values of every run.
 *
 * @param inputs the whole tensors of all inputs and parameters, and of data that enters on the way
 */
export function runCpu(
  program: SpmdProgram,
  inputs: ReadonlyMap<TensorId, Float64Array>,
  options: RunSettings,
): HeldValues {
  return ran(program, inputs, options, () => 0).blocks;
}

/** Milliseconds since an arbitrary moment. */
type Clock = () => number;

function ran(
  program: SpmdProgram,
  inputs: ReadonlyMap<TensorId, Float64Array>,
  options: RunSettings,
  clock: Clock,
): Run {
  const run = new Run(program, options, clock);
  run.enter(inputs);
  for (const step of program.stages.flatMap((stage) => stage.steps)) run.step(step);
  return run;
}

/** CPU engine that computes in doubles or 32-bit words; with a clock it measures its steps. */
export function cpuEngine(clock?: Clock): Engine {
  return {
    name: "cpu",
    isSingle: false,
    run: async ({ program, leaves, settings }) => {
      const inputs = new Map([...leaves].map(([id, { values }]) => [id, values]));
      const run = ran(program, inputs, settings, clock ?? (() => 0));
      const hasVectors = wasmContraction(rulesOf(settings.values).wasm) !== undefined;
      const cpu = { hasVectors, vectorSteps: run.vectorSteps.size };
      return { held: run.blocks, cpu, ...(clock !== undefined && { seconds: run.seconds }) };
    },
  };
}

/** The parts of a step that are computed before it runs. */
interface PreparedStep {
  /** The step with names of the program; for a step in a body, the names of its first run. */
  readonly like: FlatStep;
  readonly ranges: readonly IndexRange[] | undefined;
}

/** Run of a program, with the values computed so far. */
class Run {
  readonly blocks = new Map<ValueId, Blocks>();
  /** Seconds of each step that has run. */
  readonly seconds: number[] = [];
  /** Steps that were computed in Wasm, at least in part, by their position in the run. */
  readonly vectorSteps = new Set<number>();
  private readonly clock: Clock;
  private readonly program: SpmdProgram;
  private readonly options: RunSettings;
  private readonly rules: NumberRules;
  private readonly values: ReadonlyMap<ValueId, Value>;
  private readonly shapes: ReadonlyMap<TensorId, readonly number[]>;
  /** The element types to which results are rounded, by tensor. */
  private readonly types: ReadonlyMap<TensorId, NarrowType>;
  private readonly operators: ReadonlyMap<OperatorId, Operator>;
  /** Parts computed so far of tensors that several operators write in parts. */
  private readonly written = new Map<TensorId, Blocks>();
  /** The given whole tensors. */
  private given: ReadonlyMap<TensorId, Float64Array> = new Map();
  /** Number of executed steps, counting every run of a repeat. */
  private moment = 0;

  constructor(program: SpmdProgram, options: RunSettings, clock: Clock) {
    const { values, precision } = options;
    this.clock = clock;
    this.program = program;
    this.options = options;
    this.rules = rulesOf(options.values);
    this.values = new Map(program.values.map((value) => [value.id, value]));
    this.shapes = new Map(program.graph.tensors.map(({ id, shape }) => [id, shape]));
    this.types = isIntegral(values) ? new Map() : roundedTypes(program.graph, precision);
    this.operators = new Map(program.graph.operators.map((operator) => [operator.id, operator]));
  }

  /** Lays out the values that no step makes. */
  enter(inputs: ReadonlyMap<TensorId, Float64Array>): void {
    this.given = inputs;
    const steps = this.program.stages.flatMap((stage) => stage.steps);
    const made = new Set(steps.flatMap(madeBy));
    for (const value of this.program.values) {
      const whole = inputs.get(value.tensor);
      if (made.has(value.id) || whole === undefined) continue;
      const shape = this.shapeOf(value.tensor);
      this.blocks.set(value.id, scatterLeaf(value, shape, whole, this.options.sabotage));
    }
  }

  step(step: Step): void {
    if (step.kind === "repeat") this.repeat(step);
    else this.flat(step, { like: step, ranges: undefined });
  }

  private repeat(step: RepeatStep): void {
    const likes = runOf(step, 0);
    const ranges = likes.map((like) =>
      like.kind === "local" ? indexRangesOf(this.program, like) : undefined,
    );
    for (const { inside, initial } of step.carried) this.hand(initial, inside);
    for (let run = 0; run < step.count; run += 1) {
      this.runBody(step, entryOfRun(step, run), likes, ranges);
      const next = step.carried.map((each) => this.held(each.next));
      step.carried.forEach(({ inside }, at) => {
        const blocks = next[at];
        if (blocks !== undefined) this.blocks.set(inside, blocks);
      });
    }
    for (const { inside, result } of step.carried) this.hand(inside, result);
    for (const { inside } of [...step.carried, ...step.each]) this.blocks.delete(inside);
  }

  /**
   * Runs a body once: the run's own values get their inside names, the body runs, its results get
   * their outside names.
   */
  private runBody(
    step: RepeatStep,
    entry: number,
    likes: readonly FlatStep[],
    ranges: readonly (readonly IndexRange[] | undefined)[],
  ): void {
    const made = new Set(step.body.flatMap(madeBy));
    const own = step.each.flatMap(({ inside, outside }) => {
      const outer = outside[entry];
      return outer === undefined ? [] : [{ inside, outer }];
    });
    for (const { inside, outer } of own) if (!made.has(inside)) this.hand(outer, inside);
    for (const [at, each] of step.body.entries()) {
      const names = step.names[at];
      const operator = names?.kind === "local" ? names.operators[entry] : undefined;
      const copy = each.kind === "local" && operator !== undefined ? { ...each, operator } : each;
      this.flat(copy, { like: likes[at] ?? each, ranges: ranges[at] });
    }
    for (const { inside, outer } of own) if (made.has(inside)) this.hand(inside, outer);
  }

  /** Makes the value `to` refer to the blocks of `from`. */
  private hand(from: ValueId, to: ValueId): void {
    this.blocks.set(to, this.held(from));
  }

  private flat(step: FlatStep, known: PreparedStep): void {
    const from = this.clock();
    if (step.kind === "local") this.local(step, known);
    else this.collective(step, known.like);
    this.seconds.push((this.clock() - from) / 1000);
    this.moment += 1;
  }

  private collective(step: CollectiveStep, like: FlatStep): void {
    if (like.kind !== "collective") throw new Error("a step unlike itself");
    const { sabotage } = this.options;
    const [before, after] = [this.valueOf(like.input), this.valueOf(like.output)];
    const shape = this.shapeOf(before.tensor);
    const held = this.held(step.input);
    const how = faultAt(sabotage, this.moment);
    const made = runCollective(step, { before, after }, held, shape, how);
    // Blocks that are only passed on are in range already; changing them would change their owner's
    // blocks.
    if (this.rules.isWords) for (const { values } of [...made.values()].flat()) wrapAround(values);
    this.blocks.set(step.output, this.rounded(after, made));
  }

  private local(step: LocalStep, { like, ranges }: PreparedStep): void {
    const operator = required(this.operators, step.operator, "operator");
    if (like.kind !== "local") throw new Error("a step unlike itself");
    const work: LocalWork = {
      operator,
      ranges: ranges ?? indexRangesOf(this.program, step),
      inputs: step.inputs.map((id) => this.held(id)),
      outputs: like.outputs.map((id) => this.valueOf(id)),
      shapeOf: (tensor: TensorId) => this.shapeOf(tensor),
      rules: this.rules,
      onVectors: () => this.vectorSteps.add(this.moment),
      earlier: like.outputs.map((id) => this.written.get(this.valueOf(id).tensor)),
    };
    const made = this.madeBy(step, work);
    step.outputs.forEach((id, index) => {
      const [value, blocks] = [work.outputs[index], made[index]];
      if (value === undefined || blocks === undefined) return;
      this.blocks.set(id, this.rounded(value, blocks));
      const { tensor } = value;
      const isPart = operator.points !== undefined || operator.passage === "in";
      if (isPart) this.written.set(tensor, blocks);
    });
  }

  private madeBy(step: LocalStep, work: LocalWork): readonly Blocks[] {
    const { operator, outputs } = work;
    const { bodies } = this.options;
    if (operator.passage === "out") return [];
    if (operator.passage === "in") {
      return runEntry(
        work,
        outputs.map(({ tensor }) => this.given.get(tensor)),
      );
    }
    if (step.unverified?.isAlone === true) return runAlone(work);
    if (bodies?.whole(operator) === undefined) return runLocal(work);
    return runTraced(work, (range) => bodies.part(operator, range));
  }

  /** The blocks of a value, rounded to its tensor's element type if the run asks for that. */
  private rounded({ tensor }: Value, blocks: Blocks): Blocks {
    const type = this.types.get(tensor);
    if (type !== undefined) roundBlocks(blocks, type);
    return blocks;
  }

  private held(id: ValueId): Blocks {
    return required(this.blocks, id, "value yet of");
  }

  private valueOf(id: ValueId): Value {
    return required(this.values, id, "value");
  }

  private shapeOf(tensor: TensorId): readonly number[] {
    return this.shapes.get(tensor) ?? [];
  }
}

function madeBy(step: Step): readonly ValueId[] {
  if (step.kind === "repeat") {
    const made = new Set(step.body.flatMap(madeBy));
    return step.each.flatMap(({ inside, outside }) => (made.has(inside) ? outside : []));
  }
  return step.kind === "local" ? step.outputs : [step.output];
}
