import type { Collective } from "#core/collective";
import { estimate, type Hardware } from "#core/cost";
import type { Graph, Operator, Tensor, TensorId } from "#core/ir";
import { type DeviceMesh, type Layout, sameLayout } from "#core/mesh";
import {
  type OperatorPlan,
  type Placement,
  propagate,
  type Strategy,
  wantedLayout,
} from "#core/plan";
import { type CollectiveStep, lower, type SpmdProgram, type Value } from "#core/program";
import type { PlanReshard } from "#core/reshard";
import { expandTraining, type KnownCalls } from "#core/training";

/** Cost of an operator alone, and the layouts of its backward pass. */
export interface LoneOperator {
  /**
   * Seconds of its work, forward and backward, including redistributions inside.
   */
  readonly seconds: number;
  /** The part of `seconds` for the forward pass. */
  readonly forwardSeconds: number;
  /** Whether the backward pass reads a result of the operator itself. */
  readonly readsResult: boolean;
  /** The layout in which the backward pass reads each operand again; `undefined` if it does not. */
  readonly again: readonly (Layout | undefined)[];
  /** The layout in which the gradient of each operand is made; `undefined` without a gradient. */
  readonly gradients: readonly (Layout | undefined)[];
  /** Collectives inside the operator, between its stages or in its backward pass. */
  readonly inside: readonly InnerCollective[];
}

/** A collective inside an operator. */
export interface InnerCollective {
  readonly collective: Collective;
  readonly seconds: number;
  /** Whether a second run of the forward pass runs it again. */
  readonly isForward: boolean;
}

/** The facts about the surrounding program on which the cost of one operator depends. */
export interface Surroundings {
  readonly mesh: DeviceMesh;
  readonly hardware: Hardware;
  readonly planReshard: PlanReshard;
  readonly tensor: (id: TensorId) => Tensor;
  readonly hasGradient: (id: TensorId) => boolean;
  /** Calls of backward passes bound for other strategies and operators. */
  readonly calls: KnownCalls;
}

/**
 * The cost of an operator under a strategy, from a program of its own whose operands have the
 * layouts that it wants, so that only its own work remains. In a training step the backward pass is
 * derived as for every program, so the costs are those of the same steps.
 */
export function loneOperator(
  operator: Operator,
  strategy: Strategy,
  around: Surroundings,
): LoneOperator {
  const plan: OperatorPlan = { strategy, mesh: around.mesh, status: "set" };
  return loneBy(...separated(operator, plan, around), plan);
}

function loneBy(operator: Operator, around: Surroundings, plan: OperatorPlan): LoneOperator {
  const graph = loneGraph(operator, around);
  const trains = operator.outputs.some(({ tensor }) => around.hasGradient(tensor));
  const program = trains
    ? trainedProgram(graph, operator, plan, around)
    : lower(graph, planOf(graph, operator, plan, around), around.planReshard);
  return readings(operator, program, around);
}

/**
 * The operator with a separate tensor for each layout in which it wants an operand. An operand that
 * it reads twice in one layout stays one tensor, since the operator adds up its gradients itself.
 */
function separated(
  operator: Operator,
  plan: OperatorPlan,
  around: Surroundings,
): readonly [Operator, Surroundings] {
  const originals = new Map<TensorId, TensorId>();
  const wanted = new Map<TensorId, Layout[]>();
  const inputs = operator.inputs.map((operand) => {
    const layout = wantedLayout(operand, plan);
    const layouts = wanted.get(operand.tensor) ?? [];
    wanted.set(operand.tensor, layouts);
    const known = layouts.findIndex((other) => sameLayout(other, layout));
    const place = known < 0 ? layouts.push(layout) - 1 : known;
    if (place === 0) return operand;
    const tensor = `${operand.tensor} ${place}` as TensorId;
    originals.set(tensor, operand.tensor);
    return { ...operand, tensor };
  });
  if (originals.size === 0) return [operator, around];
  const original = (id: TensorId) => originals.get(id) ?? id;
  return [
    { ...operator, inputs },
    {
      ...around,
      tensor: (id) => ({ ...around.tensor(original(id)), id }),
      hasGradient: (id) => around.hasGradient(original(id)),
    },
  ];
}

function loneGraph(operator: Operator, { tensor, hasGradient }: Surroundings): Graph {
  const inputs = [...new Set(operator.inputs.map((each) => each.tensor))].map((id): Tensor => {
    const { producer: _, ...given } = tensor(id);
    return { ...given, role: hasGradient(id) ? "parameter" : "input" };
  });
  const outputs = operator.outputs.map((each) => tensor(each.tensor));
  return {
    tensors: [...inputs, ...outputs],
    operators: [operator],
    // No program outputs: results stay as computed, as they do when another operator reads them.
    outputs: [],
  };
}

