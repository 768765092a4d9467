import { failed } from "#core/diagnostics";
import {
  type Graph,
  type Operand,
  type Operator,
  type OperatorId,
  operatorId,
  operatorsById,
  type Tensor,
  type TensorId,
} from "#core/ir";
import {
  carriedOperands,
  createPlanMemory,
  type OperatorPlan,
  type Plan,
  type PlanMemory,
  stageOperators,
  type Unverified,
  wantedLayout,
  windowsOf,
} from "#core/plan";
import { required } from "#core/records";
import { createReshardPlanner, type PlanReshard } from "#core/reshard";
import { Arrivals, type LoweringParts, type LoweringRules } from "./arrivals.ts";
import { heldWith } from "./fetch.ts";
import type {
  LocalStep,
  Reason,
  SpmdProgram,
  Stage,
  UnverifiedStep,
  Value,
  ValueId,
} from "./program.ts";
import type { SystemReshard } from "./program-builder.ts";

/**
 * The per-device program of a graph under a plan: every operator on the blocks that its strategy
 * gives it, and between them one redistribution per (tensor, target layout), shared by all
 * consumers that want it (architecture.md §1.3, §1.4).
 *
 * Operators whose inner axes are cut run in stages (`stageOperators`). A partial result is combined
 * where it is first used, straight into the layout wanted there, and
 * at the program's end by an all-reduce; operators that reduce inside do so at once.
 *
 * A redistribution takes the default plan unless the plan's `reshards` choose others.
 *
 * @param systems other systems' own steps, for who chooses them; without it nobody has any
 */
export function lower(
  program: Graph,
  whole: Plan,
  planReshard: PlanReshard = createReshardPlanner(),
  memory: PlanMemory = createPlanMemory(),
  systems: SystemReshard = noSystems,
  rules: LoweringRules = {},
): SpmdProgram {
  const { graph, plan } = stageOperators(program, whole);
  const lowering = new Lowering({ graph, plan, planReshard, systems, rules }, memory);
  for (const tensor of graph.tensors) lowering.enter(tensor);
  const isForward = ({ phase = "forward" }: Operator) => phase === "forward";
  for (const operator of graph.operators) if (isForward(operator)) lowering.run(operator);
  lowering.endForward();
  const later = graph.operators.filter((operator) => !isForward(operator));
  for (const operator of later) if (operator.phase !== "update") lowering.run(operator);
  lowering.endRuns();
  for (const operator of later) if (operator.phase === "update") lowering.run(operator);
  return lowering.finish();
}

const noOperator = operatorId("");

const noSystems: SystemReshard = (system) =>
  failed({
    code: "reshard/no-such-steps",
    severity: "warning",
    message: `nothing is known of "${system}" here`,
  });

function unverifiedStep({ rule, axes, layouts }: Unverified): UnverifiedStep {
  return { rule, ...(axes && { axes }), ...(layouts !== undefined && { isAlone: true }) };
}

class Lowering extends Arrivals {
  private readonly operators: ReadonlyMap<OperatorId, Operator>;
  private readonly ended = new Map<TensorId, ValueId>();
  /** Values that several operators write in parts, by tensor. */
  private readonly written = new Map<TensorId, Value>();

  private readonly memory: PlanMemory;
  /** Sums over micro-batches, which stay partial until the last micro-batch has run. */
  private readonly sums: { readonly operator: Operator; readonly value: Value }[] = [];
  /** The number of steps and redistributions in a run of a micro-batch. */
  private runLength = 0;

  constructor(parts: LoweringParts, memory: PlanMemory) {
    super(parts);
    this.memory = memory;
    this.operators = operatorsById(this.graph);
  }

  /** Adds an input or parameter, which exists from the start in its layout at rest. */
  enter(tensor: Tensor): void {
    const placement = this.plan.placements.get(tensor.id);
    if (tensor.producer !== undefined || placement === undefined) return;
    this.source.set(tensor.id, this.make(tensor, placement.layout));
  }

  run(operator: Operator): void {
    const plan = required(this.plan.operators, operator.id, "strategy for");
    this.builder.phase = operator.phase ?? "forward";
    this.gatherAgain(operator);
    const carried = this.carriedBy(operator, plan);
    const inputs = operator.inputs.map((operand, index) => {
      const reason: Reason = { kind: "operand", operator: operator.id, operand: index };
      const wanted = carried.includes(index)
        ? wantedLayout(operand, plan, true)
        : this.memory.wanted(operand, plan);
      const { shape } = this.tensorOf(operand.tensor);
      const windows = windowsOf(operator, operand, plan, wanted, shape);
      if (windows === undefined) return this.arrive(operand.tensor, wanted, reason).id;
      return this.arriveWindows(operand.tensor, wanted, windows, reason).id;
    });
    const outputs = operator.outputs.map((operand) => this.produce(operator, operand, plan));
    const step: LocalStep = {
      kind: "local",
      operator: operator.id,
      phase: this.builder.phase,
      strategy: plan.strategy,
      inputs,
      outputs: outputs.map((value) => value.id),
    };
    const { unverified } = plan;
    this.builder.push(
      unverified === undefined ? step : { ...step, unverified: unverifiedStep(unverified) },
    );
    for (const value of outputs) {
      if (operator.op === "accumulate") this.sums.push({ operator, value });
      else this.settle(operator, value);
    }
  }

