import {
  bytesOf,
  type DType,
  entryOf,
  type Graph,
  type Operand,
  type Operator,
  type Tensor,
  type TensorId,
  tensorId,
} from "#core/ir";
import { isFloat, promotedPair, resultType } from "#core/ir/types";
import type { DeviceMesh } from "#core/mesh";
import type { OperatorPlan, Plan } from "#core/plan";
import { required } from "#core/records";
import { castingOf } from "./casting-classes.ts";
import { bindOrThrow, layoutPlan } from "./new-call.ts";
import { heldTypes } from "./precision.ts";
import type { Training } from "./training.ts";

/** Graph in the data types of a policy. */
export interface TypedGraph {
  readonly graph: Graph;
  /** Plans of those added operators for which they are determined. */
  readonly plans: Plan["operators"];
}

/**
 * Forward pass in the data types of a policy: parameters in the type in which they are held, with a
 * cast in front of readers that compute in another type, and results in the type that follows from
 * the operands. If the text's own types apply, the same graph.
 */
export function typedGraph(graph: Graph, plan: Plan, training: Training): TypedGraph {
  const { precision = "as-written" } = training;
  if (precision === "as-written") return { graph, plans: plan.operators };
  return new Typing(graph, plan, training).run();
}

/**
 * Forward pass in the data types in which its operators compute under a policy, without casts: each
 * tensor has the narrowest type in which it is computed or read. A search prices the operators by
 * these types; the casts only add cost.
 */
export function computedGraph(
  graph: Graph,
  mesh: DeviceMesh,
  training: Pick<Training, "precision" | "gradients">,
): Graph {
  const { precision = "as-written" } = training;
  if (precision === "as-written") return graph;
  const plan = { mesh, operators: new Map(), placements: new Map() };
  const typed = new Typing(graph, plan, training).run().graph;
  const held = new Map(typed.tensors.map((tensor) => [tensor.id, tensor]));
  const reading = new Map(typed.operators.map((operator) => [operator.id, operator]));
  const types = new Map<TensorId, DType>();
  for (const { id, inputs } of graph.operators) {
    for (const [at, { tensor }] of inputs.entries()) {
      const own = required(held, tensor, "tensor");
      const read = held.get(reading.get(id)?.inputs[at]?.tensor ?? tensor) ?? own;
      const made = own.producer === undefined ? read.dtype : own.dtype;
      const known = types.get(tensor) ?? made;
      types.set(tensor, bytesOf(read.dtype) < bytesOf(known) ? read.dtype : known);
    }
  }
  const tensors = graph.tensors.map((tensor) => {
    const dtype = types.get(tensor.id) ?? required(held, tensor.id, "tensor").dtype;
    return dtype === tensor.dtype ? tensor : { ...tensor, dtype, dtypeText: dtype };
  });
  return { ...graph, tensors };
}

class Typing {
  private readonly graph: Graph;
  private readonly plan: Plan;
  private readonly training: Pick<Training, "precision" | "gradients">;
  private readonly tensors: Map<TensorId, Tensor>;
  private readonly written: ReadonlyMap<TensorId, Tensor>;
  private readonly plans: Map<Operator["id"], OperatorPlan>;
  private readonly operators: Operator[] = [];
  /** Casts made so far, by tensor and type. */
  private readonly known = new Map<string, TensorId>();

  constructor(graph: Graph, plan: Plan, training: Pick<Training, "precision" | "gradients">) {
    this.graph = graph;
    this.plan = plan;
    this.training = training;
    this.tensors = new Map(graph.tensors.map((tensor) => [tensor.id, tensor]));
    this.written = new Map(this.tensors);
    this.plans = new Map(plan.operators);
  }

  run(): TypedGraph {
    for (const tensor of this.graph.tensors) {
      if (tensor.role !== "parameter") continue;
      this.retype(tensor.id, heldTypes(this.training, tensor.dtype).parameter);
    }
    for (const operator of this.graph.operators) this.meet(operator);
    const graph = {
      ...this.graph,
      tensors: [...this.tensors.values()],
      operators: this.operators,
    };
    return { graph, plans: this.plans };
  }

  private meet(operator: Operator): void {
    const wanted = this.wantedType(operator);
    const inputs = operator.inputs.map((operand) => this.arrive(operator, operand, wanted));
    const typed = { ...operator, inputs };
    for (const [at, { tensor }] of operator.outputs.entries()) {
      const own = this.resultOf(operator, inputs, at);
      if (own !== undefined) this.retype(tensor, own);
    }
    this.operators.push(typed);
  }

