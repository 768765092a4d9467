import {
  type Graph,
  type Operator,
  operatorId,
  type Tensor,
  type TensorId,
  tensorId,
  tensorsById,
} from "#core/ir";
import { innerCuts } from "./inner-cuts.ts";
import type { Microbatches, OperatorPlan, Plan } from "./plan.ts";
import { stagePlan, stagesOf } from "./stages.ts";

/** A graph and its plan. */
interface Planned {
  readonly graph: Graph;
  readonly plan: Plan;
}

/**
 * The graph that a plan runs: operators whose inner axes are cut are written in stages. Equal
 * stages on the same tensors are one stage, so that a backward pass reads the maxima and sums of
 * its forward pass. A graph without such operators is returned unchanged.
 */
export function stageOperators(graph: Graph, plan: Plan): Planned {
  const isStaged = (operator: Operator) => {
    const { strategy, unverified } = plan.operators.get(operator.id) ?? {};
    return (
      strategy !== undefined && unverified === undefined && innerCuts(operator, strategy).length > 0
    );
  };
  if (!graph.operators.some(isStaged)) return { graph, plan };
  const run = new StagedGraph(graph, plan);
  for (const operator of graph.operators) run.add(operator, isStaged(operator));
  return run.finish();
}

class StagedGraph {
  private readonly graph: Graph;
  private readonly plan: Plan;
  private readonly tensors: Map<TensorId, Tensor>;
  private readonly operators: Operator[] = [];
  private readonly plans: Map<Operator["id"], OperatorPlan>;
  private readonly rows: Map<Operator["id"], string>;
  private readonly rowDims: Map<TensorId, number>;
  /** Tensors of stages, keyed by the computation of the stage. */
  private readonly known = new Map<string, TensorId>();
  /** For each recomputed tensor, its original in the forward pass. */
  private readonly first: ReadonlyMap<TensorId, TensorId>;

  constructor(graph: Graph, plan: Plan) {
    this.graph = graph;
    this.plan = plan;
    this.tensors = new Map(tensorsById(graph));
    this.plans = new Map(plan.operators);
    this.rows = new Map(plan.microbatches?.axes);
    this.rowDims = new Map(plan.microbatches?.dims);
    this.first = firstResults(graph);
  }

  add(operator: Operator, isStaged: boolean): void {
    const plan = this.plan.operators.get(operator.id);
    const stages =
      isStaged && plan !== undefined
        ? stagesOf(operator, plan.strategy, (id) => this.tensors.get(id))
        : undefined;
    if (plan === undefined || stages === undefined) {
      this.operators.push(operator);
      return;
    }
    const made = new Map<TensorId, TensorId>();
    for (const { operator: stage, tensor } of stages.parts) {
      const own = stagePlan(stage, plan);
      made.set(tensor.id, this.stage(reading(stage, made), tensor, own, operator));
    }
    this.operators.push(reading(stages.last, made));
    const { carry } = plan.strategy;
    const { strategy, ...about } = stagePlan(stages.last, plan);
    this.plans.set(operator.id, {
      ...about,
      strategy: { ...strategy, carry },
      status: plan.status,
    });
  }

  /** The tensor that a stage makes; if an earlier stage made the same, its tensor. */
  private stage(stage: Operator, tensor: Tensor, plan: OperatorPlan, of: Operator): TensorId {
    const key = JSON.stringify([
      stage.body,
      stage.inputs.map(({ tensor, dims }) => [this.first.get(tensor) ?? tensor, dims]),
      stage.axes,
      plan.strategy,
    ]);
    const known = this.known.get(key);
    // A recomputing operator does real work: the stages of the forward pass are not kept for it.
    if (known !== undefined && of.phase !== "recompute") return known;
    const id = this.freeId(tensor.id);
    this.known.set(key, id);
    const operator: Operator = {
      ...stage,
      id: operatorId(id),
      name: id,
      outputs: stage.outputs.map((output) => ({ ...output, tensor: id })),
    };
    this.tensors.set(id, { ...tensor, id, name: id, producer: operator.id });
    this.operators.push(operator);
    this.plans.set(operator.id, plan);
    const rows = this.rows.get(of.id);
    const dim = tensor.dimNames.indexOf(rows ?? "");
    if (rows !== undefined && operator.axes.some(({ name }) => name === rows)) {
      this.rows.set(operator.id, rows);
      if (dim >= 0) this.rowDims.set(id, dim);
    }
    return id;
  }

  private freeId(wanted: TensorId): TensorId {
    let [id, count] = [wanted, 1];
    while (this.tensors.has(id)) id = tensorId(`${wanted}#${++count}`);
    return id;
  }

  finish(): Planned {
    const { graph, plan } = this;
    const own = new Set(graph.tensors.map(({ id }) => id));
    const added = [...this.tensors.values()].filter(({ id }) => !own.has(id));
    const microbatches: Microbatches | undefined = plan.microbatches && {
      ...plan.microbatches,
      axes: this.rows,
      dims: this.rowDims,
    };
    return {
      graph: { ...graph, tensors: [...graph.tensors, ...added], operators: this.operators },
      plan: {
        ...plan,
        operators: this.plans,
        ...(microbatches !== undefined && { microbatches }),
      },
    };
  }
}

/** For each recomputed tensor, the forward result that it repeats. */
function firstResults({ operators }: Graph): ReadonlyMap<TensorId, TensorId> {
  const known = new Map(operators.map((operator) => [operator.id, operator]));
  return new Map(
    operators.flatMap(({ phase, of, outputs }) => {
      const forward = phase === "recompute" && of !== undefined ? known.get(of) : undefined;
      return outputs.flatMap(({ tensor }, at): [TensorId, TensorId][] => {
        const original = forward?.outputs[at];
        return original === undefined ? [] : [[tensor, original.tensor]];
      });
    }),
  );
}

/** A stage with the tensors of earlier stages as operands. */
function reading(stage: Operator, made: ReadonlyMap<TensorId, TensorId>): Operator {
  const inputs = stage.inputs.map((operand) => ({
    ...operand,
    tensor: made.get(operand.tensor) ?? operand.tensor,
  }));
  return { ...stage, inputs };
}
