import type { Operator, OperatorId, TensorId } from "#core/ir";
import {
  type CollectiveStep,
  type FlatStep,
  flatSteps,
  indexRangesOf,
  type LocalStep,
  type SpmdProgram,
  type Value,
  type ValueId,
} from "#core/program";
import { required } from "#core/records";
import {
  type EngineTask,
  faultAt,
  type Leaves,
  misrouted,
  type NarrowType,
  type RunSettings,
  roundedTypes,
  scatterLeaf,
} from "#execute/engine";
import { isIntegral, type Leaf } from "#execute/reference";
import { FollowingSteps } from "./following-steps.ts";
import type { GpuProgram } from "./gpu-program.ts";
import { layOut } from "./lay-out.ts";
import type { FollowingWork, LocalWork } from "./local-work.ts";
import { planAlone } from "./plan-alone.ts";
import { planCollective, planNothing } from "./plan-collective.ts";
import { planEntry } from "./plan-entry.ts";
import { isDrawn, planDraw, wordsOf } from "./plan-leaf.ts";
import { planLocal } from "./plan-local.ts";
import { planRounding } from "./plan-rounding.ts";
import { planTraced } from "./plan-traced.ts";
import { type GpuLimits, type Holding, type Numbers, ProgramBuilder } from "./program-builder.ts";

/** A program for the device, and the places of all values' blocks. */
export interface PlannedRun {
  readonly gpu: GpuProgram;
  readonly holdings: ReadonlyMap<ValueId, Holding>;
  /** Number of commands before each step of the flat program. */
  readonly starts: readonly number[];
}

/**
 * Plans a run on a GPU: a buffer per value, kernels and copies per step. It allocates nothing, and
 * depends on the adapter by its limits alone.
 */
export function planRun(
  { program, leaves, settings }: EngineTask,
  numbers: Numbers,
  limits: GpuLimits,
): PlannedRun {
  const run = new RunPlanner(program, leaves, settings, new ProgramBuilder(numbers, limits));
  run.enter();
  const starts = run.steps.map((step, at) => run.step(step, at));
  return { gpu: run.builder.program(), holdings: run.holdings, starts };
}

class RunPlanner {
  readonly steps: readonly FlatStep[];
  readonly holdings = new Map<ValueId, Holding>();
  readonly builder: ProgramBuilder;
  private readonly program: SpmdProgram;
  private readonly leaves: Leaves;
  private readonly settings: RunSettings;
  private readonly values: ReadonlyMap<ValueId, Value>;
  private readonly shapes: ReadonlyMap<TensorId, readonly number[]>;
  private readonly operators: ReadonlyMap<OperatorId, Operator>;
  /** The parts made so far of tensors that several operators make together. */
  private readonly written = new Map<TensorId, Holding>();
  /** Places of values that a later step makes, unless an earlier one makes them too. */
  private readonly reserved = new Map<ValueId, Holding>();
  /** Steps whose results an earlier step makes along with its own. */
  private readonly followed = new Set<FlatStep>();
  private readonly following: FollowingSteps;
  /** The element types to which results are rounded, by tensor. */
  private readonly types: ReadonlyMap<TensorId, NarrowType>;

  constructor(
    program: SpmdProgram,
    leaves: Leaves,
    settings: RunSettings,
    builder: ProgramBuilder,
  ) {
    this.program = program;
    this.leaves = leaves;
    this.settings = settings;
    this.builder = builder;
    this.values = new Map(program.values.map((value) => [value.id, value]));
    this.shapes = new Map(program.graph.tensors.map(({ id, shape }) => [id, shape]));
    this.operators = new Map(program.graph.operators.map((operator) => [operator.id, operator]));
    this.steps = flatSteps(program);
    const { values, precision } = settings;
    this.types = isIntegral(values) ? new Map() : roundedTypes(program.graph, precision);
    const shapeOf = (tensor: TensorId) => this.shapeOf(tensor);
    this.following = new FollowingSteps(this.steps, this.operators, shapeOf, settings.bodies);
  }

  /** Lays out the values that no step makes. */
  enter(): void {
    const made = new Set(this.steps.flatMap(madeBy));
    for (const value of this.program.values) {
      const leaf = this.leaves.get(value.tensor);
      if (!made.has(value.id) && leaf !== undefined) this.given(value, leaf);
    }
  }

  /** Plans a step; returns the number of commands before it. */
  step(step: FlatStep, at: number): number {
    const before = this.builder.commandCount;
    if (this.followed.has(step)) return before;
    if (step.kind === "local") this.local(step);
    else this.collective(step, at);
    this.builder.endStep();
    return before;
  }

  private given(value: Value, leaf: Leaf): void {
    const shape = this.shapeOf(value.tensor);
    const { words, blocks } = layOut(value, shape);
    const { sabotage } = this.settings;
    const isCut = sabotage?.how === "cut" && sabotage.tensor === value.tensor;
    if (!isCut && isDrawn(value, shape, leaf)) {
      const holding = this.holdingOf(value);
      planDraw(this.builder, value.id, shape, holding, leaf.draw);
      if (leaf.draw.rule.kind !== "index") this.round(value);
      return;
    }
    const { numbers } = this.builder;
    const holding = { buffer: 0, blocks };
    const given = scatterLeaf(value, shape, leaf.values, sabotage);
    const content = wordsOf(given, holding, { words, numbers });
    const buffer = this.builder.buffer(value.id, words, content);
    this.holdings.set(value.id, { buffer, blocks });
  }