  /**
   * Type in which an operator reads its floats; `undefined` if it reads each in the tensor's own
   * type.
   */
  private wantedType({ entry }: Operator): DType | undefined {
    const casting = castingOf(entry, this.training.precision === "autocast");
    return casting === "single" ? "f32" : casting && "bf16";
  }

  /**
   * Type of a tensor for an operator without a class: parameters are read in the low type, and
   * given tensors are cast to match.
   */
  private usualType({ role, id }: Tensor, { inputs }: Operator): DType | undefined {
    if (this.training.precision === "autocast") return undefined;
    const written = inputs.map(({ tensor }) => required(this.written, tensor, "tensor"));
    const met = role === "parameter" ? this.written.get(id) : written.find(isParameter);
    if (met === undefined || (role !== "parameter" && role !== "input")) return undefined;
    return bytesOf(met.dtype) === 2 ? met.dtype : "bf16";
  }

  private arrive(operator: Operator, operand: Operand, asked: DType | undefined): Operand {
    const tensor = required(this.tensors, operand.tensor, "tensor");
    const wanted = asked ?? this.usualType(tensor, operator);
    const isCast = wanted !== undefined && isFloat(tensor.dtype) && bytesOf(tensor.dtype) <= 4;
    if (!isCast || tensor.dtype === wanted) return operand;
    const isKept = tensor.producer === undefined;
    const key = `${tensor.id} ${wanted}`;
    const known = isKept ? this.known.get(key) : undefined;
    const cast = known ?? this.addCast(tensor, wanted);
    this.known.set(key, cast);
    return { ...operand, tensor: cast };
  }

  private addCast(tensor: Tensor, dtype: DType): TensorId {
    const entry = entryOf("cast");
    if (entry === undefined) throw new Error("the library has no cast");
    let name = `${tensor.name}.${dtype}`;
    while (this.tensors.has(tensorId(name))) name = `${name}'`;
    const { producer: _, isFrozen: _frozen, ...like } = tensor;
    const isOfParameter = tensor.role === "parameter";
    const made: Tensor = {
      ...like,
      ...{ id: tensorId(name), name, dtype, dtypeText: dtype, role: "activation" },
      ...(isOfParameter && { castOf: tensor.id }),
    };
    const call = bindOrThrow(
      {
        ...{ entry, inputs: [tensor], attributes: { dtype }, phase: "forward" },
        givesScalars: tensor.shape.length === 0,
      },
      new Map(),
    );
    const { phase: __, ...operator } = call.operator([made.id]);
    this.tensors.set(made.id, { ...made, producer: operator.id });
    this.operators.push(operator);
    const lies = this.plan.placements.get(tensor.id)?.layout;
    if (lies !== undefined) this.plans.set(operator.id, layoutPlan(operator, lies));
    return made.id;
  }

  /**
   * Type of a result that follows from the operands; `undefined` if the text itself determines it.
   */
  private resultOf(
    { entry, inputs, outputs }: Operator,
    read: readonly Operand[],
    at: number,
  ): DType | undefined {
    const before = this.written.get(outputs[at]?.tensor ?? tensorId(""))?.dtype;
    const follows = (operands: readonly Operand[], of: ReadonlyMap<TensorId, Tensor>) =>
      typeOf(
        entry,
        operands.map(({ tensor }) => required(of, tensor, "tensor")),
        at,
      );
    if (before === undefined || !isFloat(before)) return undefined;
    return follows(inputs, this.written) === before ? follows(read, this.tensors) : undefined;
  }

  private retype(id: TensorId, dtype: DType): void {
    const tensor = required(this.tensors, id, "tensor");
    if (tensor.dtype !== dtype) this.tensors.set(id, { ...tensor, dtype, dtypeText: dtype });
  }
}

function isParameter({ role, dtype }: Tensor): boolean {
  return role === "parameter" && isFloat(dtype);
}

/** The type of an operator's result, from the types of its operands. */
function typeOf(entry: string | undefined, read: readonly Tensor[], at: number): DType | undefined {
  const types = entry === undefined ? undefined : entryOf(entry)?.types;
  const rule = types?.[at] ?? types?.at(-1);
  if (rule !== undefined) {
    const operands = read.map(({ dtype, shape }) => ({
      dtype,
      weight: shape.length === 0 ? ("scalar" as const) : ("tensor" as const),
    }));
    return resultType(rule, operands);
  }
  const floats = read.map(({ dtype }) => dtype).filter(isFloat);
  return floats.length === 0 ? undefined : floats.reduce(promotedPair);
}
