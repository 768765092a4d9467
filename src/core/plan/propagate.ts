import { sum } from "#core/arithmetic";
import type { Diagnostic } from "#core/diagnostics";
import {
  bytesOf,
  type Graph,
  type Operand,
  type Operator,
  type OperatorId,
  type Tensor,
  type TensorId,
  tensorsById,
} from "#core/ir";
import { boxesByIndex, type DeviceMesh, type Layout, wholeLayout } from "#core/mesh";
import { createReshardPlanner, type PlanReshard } from "#core/reshard";
import { candidateStrategies } from "./candidates.ts";
import { checkStrategy, legalStrategy } from "./check.ts";
import type { OperatorPlan, Placement, Plan, ReshardRequest } from "./plan.ts";
import { createPlanMemory, type PlanMemory } from "./plan-memory.ts";
import { carriedOperands, producedLayout, wantedLayout } from "./projection.ts";
import { stagePlan, stagesOf } from "./stages.ts";
import { createStrategyKeys } from "./strategy-keys.ts";
import { lackingElements, windowsOf } from "./windows.ts";

/** The requests of the text: strategies of operators and placements of tensors. */
export interface Requests {
  readonly operators: ReadonlyMap<OperatorId, OperatorPlan>;
  readonly placements: ReadonlyMap<TensorId, Placement>;
  readonly reshards?: readonly ReshardRequest[];
  /**
   * The layout in which readers get a parameter that rests in smaller pieces and is gathered for
   * each.
   */
  readonly held?: ReadonlyMap<TensorId, Layout>;
  /**
   * Parameters gathered again for the backward pass; `keptGathered` lists those whose forward copy
   * is kept.
   */
  readonly gatheredAgain?: ReadonlySet<TensorId>;
  readonly keptGathered?: ReadonlySet<TensorId>;
}

/**
 * Completes a plan in program order (architecture.md §1.5).
 *
 * Legal requests of the text are kept. A free operator chooses among the strategies that use only
 * axes of its operands' layouts: the fewest reshard bytes win (ties: more axes kept, then listed
 * order). An input or parameter without a placement takes the layout of its first consumer, also
 * through a cast; without a consumer it is replicated.
 */
export function propagate(
  graph: Graph,
  mesh: DeviceMesh,
  requests: Requests,
  planReshard: PlanReshard = createReshardPlanner(),
  memory: PlanMemory = createPlanMemory(),
): { readonly plan: Plan; readonly diagnostics: readonly Diagnostic[] } {
  const run = new Propagation(graph, mesh, requests, planReshard, memory);
  for (const operator of graph.operators) run.meet(operator);
  return run.finish();
}

/** One pass over a graph: the layouts and plans decided so far. */
export class Propagation {
  private readonly graph: Graph;
  private readonly mesh: DeviceMesh;
  private readonly requests: Requests;
  private readonly tensors: ReadonlyMap<TensorId, Tensor>;
  private readonly layouts = new Map<TensorId, Layout>();
  private readonly operators = new Map<OperatorId, OperatorPlan>();
  private readonly placements: Map<TensorId, Placement>;
  private readonly diagnostics: Diagnostic[] = [];

  private readonly planReshard: PlanReshard;
  private readonly memory: PlanMemory;
  private readonly questionOf: ReturnType<typeof createStrategyKeys>;
  /**
   * Casts of tensors without a placement, by their results: the first reader decides the layout.
   */
  private readonly waiting = new Map<TensorId, Operator>();
  /** Inferred plans of free operators, by the facts that decide them. */
  private readonly inferred = new Map<string, OperatorPlan>();

  constructor(
    graph: Graph,
    mesh: DeviceMesh,
    requests: Requests,
    planReshard: PlanReshard,
    memory: PlanMemory,
  ) {
    this.planReshard = planReshard;
    this.memory = memory;
    this.graph = graph;
    this.mesh = mesh;
    this.requests = requests;
    this.tensors = tensorsById(graph);
    this.questionOf = createStrategyKeys(this.tensors);
    this.placements = new Map(requests.placements);
    for (const [tensor, placement] of requests.placements) {
      if (this.tensors.get(tensor)?.producer === undefined)
        this.layouts.set(tensor, requests.held?.get(tensor) ?? placement.layout);
    }
  }

