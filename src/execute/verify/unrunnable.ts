import type { Diagnostic } from "#core/diagnostics";
import { type Tensor, unknownTensor } from "#core/ir";
import { isProjected } from "#core/plan";
import type { SpmdProgram } from "#core/program";

/**
 * What of a program has no values to compare: kernels that only say which cells they touch, and
 * tensors of which nobody knows the shape.
 */
export function unrunnable({ graph }: SpmdProgram): readonly Diagnostic[] {
  const kernels = new Map(
    graph.operators.flatMap((operator) => {
      const { entry, points, passage } = operator;
      const isSilent = entry === undefined && points === undefined && passage === undefined;
      const isUnknown = isSilent && isProjected(operator);
      return isUnknown ? [[operator.op, operator] as const] : [];
    }),
  );
  const unknown = unknownTensor(graph);
  const unread = unknown === undefined ? [] : [withoutShape(unknown)];
  const silent = [...kernels.values()].map(
    ({ op, name, span }): Diagnostic => ({
      code: "execute/no-body",
      severity: "error",
      message: `the kernel "${op}" of "${name}" has no body here: it only says which cells it touches`,
      ...(span !== undefined && { span }),
    }),
  );
  return [...unread, ...silent];
}

function withoutShape({ name, span }: Tensor): Diagnostic {
  return {
    code: "execute/unknown-shape",
    severity: "error",
    message: `nobody knows the shape of "${name}": the program cannot be run`,
    ...(span !== undefined && { span }),
  };
}