  /** A buffer for the blocks of a value. */
  private holdingOf(value: Value): Holding {
    const holding = this.reserve(value);
    this.holdings.set(value.id, holding);
    return holding;
  }

  private reserve(value: Value): Holding {
    const known = this.reserved.get(value.id);
    if (known !== undefined) return known;
    const { words, blocks } = layOut(value, this.shapeOf(value.tensor));
    const holding = { buffer: this.builder.buffer(value.id, words), blocks };
    this.reserved.set(value.id, holding);
    return holding;
  }

  private collective(step: CollectiveStep, at: number): void {
    const { sabotage } = this.settings;
    const how = faultAt(sabotage, at);
    const [before, after] = [this.valueOf(step.input), this.valueOf(step.output)];
    const ends = [this.held(step.input), this.holdingOf(after)] as const;
    if (how === "stale" || how === "scale") throw new Error(`no "${how}" on a GPU`);
    if (how === "drop") {
      planNothing(this.builder, ends);
      return;
    }
    const { collective, moves, groups, pairs } = step;
    const whole = {
      ...{ collective, moves, groups, before: before.layout, after: after.layout },
      ...(pairs !== undefined && { transfers: pairs }),
    };
    const isHeld = before.held !== undefined || after.held !== undefined;
    const shape = this.shapeOf(before.tensor);
    planCollective(this.builder, misrouted(whole, how), shape, ends, isHeld);
    if (before.layout.partials.length > 0) this.round(after);
  }

  private local(step: LocalStep): void {
    const operator = required(this.operators, step.operator, "operator");
    const values = step.outputs.map((id) => this.valueOf(id));
    const work: LocalWork = {
      operator,
      ranges: indexRangesOf(this.program, step),
      inputs: step.inputs.map((id) => this.held(id)),
      outputs: values.map((value) => this.holdingOf(value)),
      shapeOf: (tensor) => this.shapeOf(tensor),
      earlier: values.map(({ tensor }) => this.written.get(tensor)),
    };
    this.plan(step, work, values);
    if (operator.passage === undefined) for (const value of values) this.round(value);
    for (const [at, { tensor }] of values.entries()) {
      const output = work.outputs[at];
      const isPart = operator.points !== undefined || operator.passage === "in";
      if (isPart && output !== undefined) this.written.set(tensor, output);
    }
  }

  /** Rounds the made blocks of a value, in place. */
  private round({ id, tensor }: Value): void {
    const type = this.types.get(tensor);
    const holding = this.holdings.get(id);
    if (type !== undefined && holding !== undefined)
      planRounding(this.builder, id, holding.buffer, type);
  }

  private plan(step: LocalStep, work: LocalWork, values: readonly Value[]): void {
    const { operator } = work;
    const { bodies } = this.settings;
    if (operator.passage === "out") return;
    if (operator.passage === "in") planEntry(this.builder, work, values, this.leaves);
    else if (step.unverified?.isAlone === true) planAlone(this.builder, work);
    else if (bodies?.whole(operator) === undefined) this.planFollowed(step, work);
    else planTraced(this.builder, work, (range) => bodies.part(operator, range));
  }

  /** Plans a step, together with the steps that follow from its result cell by cell. */
  private planFollowed(step: LocalStep, work: LocalWork): void {
    // With rounding, no operator follows in the same kernel: it would read the result before it is
    // rounded.
    const candidates = this.types.size > 0 ? [] : this.candidatesBehind(step);
    const works = candidates.map((each) => each.work);
    const taken = planLocal(this.builder, work, works);
    for (const candidate of candidates) {
      if (!taken.has(candidate.work)) continue;
      this.followed.add(candidate.step);
      for (const id of candidate.step.outputs) this.holdingOf(this.valueOf(id));
    }
  }

  /**
   * Steps that read nothing but a step's results, each other's, and values that are there before.
   */
  private candidatesBehind(step: LocalStep) {
    const made = new Set(step.outputs);
    const found: { readonly step: LocalStep; readonly work: FollowingWork }[] = [];
    for (const id of made) {
      for (const reader of this.following.behind(id, (value) => this.holdings.has(value))) {
        const output = reader.outputs[0];
        if (output === undefined || made.has(output)) continue;
        if (this.written.has(this.valueOf(output).tensor)) continue;
        made.add(output);
        const reads = this.reserve(this.valueOf(id)).buffer;
        found.push({ step: reader, work: { ...this.workOf(reader), reads } });
      }
    }
    return found;
  }

  private workOf(step: LocalStep): LocalWork {
    return {
      operator: required(this.operators, step.operator, "operator"),
      ranges: indexRangesOf(this.program, step),
      inputs: step.inputs.map((id) => this.holdings.get(id) ?? this.reserve(this.valueOf(id))),
      outputs: step.outputs.map((id) => this.reserve(this.valueOf(id))),
      shapeOf: (tensor) => this.shapeOf(tensor),
    };
  }

  private held(id: ValueId): Holding {
    return required(this.holdings, id, "value yet of");
  }

  private valueOf(id: ValueId): Value {
    return required(this.values, id, "value");
  }

  private shapeOf(tensor: TensorId): readonly number[] {
    return this.shapes.get(tensor) ?? [];
  }
}

function madeBy(step: FlatStep): readonly ValueId[] {
  return step.kind === "local" ? step.outputs : [step.output];
}