function planOf(
  { tensors }: Graph,
  operator: Operator,
  plan: OperatorPlan,
  { mesh }: Surroundings,
) {
  const placements = new Map<TensorId, Placement>();
  for (const operand of operator.inputs) {
    if (placements.has(operand.tensor)) continue;
    placements.set(operand.tensor, { layout: wantedLayout(operand, plan), status: "set" });
  }
  return { mesh, operators: new Map([[operator.id, plan]]), placements, tensors };
}

function trainedProgram(
  graph: Graph,
  operator: Operator,
  plan: OperatorPlan,
  around: Surroundings,
): SpmdProgram {
  const [loss] = operator.outputs;
  if (loss === undefined) throw new Error(`${operator.name} has no result`);
  const whole = planOf(graph, operator, plan, around);
  const training = {
    loss: loss.tensor,
    optimizer: "sgd",
    zero: 0,
    recompute: new Set<never>(),
  } as const;
  const step = expandTraining(graph, whole, training, { calls: around.calls, updates: false });
  const completed = propagate(step.graph, around.mesh, step.requests, around.planReshard);
  return lower(step.graph, completed.plan, around.planReshard);
}

function readings(
  operator: Operator,
  program: SpmdProgram,
  { hardware, hasGradient }: Surroundings,
): LoneOperator {
  const values = new Map(program.values.map((value) => [value.id, value]));
  const phases = new Map(program.graph.operators.map(({ id, phase }) => [id, phase ?? "forward"]));
  const cost = estimate(program, hardware);
  const given = givenGradients(program, hasGradient);
  let [seconds, forwardSeconds] = [0, 0];
  for (const each of cost.operators) {
    if (given.has(each.operator)) continue;
    const phase = phases.get(each.operator);
    if (phase !== "update") seconds += each.seconds;
    if (phase === "forward") forwardSeconds += each.seconds;
  }
  const again = new Map<TensorId, Layout>();
  const inside: InnerCollective[] = [];
  for (const step of program.stages.flatMap((stage) => stage.steps)) {
    if (step.kind === "collective" && isInside(step)) {
      const isForward = step.phase === "forward";
      inside.push({ collective: step.collective, seconds: step.seconds, isForward });
      seconds += step.seconds;
      if (isForward) forwardSeconds += step.seconds;
    }
    if (step.kind !== "local" || step.phase !== "backward") continue;
    for (const id of step.inputs) {
      const value = values.get(id);
      if (value !== undefined && !again.has(value.tensor)) again.set(value.tensor, value.layout);
    }
  }
  const gradients = gradientsIn(program, values);
  return {
    seconds,
    forwardSeconds,
    readsResult: operator.outputs.some(({ tensor }) => again.has(tensor)),
    again: operator.inputs.map(({ tensor }) => again.get(tensor)),
    gradients: operator.inputs.map(({ tensor }) => gradients.get(tensor)),
    inside,
  };
}

/**
 * Operators in place of the gradients of results beside the first: in the whole program the readers
 * make these gradients, here zeros do.
 */
function givenGradients(
  { graph }: SpmdProgram,
  hasGradient: Surroundings["hasGradient"],
): ReadonlySet<Operator["id"]> {
  const of = new Map(graph.tensors.map(({ id, gradientOf }) => [id, gradientOf]));
  const isGiven = ({ op, outputs }: Operator) => {
    const result = of.get(outputs[0]?.tensor ?? ("" as TensorId));
    return op === "zeros_like" && result !== undefined && hasGradient(result);
  };
  return new Set(graph.operators.flatMap((each) => (isGiven(each) ? [each.id] : [])));
}

/**
 * Whether a collective is between two operators of one pass: between stages, when going forward.
 */
function isInside({ phase, reasons }: CollectiveStep): boolean {
  const isPass = phase === "forward" || phase === "backward";
  return isPass && reasons.some(({ kind }) => kind === "operand");
}

/** The layout in which the gradient of each operand is made, before it is combined. */
function gradientsIn(
  { graph, made }: SpmdProgram,
  values: ReadonlyMap<Value["id"], Value>,
): ReadonlyMap<TensorId, Layout> {
  const found = new Map<TensorId, Layout>();
  for (const { id, role, gradientOf, producer } of graph.tensors) {
    if (role !== "gradient" || gradientOf === undefined || producer === undefined) continue;
    const value = values.get(made.get(id) ?? ("" as Value["id"]));
    if (value !== undefined) found.set(gradientOf, value.layout);
  }
  return found;
}
