import { printAnnotation } from "#core/dimops";
import {
  callOf,
  type Graph,
  gradientOf,
  type Operator,
  type Tensor,
  type TensorId,
  tensorsById,
} from "#core/ir";
import { isFloat } from "#core/ir/types";
import type { DeviceMesh } from "#core/mesh";
import { required } from "#core/records";
import { expandTraining, mostTrained } from "./expand-training.ts";
import { tensorsWithGradient } from "./tensors-with-gradient.ts";

/**
 * The gradients that the backward pass of an operator makes, if one of its results has a gradient.
 */
interface Passed {
  /** For each operand, whether its gradient is made when needed. */
  readonly makes: readonly boolean[];
  /** For each operand, the results whose gradients its own gradient reads. */
  readonly reads: readonly (readonly number[])[];
}

/**
 * The tensors whose gradients the backward pass of `expandTraining` contains, whatever the plan.
 * Equal operators are examined once.
 */
export function gradientsInBackward(
  graph: Graph,
  mesh: DeviceMesh,
  loss: TensorId,
): ReadonlySet<TensorId> {
  if (graph.operators.length > mostTrained) return new Set();
  const tensors = tensorsById(graph);
  const tensorOf = (id: TensorId) => required(tensors, id, "tensor");
  const needed = tensorsWithGradient(graph);
  const made = new Set([loss]);
  const known = new Map<string, Passed>();
  for (const operator of graph.operators.toReversed()) {
    const { inputs, outputs } = operator;
    if (!outputs.some(({ tensor }) => made.has(tensor))) continue;
    const key = kindOf(operator, tensorOf);
    const passed = known.get(key) ?? passedBy(operator, tensorOf, mesh);
    known.set(key, passed);
    for (const [at, { tensor }] of inputs.entries()) {
      if (!needed.has(tensor) || passed.makes[at] !== true) continue;
      made.add(tensor);
      // A result whose readers give no gradient gets a gradient of zeros.
      for (const index of passed.reads[at] ?? []) {
        const result = outputs[index];
        if (result !== undefined) made.add(result.tensor);
      }
    }
  }
  return made;
}

/** A key, equal for operators whose backward passes make the same gradients. */
function kindOf(
  { entry, op, attributes, annotation, axes, inputs, outputs }: Operator,
  tensorOf: (id: TensorId) => Tensor,
): string {
  const operands = [...inputs, ...outputs].map(({ tensor }) => {
    const { shape, dtype, role } = tensorOf(tensor);
    return `${shape}:${dtype}${role === "parameter" ? "'" : ""}`;
  });
  const again = inputs.map(({ tensor }) => inputs.findIndex((each) => each.tensor === tensor));
  const sizes = axes.map(({ name, size }) => `${name}${size}`);
  const own = [entry, op, printAnnotation(annotation), sizes, again, ...operands];
  return `${own.join("|")} ${JSON.stringify(attributes)}`;
}

/** Gradients of a single operator, with each of its operands trained. */
function passedBy(
  operator: Operator,
  tensorOf: (id: TensorId) => Tensor,
  mesh: DeviceMesh,
): Passed {
  const { inputs, outputs } = operator;
  const given = [...new Set(inputs.map(({ tensor }) => tensor))].map((id): Tensor => {
    const { producer: _, isFrozen: _frozen, ...tensor } = tensorOf(id);
    const isTrained = tensor.role === "parameter" || isFloat(tensor.dtype);
    return { ...tensor, role: isTrained ? "parameter" : "input" };
  });
  const results = outputs.map(({ tensor }) => tensorOf(tensor));
  const [loss] = results;
  if (loss === undefined) return { makes: [], reads: [] };
  const graph = {
    tensors: [...given, ...results],
    operators: [operator],
    outputs: results.map(({ id }) => id),
  };
  const usual = { optimizer: "sgd", zero: 0, recompute: new Set<never>() } as const;
  const training = { loss: loss.id, ...usual };
  const whole = { mesh, operators: new Map(), placements: new Map() };
  const step = expandTraining(graph, whole, training);
  const made = new Set(step.graph.tensors.flatMap(({ gradientOf: of }) => of ?? []));
  const call = callOf(operator, (id) => tensorOf(id).shape);
  const positions = call.inputs.flatMap((input, at) => (input === undefined ? [] : [at]));
  const byPosition = gradientOf(operator, call);
  return {
    makes: inputs.map(({ tensor }) => made.has(tensor)),
    reads: inputs.map((_, at) =>
      (byPosition[positions[at] ?? -1] ?? []).flatMap(({ operands }) =>
        operands.flatMap(({ from, index }) => (from === "gradient" ? [index] : [])),
      ),
    ),
  };
}
