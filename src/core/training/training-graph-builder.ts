import {
  type Graph,
  type Operand,
  type Operator,
  type OperatorId,
  type Tensor,
  type TensorId,
  tensorId,
} from "#core/ir";
import type { Layout } from "#core/mesh";
import { type OperatorPlan, type Placement, type Plan, producedLayout } from "#core/plan";
import { extended, required } from "#core/records";
import type { KnownCalls } from "./new-call.ts";

/** The fields of an added tensor that differ from its model. */
interface Added {
  readonly role: Tensor["role"];
  readonly shape?: readonly number[];
  readonly dtype?: Tensor["dtype"];
  readonly replaces?: TensorId;
  readonly gradientOf?: TensorId;
  readonly castOf?: TensorId;
}

/** A graph and its plan while operators are added. */
export class TrainingGraphBuilder {
  readonly graph: Graph;
  readonly plans: Map<OperatorId, OperatorPlan>;
  readonly placements: Map<TensorId, Placement>;
  readonly calls: KnownCalls;
  private readonly tensors: Map<TensorId, Tensor>;
  private readonly makers: ReadonlyMap<TensorId, Operator>;
  private readonly added: Operator[] = [];
  /** The operators that cast each parameter for its readers. */
  private readonly casts = new Map<TensorId, readonly Operator[]>();

  constructor(graph: Graph, plan: Plan, calls: KnownCalls = new Map()) {
    this.calls = calls;
    this.graph = graph;
    this.plans = new Map(plan.operators);
    this.placements = new Map(plan.placements);
    this.tensors = new Map(graph.tensors.map((tensor) => [tensor.id, tensor]));
    this.makers = new Map(
      graph.operators.flatMap((operator) =>
        operator.outputs.map(({ tensor }) => [tensor, operator] as const),
      ),
    );
    for (const operator of graph.operators) this.noteCast(operator);
  }

  /**
   * The operators that cast a parameter for its readers, in this pass or again for the backward
   * pass.
   */
  castsOf(parameter: TensorId): readonly Operator[] {
    return this.casts.get(parameter) ?? [];
  }

  /** The operator, added or not, that makes a tensor. */
  operatorOf(tensor: TensorId): Operator | undefined {
    return this.makers.get(tensor) ?? this.added.findLast(({ name }) => name === tensor);
  }

  private noteCast(operator: Operator): void {
    const [output] = operator.outputs;
    const { castOf } = (output && this.tensors.get(output.tensor)) ?? {};
    if (castOf !== undefined) this.casts.set(castOf, [...this.castsOf(castOf), operator]);
  }

  /** The forward operator that makes a tensor; none for inputs and parameters. */
  makerOf(tensor: TensorId): Operator | undefined {
    return this.makers.get(tensor);
  }

  tensorOf(id: TensorId): Tensor {
    return required(this.tensors, id, "tensor");
  }

  /** A new tensor like another; a taken name gets `#2`, `#3`, … */
  addTensor(base: string, like: Tensor, { role, shape, dtype, ...links }: Added): Tensor {
    let name = base;
    for (let count = 2; this.tensors.has(tensorId(name)); count += 1) name = `${base}#${count}`;
    const tensor: Tensor = {
      id: tensorId(name),
      name,
      shape: shape ?? like.shape,
      dtype: dtype ?? like.dtype,
      dtypeText: dtype ?? like.dtypeText,
      role,
      dimNames: like.dimNames,
      shapeStatus: "inferred",
      ...(like.isUnknown && { isUnknown: true }),
      ...links,
      ...(like.span !== undefined && { span: like.span }),
    };
    this.tensors.set(tensor.id, tensor);
    return tensor;
  }

  /** Appends an operator; without a plan, propagation splits it. */
  add(operator: Operator, plan: OperatorPlan | undefined): void {
    this.added.push(operator);
    for (const { tensor } of operator.outputs) {
      this.tensors.set(tensor, extended(this.tensorOf(tensor), { producer: operator.id }));
    }
    if (plan !== undefined) this.plans.set(operator.id, plan);
    this.noteCast(operator);
  }

  /**
   * Layout of a forward tensor: as its operator produces it, with partial sums combined; for inputs
   * and parameters the layout at rest.
   */
  ownLayout(tensor: TensorId): Layout | undefined {
    const maker = this.makers.get(tensor);
    const plan = maker && this.plans.get(maker.id);
    const operand = maker?.outputs.find((candidate) => candidate.tensor === tensor);
    if (maker === undefined || plan === undefined || operand === undefined) {
      return this.placements.get(tensor)?.layout;
    }
    return { ...producedLayout(maker, operand, plan), partials: [] };
  }

  /** The whole graph; its results are those of the forward program and the `kept` tensors. */
  finish(kept: readonly TensorId[], handsOn: ReadonlySet<OperatorId> = new Set()): Graph {
    const forward = this.graph.operators.map((operator) =>
      handsOn.has(operator.id) ? ({ ...operator, isCheckpointed: true } as const) : operator,
    );
    return {
      tensors: [...this.tensors.values()],
      operators: [...forward, ...this.added],
      outputs: [...new Set([...this.graph.outputs, ...kept])],
    };
  }
}

/**
 * The layout in which readers find an operator's result: combined if the operator reduces inside.
 */
export function leftLayout(operator: Operator, operand: Operand, plan: OperatorPlan): Layout {
  const layout = producedLayout(operator, operand, plan);
  return operator.reducesInside ? { ...layout, partials: [] } : layout;
}
