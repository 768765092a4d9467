import type { Operator, OperatorId, Tensor, TensorId } from "#core/ir";
import type { DeviceMesh } from "#core/mesh";
import { type OperatorPlan, type Placement, type Plan, propagate, type Requests } from "#core/plan";
import { lower, type SpmdProgram } from "#core/program";
import { expandTraining } from "#core/training";
import { testMesh } from "../../core/plan/graph.testing.ts";
import { Builder, type Dice, diceOf } from "./random-graph.testing.ts";
import { randomPlacement, randomPlan } from "./random-program.testing.ts";

/** The tensors that the operators of a block may read. */
interface Stream {
  /** The result so far. */
  readonly current: Tensor;
  /** The inputs of the block and of the one before it. */
  readonly entered: Tensor;
  readonly before: Tensor;
  /** A tensor that all blocks read. */
  readonly shared: Tensor;
}

type Piece = (build: Builder, stream: Stream) => Tensor;

const width = 8;
const rows = 4;

const pieces: readonly Piece[] = [
  (build, { current }) => build.call("matmul", [current, build.leaf("parameter", [width, width])]),
  (build, { current }) => build.call("matmul", [current, build.leaf("parameter", [width, width])]),
  (build, { current }) => build.call("gelu", [current]),
  (build, { current, entered }) => build.call("add", [current, entered]),
  (build, { current }) => build.call("layer_norm", [current, build.leaf("parameter", [width])]),
  (build, { current, shared }) => build.call("mul", [current, shared]),
  (build, { current }) => build.call("add", [current, build.leaf("input", [rows, width])]),
  (build, { current, before }) => build.call("add", [current, before]),
];

/** A program and the plan that it is lowered under. */
interface Planned {
  readonly plan: Plan;
  readonly program: SpmdProgram;
}

/** A random model with the plan of its blocks: some operators, equal blocks, some operators. */
interface Layered {
  readonly build: Builder;
  readonly mesh: DeviceMesh;
  readonly requests: Requests;
}

/** A model of random equal blocks, all split in the same random way; some have an odd block. */
export function layeredProgram(seed: number, layers: number): SpmdProgram {
  const { build, mesh, requests } = layered(diceOf(seed), layers);
  const graph = build.graph();
  return lower(graph, propagate(graph, mesh, requests).plan);
}

/** `layeredProgram` as a training step: blocks run again, backward and in an update each. */
export function layeredTrainingStep(seed: number, layers: number, microbatches = 1): SpmdProgram {
  return plannedTrainingStep(seed, layers, microbatches).program;
}

/** `layeredTrainingStep` with its plan. */
export function plannedTrainingStep(seed: number, layers: number, microbatches = 1): Planned {
  const dice = diceOf(seed);
  const { build, mesh, requests } = layered(dice, layers);
  build.sumOfResults();
  const graph = build.graph();
  const loss = graph.outputs.at(-1);
  if (loss === undefined) throw new Error("a model without a result");
  const step = expandTraining(graph, propagate(graph, mesh, requests).plan, {
    loss,
    optimizer: dice.pick(["sgd", "momentum", "adam"] as const),
    zero: dice.pick([0, 1, 2, 3] as const),
    recompute: new Set(dice.below(3) === 0 ? graph.operators.map(({ id }) => id) : []),
    microbatches,
  });
  const spread = propagate(step.graph, mesh, step.requests);
  const plan = { ...spread.plan, ...step.asked };
  return { plan, program: lower(step.graph, plan) };
}

function layered(dice: Dice, layers: number): Layered {
  const axes = dice.pick([{ p: 2 }, { p: 4 }, { p: 2, q: 2 }, { p: 2, q: 4 }]);
  const mesh = testMesh(axes);
  // Operators in the same place of a block all reduce alike.
  const build = new Builder({ below: () => 1, pick: (list) => dice.pick(list) });
  const shared = build.leaf("input", [rows, width]);
  const start = build.leaf("input", [rows, width]);
  const block = Array.from({ length: 1 + dice.below(4) }, () => dice.pick(pieces));
  const odd = dice.below(4) === 0 ? dice.below(layers) : undefined;
  const plans = new Map<OperatorId, OperatorPlan>();
  const placements = new Map<TensorId, Placement>();
  const [own, others] = [new Template(mesh, dice), new Template(mesh, dice)];
  let stream: Stream = { current: start, entered: start, before: start, shared };
  const add = (list: readonly Piece[], template: Template | undefined) => {
    const [tensors, operators] = [build.tensors.length, build.operators.length];
    const { current: entered, entered: before } = stream;
    stream = { current: entered, entered, before, shared };
    for (const piece of list) stream = { ...stream, current: piece(build, stream) };
    template?.plan(build.operators.slice(operators), plans);
    template?.place(build.tensors.slice(tensors), placements);
  };
  const few = () => Array.from({ length: dice.below(3) }, () => dice.pick(pieces));
  add(few(), undefined);
  for (let layer = 0; layer < layers; layer += 1) add(block, layer === odd ? others : own);
  add(few(), undefined);
  return { build, mesh, requests: { operators: plans, placements } };
}

/** One random choice per place in a block. */
class Template {
  private readonly plans: OperatorPlan[] = [];
  private readonly places: (Placement | undefined)[] = [];
  private readonly mesh: DeviceMesh;
  private readonly dice: Dice;

  constructor(mesh: DeviceMesh, dice: Dice) {
    this.mesh = mesh;
    this.dice = dice;
  }

  plan(operators: readonly Operator[], plans: Map<OperatorId, OperatorPlan>): void {
    for (const [at, operator] of operators.entries()) {
      this.plans[at] ??= randomPlan(operator, this.mesh, this.dice, []);
      plans.set(operator.id, this.plans[at]);
    }
  }

  place(tensors: readonly Tensor[], placements: Map<TensorId, Placement>): void {
    for (const [at, tensor] of tensors.entries()) {
      if (!(at in this.places)) {
        this.places[at] =
          this.dice.below(4) === 0 ? randomPlacement(tensor, this.mesh, this.dice) : undefined;
      }
      const place = this.places[at];
      if (place !== undefined) placements.set(tensor.id, place);
    }
  }
}
