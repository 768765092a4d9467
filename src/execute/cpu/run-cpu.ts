import { type Blocks, scatter } from "#core/collective";
import type { Operator, OperatorId, TensorId } from "#core/ir";
import {
  indexRangesOf,
  type LocalStep,
  type SpmdProgram,
  type Step,
  type Value,
  type ValueId,
} from "#core/program";
import { runCollective, type Sabotage } from "./run-collective.ts";
import { runLocal } from "./run-local.ts";

/** How a run goes about its numbers, and which fault it puts in. */
export interface CpuOptions {
  /** Functions that leave the integers are replaced by their stand-ins. */
  readonly values: "integers" | "floats";
  readonly sabotage?: Sabotage;
}

/** What every device holds of every value of the program. */
export type CpuRun = ReadonlyMap<ValueId, Blocks>;

/**
 * Runs a per-device program: every device on its own blocks, operators by their bodies over the
 * part of the index space that is theirs, collectives by moving data between devices.
 *
 * @param inputs all inputs and parameters, whole
 */
export function runCpu(
  program: SpmdProgram,
  inputs: ReadonlyMap<TensorId, Float64Array>,
  options: CpuOptions,
): CpuRun {
  const run = new Run(program, options);
  run.enter(inputs);
  const steps = program.stages.flatMap((stage) => stage.steps);
  for (const [at, step] of steps.entries()) run.step(step, at);
  return run.blocks;
}

/** The values of one run as they come to be. */
class Run {
  readonly blocks = new Map<ValueId, Blocks>();
  private readonly program: SpmdProgram;
  private readonly options: CpuOptions;
  private readonly values: ReadonlyMap<ValueId, Value>;
  private readonly shapes: ReadonlyMap<TensorId, readonly number[]>;
  private readonly operators: ReadonlyMap<OperatorId, Operator>;

  constructor(program: SpmdProgram, options: CpuOptions) {
    this.program = program;
    this.options = options;
    this.values = new Map(program.values.map((value) => [value.id, value]));
    this.shapes = new Map(program.graph.tensors.map(({ id, shape }) => [id, shape]));
    this.operators = new Map(program.graph.operators.map((operator) => [operator.id, operator]));
  }

  /** Lays out what is there before the first step: values that no step makes. */
  enter(inputs: ReadonlyMap<TensorId, Float64Array>): void {
    const steps = this.program.stages.flatMap((stage) => stage.steps);
    const made = new Set(
      steps.flatMap((step) => (step.kind === "local" ? step.outputs : [step.output])),
    );
    for (const value of this.program.values) {
      const whole = inputs.get(value.tensor);
      if (made.has(value.id) || whole === undefined) continue;
      this.blocks.set(value.id, scatter(value.layout, this.shapeOf(value.tensor), whole));
    }
  }

  step(step: Step, at: number): void {
    if (step.kind === "local") {
      this.local(step);
      return;
    }
    const { sabotage } = this.options;
    const [before, after] = [this.valueOf(step.input), this.valueOf(step.output)];
    const shape = this.shapeOf(before.tensor);
    const held = this.held(step.input);
    const how = sabotage?.step === at ? sabotage.how : undefined;
    this.blocks.set(
      step.output,
      runCollective(step, before.layout, after.layout, held, shape, how),
    );
  }

  private local(step: LocalStep): void {
    const operator = this.operators.get(step.operator);
    if (operator === undefined) throw new Error(`no operator ${step.operator}`);
    const made = runLocal({
      operator,
      ranges: indexRangesOf(this.program, step),
      inputs: step.inputs.map((id) => this.held(id)),
      outputs: step.outputs.map((id) => this.valueOf(id)),
      shapeOf: (tensor) => this.shapeOf(tensor),
      isExact: this.options.values === "integers",
    });
    step.outputs.forEach((id, index) => {
      const blocks = made[index];
      if (blocks !== undefined) this.blocks.set(id, blocks);
    });
  }

  private held(id: ValueId): Blocks {
    const blocks = this.blocks.get(id);
    if (blocks === undefined) throw new Error(`${id} is read before it is made`);
    return blocks;
  }

  private valueOf(id: ValueId): Value {
    const value = this.values.get(id);
    if (value === undefined) throw new Error(`no value ${id}`);
    return value;
  }

  private shapeOf(tensor: TensorId): readonly number[] {
    return this.shapes.get(tensor) ?? [];
  }
}
