import type { Compiled } from "#compile";
import type { FlatStep } from "#core/program";

/** Returns the names of steps, such as `h` or `all-gather mp of h`. */
export function stepNames({ graph, program }: Compiled): (step: FlatStep) => string {
  const operators = new Map(graph.operators.map(({ id, name }) => [id, name]));
  const tensors = new Map(graph.tensors.map(({ id, name }) => [id, name]));
  const values = new Map(program.values.map(({ id, tensor }) => [id, tensors.get(tensor) ?? id]));
  return (step) =>
    step.kind === "local"
      ? (operators.get(step.operator) ?? step.operator)
      : `${[step.collective, ...step.axes].join(" ")} of ${values.get(step.input) ?? step.input}`;
}