  /** Plans an operator; a cast of a tensor without a layout is deferred to its first reader. */
  meet(operator: Operator): void {
    const [result] = operator.outputs;
    if (result !== undefined && this.isWaiting(operator)) this.waiting.set(result.tensor, operator);
    else this.visit(operator);
  }

  private isWaiting({ id, entry, inputs, outputs }: Operator): boolean {
    const [source, result] = [inputs[0], outputs[0]];
    if (entry !== "cast" || source === undefined || result === undefined) return false;
    const isAsked = this.requests.operators.has(id) || this.placements.has(result.tensor);
    return !isAsked && !this.layouts.has(source.tensor) && !this.waiting.has(source.tensor);
  }

  visit(operator: Operator, plan: OperatorPlan = this.planOf(operator)): void {
    this.operators.set(operator.id, plan);
    for (const operand of operator.inputs) this.hold(operand, plan);
    for (const operand of operator.outputs) {
      const placed = this.requests.placements.get(operand.tensor);
      this.layouts.set(operand.tensor, placed?.layout ?? this.left(operator, operand, plan));
    }
  }

  finish(): { plan: Plan; diagnostics: readonly Diagnostic[] } {
    for (const operator of this.waiting.values()) this.visit(operator);
    for (const tensor of this.graph.tensors) {
      if (tensor.producer !== undefined || this.placements.has(tensor.id)) continue;
      this.placements.set(tensor.id, {
        layout: wholeLayout(this.mesh, tensor.shape),
        status: "assumed",
      });
    }
    const { mesh, placements } = this;
    const inOrder = this.graph.operators.flatMap(({ id }) => {
      const plan = this.operators.get(id);
      return plan === undefined ? [] : [[id, plan] as const];
    });
    const { reshards, gatheredAgain, keptGathered } = this.requests;
    const plan = {
      ...{ mesh, operators: new Map(inOrder), placements },
      ...(reshards !== undefined && { reshards }),
      ...(gatheredAgain !== undefined && { gatheredAgain }),
      ...(keptGathered !== undefined && { keptGathered }),
    };
    return { plan, diagnostics: this.diagnostics };
  }

  /**
   * The plan of an operator: the legal part of its request, or without a request the inferred plan.
   */
  planOf(operator: Operator): OperatorPlan {
    const asked = this.requests.operators.get(operator.id);
    if (asked === undefined) return this.infer(operator);
    const legal = this.memory.legal(operator, asked, () => {
      const faults = checkStrategy(this.graph, operator, asked);
      this.diagnostics.push(...faults);
      const strategy = legalStrategy(operator, asked.strategy);
      const plan = strategy === asked.strategy ? asked : { ...asked, strategy };
      return { plan, isSilent: faults.length === 0 };
    });
    return this.withLegalCarry(operator, legal);
  }

  /** Layout that consumers find: the produced layout, after the operator's own reduction. */
  private left(operator: Operator, operand: Operand, plan: OperatorPlan): Layout {
    const produced = this.memory.produced(operator, operand, plan);
    return operator.reducesInside ? (plan.reduced ?? { ...produced, partials: [] }) : produced;
  }

  /**
   * Drops a carry that is not legal: a partial passes only through operands in which the operator
   * is linear together.
   */
  private withLegalCarry(operator: Operator, plan: OperatorPlan): OperatorPlan {
    if (plan.strategy.carry.length === 0) return plan;
    const held = operator.inputs.map(({ tensor }) => this.layouts.get(tensor));
    if (carriedOperands(operator, plan, held) !== undefined) return plan;
    const axes = plan.strategy.carry.map((part) => (part.kind === "axis" ? `"${part.axis}"` : ""));
    this.diagnostics.push({
      code: "plan/cannot-carry",
      severity: "error",
      message: `"${operator.name}" cannot carry a partial sum over ${axes.join(", ")}: ${operator.op} is not linear in exactly the operands that are partial over it`,
      ...(plan.span !== undefined && { span: plan.span }),
    });
    return { ...plan, strategy: { ...plan.strategy, carry: [] } };
  }

