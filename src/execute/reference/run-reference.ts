import { type Graph, operatorBody, type TensorId } from "#core/ir";
import { runOperator } from "./run-operator.ts";
import { emptyWhole, type Whole } from "./whole.ts";

/** Which numbers a run works on: integers compare bit for bit, floats within a derived bound. */
export type ValueKind = "integers" | "floats";

/** A graph run unsharded. */
export interface ReferenceRun {
  readonly tensors: ReadonlyMap<TensorId, Whole>;
  /** The largest absolute value, or sum of absolute values, of the whole run. */
  readonly peak: number;
  /** Operators without a known body, which ran as the product of their operands. */
  readonly assumed: readonly string[];
}

/**
 * Runs a graph on whole tensors, in double precision, by plain loops: the oracle of every engine
 * that runs the per-device program. Every element comes with a bound for what any order of the
 * same operations may be off by.
 *
 * @param inputs all inputs and parameters, row-major
 */
export function runReference(
  graph: Graph,
  inputs: ReadonlyMap<TensorId, Float64Array>,
  values: ValueKind,
): ReferenceRun {
  const shapes = new Map(graph.tensors.map(({ id, shape }) => [id, shape]));
  const shapeOf = (id: TensorId) => shapes.get(id) ?? [];
  const tensors = new Map<TensorId, Whole>(
    [...inputs].map(([id, given]) => {
      const whole = emptyWhole(shapeOf(id));
      whole.values.set(given);
      return [id, whole];
    }),
  );
  const assumed: string[] = [];
  let peak = 0;
  for (const operator of graph.operators) {
    const { call, body, isAssumed } = operatorBody(operator, shapeOf);
    if (isAssumed) assumed.push(operator.name);
    const given = [...operator.inputs];
    const operands = call.inputs.map((input) => {
      const operand = input === undefined ? undefined : given.shift();
      return operand && tensors.get(operand.tensor);
    });
    const run = runOperator(call, body, operands, values);
    peak = Math.max(peak, run.peak);
    operator.outputs.forEach(({ tensor }, at) => {
      const whole = run.outputs[at];
      if (whole !== undefined) tensors.set(tensor, whole);
    });
  }
  return { tensors, peak, assumed };
}
