import {
  entryOf,
  type Graph,
  type Operand,
  type Operator,
  type OperatorId,
  operatorsById,
  type Tensor,
  type TensorId,
  tensorsById,
} from "#core/ir";
import { operatorBody, usedTables } from "#core/ir/body";
import { blockCount, type Layout } from "#core/mesh";
import type { Microbatches, Plan } from "#core/plan";
import { fieldOf } from "#core/records";
import { hasNamelessRows, leadOf, operatorsOfRuns, rowIdentifiers, rowsOf } from "./batch-rows.ts";

/** Why a batch is not cut into micro-batches. */
export interface NotCut {
  readonly kind: "uneven" | "mixed";
  readonly reason: string;
}

type Placed = Pick<Plan, "placements" | "operators">;

/**
 * Cuts the batch of a training step into `count` micro-batches, or gives the reason why this is
 * impossible.
 *
 * It is possible if every operator treats each row alike and separately, except for sums and means
 * over rows. Each micro-batch then makes a share of the loss and of every parameter's gradient, and
 * the shares add up to those of the whole batch. A mean counts the rows of the whole batch, so the
 * share of a micro-batch is its own mean divided by `count`.
 *
 * @param graph with backward operators, and an `accumulate` per parameter
 */
export function cutIntoMicrobatches(
  graph: Graph,
  plan: Placed,
  loss: TensorId,
  count: number,
): Microbatches | NotCut {
  const dims = rowsOf(graph, loss);
  if (dims.size === 0) return mixed("the loss depends on no input that has rows");
  const tensors = tensorsById(graph);
  for (const [id, dim] of dims) {
    const fault = unevenTensor(tensors.get(id), dim, count, plan.placements.get(id)?.layout);
    if (fault !== undefined) return fault;
  }
  const reading = new Reading(graph, plan, dims, count);
  for (const operator of operatorsOfRuns(graph)) {
    const fault = reading.fault(operator);
    if (fault !== undefined) return fault;
  }
  return { count, dims, axes: reading.axes, shares: reading.shares };
}

function unevenTensor(
  tensor: Tensor | undefined,
  dim: number,
  count: number,
  layout: Layout | undefined,
): NotCut | undefined {
  const [name, rows] = [tensor?.name ?? "", tensor?.shape[dim] ?? 1];
  if (rows % count !== 0) return uneven(`the ${rows} rows of "${name}"`, count);
  const { parts = [], sizes } = layout?.dims[dim] ?? {};
  const pieces = blockCount(parts);
  if (sizes !== undefined) return mixed(`the pieces of "${name}" have lengths of their own`);
  if ((rows / count) % pieces === 0) return undefined;
  return uneven(`the ${rows} rows of "${name}", which lie in ${pieces} pieces,`, count);
}

function uneven(what: string, count: number): NotCut {
  return { kind: "uneven", reason: `${what} cannot be cut evenly into ${count} micro-batches` };
}

function mixed(reason: string): NotCut {
  return { kind: "mixed", reason };
}

/**
 * Visits the operators in order and collects the axes of rows and the tensors that each run
 * computes as partial sums.
 */
class Reading {
  readonly axes = new Map<OperatorId, string>();
  readonly shares = new Set<TensorId>();
  private readonly plan: Placed;
  private readonly dims: ReadonlyMap<TensorId, number>;
  private readonly count: number;
  private readonly tensors: ReadonlyMap<TensorId, Tensor>;
  private readonly operators: ReadonlyMap<OperatorId, Operator>;

  constructor(graph: Graph, plan: Placed, dims: ReadonlyMap<TensorId, number>, count: number) {
    this.plan = plan;
    this.dims = dims;
    this.count = count;
    this.tensors = tensorsById(graph);
    this.operators = operatorsById(graph);
  }

  fault(operator: Operator): NotCut | undefined {
    if (operator.op === "accumulate") return this.accumulated(operator);
    if (hasNamelessRows(operator, this.dims)) return mixed(`"${operator.name}" orders rows anew`);
    const [name, ...others] = rowIdentifiers(operator, this.dims);
    if (name === undefined) return this.withoutRows(operator);
    if (others.length > 0) return mixed(`"${operator.name}" pairs every row with every other`);
    this.axes.set(operator.id, name);
    return (
      this.placeFault(operator, name) ??
      this.sumFault(operator, name) ??
      this.cutFault(operator, name)
    );
  }