  /** Gives an input or parameter without a placement the layout that its first consumer wants. */
  private hold(operand: Operand, plan: OperatorPlan): void {
    if (this.layouts.has(operand.tensor)) return;
    const layout = this.memory.wanted(operand, plan);
    if (this.holdCast(operand, layout)) return;
    this.layouts.set(operand.tensor, layout);
    this.placements.set(operand.tensor, { layout, status: "inferred" });
  }

  /** Gives the source of a waiting cast the layout that the reader of the result wants. */
  private holdCast({ tensor }: Operand, layout: Layout): boolean {
    const cast = this.waiting.get(tensor);
    const source = cast?.inputs[0];
    if (cast === undefined || source === undefined) return false;
    this.waiting.delete(tensor);
    if (!this.layouts.has(source.tensor)) {
      this.layouts.set(source.tensor, layout);
      this.placements.set(source.tensor, { layout, status: "inferred" });
    }
    this.visit(cast);
    return true;
  }

  private infer(operator: Operator): OperatorPlan {
    const held = operator.inputs.map((operand) => this.layouts.get(operand.tensor));
    const question = this.questionOf(operator, held);
    const plan = this.inferred.get(question) ?? this.cheapest(operator, held);
    this.inferred.set(question, plan);
    return plan;
  }

  private cheapest(operator: Operator, held: readonly (Layout | undefined)[]): OperatorPlan {
    const mesh = held.find((layout) => layout !== undefined)?.mesh ?? this.mesh;
    const plans = candidateStrategies(operator, held).map(
      (strategy): OperatorPlan => ({ strategy, mesh, status: "inferred" }),
    );
    const priced = plans.map((plan, order) => ({
      plan,
      order,
      bytes: this.reshardBytes(operator, plan),
      kept: Object.values(plan.strategy.cuts).flat().length,
    }));
    priced.sort((a, b) => a.bytes - b.bytes || b.kept - a.kept || a.order - b.order);
    const best = priced[0]?.plan;
    if (best === undefined) throw new Error(`no candidate strategy for ${operator.name}`);
    return best;
  }

  private reshardBytes(operator: Operator, plan: OperatorPlan): number {
    const prices = operator.inputs.map((operand) => {
      const from = this.layouts.get(operand.tensor);
      const tensor = this.tensors.get(operand.tensor);
      if (from === undefined || tensor === undefined) return 0;
      const to = wantedLayout(operand, plan);
      const windows = windowsOf(operator, operand, plan, to, tensor.shape);
      if (windows !== undefined) {
        const held = boxesByIndex(from, tensor.shape);
        return lackingElements(held, windows) * bytesOf(tensor.dtype);
      }
      return this.planReshard(from, to, tensor.shape).elements * bytesOf(tensor.dtype);
    });
    return sum(prices) + this.innerBytes(operator, plan);
  }

  /** Bytes of the reductions inside an operator, where its tables combine over cut axes. */
  private innerBytes(operator: Operator, plan: OperatorPlan): number {
    const stages = stagesOf(operator, plan.strategy, (id) => this.tensors.get(id));
    const prices = (stages?.parts ?? []).flatMap(({ operator: stage, tensor }) =>
      stage.outputs.map((output) => {
        const from = producedLayout(stage, output, stagePlan(stage, plan));
        const to = { ...from, partials: [] };
        return this.planReshard(from, to, tensor.shape).elements * bytesOf(tensor.dtype);
      }),
    );
    return sum(prices);
  }
}
