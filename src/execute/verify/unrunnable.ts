import type { Diagnostic } from "#core/diagnostics";
import { isProjected } from "#core/plan";
import type { SpmdProgram } from "#core/program";

/**
 * What of a program has no values to compare: kernels that only say which cells they touch, and
 * tensors that lie in windows of which no body knows.
 */
export function unrunnable({ graph, values }: SpmdProgram): readonly Diagnostic[] {
  const kernels = new Map(
    graph.operators.flatMap((operator) => {
      const isUnknown = operator.entry === undefined && isProjected(operator);
      return isUnknown ? [[operator.op, operator] as const] : [];
    }),
  );
  const faults = [...kernels.values()].map(
    ({ op, name, span }): Diagnostic => ({
      code: "execute/no-body",
      severity: "error",
      message: `the kernel "${op}" of "${name}" has no body here: it only says which cells it touches`,
      ...(span !== undefined && { span }),
    }),
  );
  const windowed = values.find(({ held }) => held !== undefined);
  const tensor = graph.tensors.find(({ id }) => id === windowed?.tensor);
  if (faults.length > 0 || tensor === undefined) return faults;
  return [
    {
      code: "execute/windows",
      severity: "error",
      message: `"${tensor.name}" lies in windows instead of blocks, which cannot be run here`,
      ...(tensor.span !== undefined && { span: tensor.span }),
    },
  ];
}