  private accumulated({ inputs, outputs }: Operator): NotCut | undefined {
    if (inputs.every(({ tensor }) => this.shares.has(tensor))) return undefined;
    const gradient = this.tensors.get(outputs[0]?.tensor ?? ("" as TensorId));
    const of = this.tensors.get(gradient?.gradientOf ?? ("" as TensorId))?.name ?? "";
    return mixed(`the gradient of "${of}" is no sum over the rows`);
  }

  /** Fault of an operator without rows: it passes partial sums on only if it is linear in them. */
  private withoutRows(operator: Operator): NotCut | undefined {
    const { inputs, outputs, linear, phase, op } = operator;
    const found = inputs.flatMap(({ tensor }, at) => (this.shares.has(tensor) ? [at] : []));
    if (found.length === 0) return undefined;
    const isGroup = linear.some((group) => String(group) === String(found));
    const isPassing = phase === "backward" && op.endsWith("_backward") && String(found) === "0";
    if (!isGroup && !isPassing) return mixed(`"${operator.name}" needs sums over the whole batch`);
    for (const { tensor } of outputs) this.shares.add(tensor);
    return undefined;
  }

  /**
   * Fault of an operator with rows: every operand must have its rows in the known dim, and must not
   * be a partial sum.
   */
  private placeFault(operator: Operator, name: string): NotCut | undefined {
    for (const operand of [...operator.inputs, ...operator.outputs]) {
      const tensor = this.tensors.get(operand.tensor);
      const dim = this.dims.get(operand.tensor);
      const places = operand.dims.flatMap(({ identifiers }, at) =>
        identifiers.includes(name) ? [at] : [],
      );
      const isPlain = dim === undefined ? places.length === 0 : String(places) === String(dim);
      const isLead = places.every((at) => leadOf(operator, operand, at) === name);
      if (tensor?.role === "parameter" && places.length > 0) {
        return mixed(`the parameter "${tensor.name}" has rows of its own`);
      }
      if (!isPlain || !isLead) return mixed(`"${operator.name}" orders rows anew`);
      if (operator.inputs.includes(operand) && this.shares.has(operand.tensor)) {
        return mixed(`"${operator.name}" needs sums over the whole batch`);
      }
    }
    return undefined;
  }

  /**
   * Fault of a result without rows: it must be a sum over them, and becomes a partial sum of each
   * run.
   */
  private sumFault(operator: Operator, name: string): NotCut | undefined {
    const axis = operator.axes.find((each) => each.name === name);
    const lacking = operator.outputs.filter((operand) => !hasName(operand, name));
    if (operator.inner?.includes(name) === true) {
      return mixed(`"${operator.name}" needs the whole batch`);
    }
    const isSum = axis?.reduction === "+" && operator.combine === undefined;
    const isApart = axis?.reduction === "" || this.addsUp(operator, name);
    if (!isSum && lacking.length > 0 && !this.addsUp(operator, name)) {
      return mixed(`"${operator.name}" needs the whole batch`);
    }
    if (!isApart && !isSum) return mixed(`"${operator.name}" needs the whole batch`);
    for (const { tensor } of lacking) this.shares.add(tensor);
    return undefined;
  }

  private addsUp(operator: Operator, name: string): boolean {
    const { entry, of, phase } = operator;
    const forward = phase === "backward" && of ? this.operators.get(of)?.entry : entry;
    if (forward === undefined || entryOf(forward)?.addsUp !== true) return false;
    const { body } = operatorBody(operator, (id) => this.tensors.get(id)?.shape ?? []);
    return usedTables(body).every(({ over }) => over.every(({ axis }) => axis !== name));
  }

  /**
   * The fault of a cut: the plan must cut every run evenly, and operands may reach over rows only.
   */
  private cutFault(operator: Operator, name: string): NotCut | undefined {
    const plan = this.plan.operators.get(operator.id);
    const rows = operator.axes.find((each) => each.name === name)?.size ?? 1;
    const parts = fieldOf(plan?.strategy.cuts, name) ?? [];
    const pieces = blockCount(parts);
    const isOdd =
      plan?.unverified !== undefined || fieldOf(plan?.strategy.sizes, name) !== undefined;
    if (isOdd) return mixed(`"${operator.name}" is cut in a way of its own`);
    if (operator.inputs.some(({ projection, range }) => (projection ?? range) !== undefined)) {
      return mixed(`"${operator.name}" reads windows`);
    }
    if ((rows / this.count) % pieces === 0) return undefined;
    return uneven(`the ${rows} rows of "${operator.name}" in ${pieces} pieces`, this.count);
  }
}

function hasName({ dims }: Operand, name: string): boolean {
  return dims.some(({ identifiers }) => identifiers.includes(name));
}