  /**
   * Gathers parameters that rest split before the backward pass of each operator that reads them,
   * as FSDP does, even if its wanted gradients do not read them (planner.md §6.3).
   */
  private gatherAgain({ phase, of }: Operator): void {
    const again = this.plan.gatheredAgain;
    const forward =
      again && phase === "backward" ? this.operators.get(of ?? noOperator) : undefined;
    const plan = forward && this.plan.operators.get(forward.id);
    if (again === undefined || forward === undefined || plan === undefined) return;
    for (const [index, operand] of forward.inputs.entries()) {
      if (!again.has(operand.tensor)) continue;
      const reason: Reason = { kind: "operand", operator: forward.id, operand: index };
      this.arrive(operand.tensor, this.memory.wanted(operand, plan), reason);
    }
  }

  /** The positions of the operands that stay partial. */
  private carriedBy(operator: Operator, plan: OperatorPlan): readonly number[] {
    if (plan.strategy.carry.length === 0) return [];
    const held = operator.inputs.map(({ tensor }) => this.sourceOf(tensor).layout);
    return carriedOperands(operator, plan, held) ?? [];
  }

  /** Combines results of the forward program before the backward pass begins. */
  endForward(): void {
    for (const tensor of this.graph.outputs) {
      const value = this.source.get(tensor);
      if (value !== undefined) this.ended.set(tensor, this.combined(value));
    }
  }

  /** Ends the runs of micro-batches: combines the sums over all of them; later steps run once. */
  endRuns(): void {
    this.runLength = this.builder.length;
    for (const { operator, value } of this.sums) this.settle(operator, value);
  }

  finish(): SpmdProgram {
    const outputs = this.graph.outputs.map(
      (tensor) => this.ended.get(tensor) ?? this.combined(this.sourceOf(tensor)),
    );
    const devices = [...this.plan.mesh.devices].sort((a, b) => a - b);
    const { microbatches } = this.plan;
    return {
      devices,
      graph: this.graph,
      values: this.builder.values,
      stages: this.stagesOn(devices),
      redistributions: this.builder.redistributions.map(({ redistribution }) => redistribution),
      outputs,
      made: this.made,
      ...(microbatches !== undefined && { microbatches }),
    };
  }

  /** Steps that run once per micro-batch form a stage of their own. */
  private stagesOn(devices: SpmdProgram["devices"]): readonly Stage[] {
    const { microbatches } = this.plan;
    if (microbatches === undefined) return [{ devices, steps: this.builder.written() }];
    const { count: runs } = microbatches;
    return [
      { devices, runs, steps: this.builder.written(0, this.runLength) },
      { devices, steps: this.builder.written(this.runLength) },
    ];
  }

  private combined({ id, tensor, layout }: Value): ValueId {
    const end = this.plan.ends?.get(tensor);
    if (end === undefined && layout.partials.length === 0) return id;
    const cheapest = this.rules.endOf?.(layout, this.tensorOf(tensor));
    const wanted = end ?? cheapest ?? { ...layout, partials: [] };
    return this.arrive(tensor, wanted, { kind: "output" }).id;
  }

  private produce(operator: Operator, operand: Operand, plan: OperatorPlan): Value {
    const tensor = this.tensorOf(operand.tensor);
    const layout = this.memory.produced(operator, operand, plan);
    const windows = windowsOf(operator, operand, plan, layout, tensor.shape);
    const earlier = this.written.get(tensor.id);
    const held =
      earlier && heldWith(earlier, { layout, ...(windows && { held: windows }) }, tensor);
    const value = this.make(tensor, layout, held ?? windows);
    this.written.set(tensor.id, value);
    return value;
  }

  /** Settles a result at once: by the operator's own reduction, then by the text's `place`. */
  private settle(operator: Operator, value: Value): void {
    this.source.set(value.tensor, value);
    if (operator.reducesInside && value.layout.partials.length > 0) {
      const asked = this.plan.operators.get(operator.id)?.reduced;
      const reduced = asked ?? { ...value.layout, partials: [] };
      const reason: Reason = { kind: "reduction", operator: operator.id };
      const whole = this.arrive(value.tensor, reduced, reason);
      this.source.set(value.tensor, whole);
      this.made.set(value.tensor, whole.id);
    }
    const placement = this.plan.placements.get(value.tensor);
    if (placement === undefined) return;
    const kind = this.tensorOf(value.tensor).role === "gradient" ? "mirror" : "place";
    this.source.set(value.tensor, this.arrive(value.tensor, placement.layout, { kind }));
  }
}
