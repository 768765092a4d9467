import type { Diagnostic } from "#core/diagnostics";
import { isProjected } from "#core/plan";
import type { SpmdProgram } from "#core/program";

/** What of a program has no values to compare: kernels that only say which cells they touch. */
export function unrunnable({ graph }: SpmdProgram): readonly Diagnostic[] {
  const kernels = new Map(
    graph.operators.flatMap((operator) => {
      const { entry, points, passage } = operator;
      const isSilent = entry === undefined && points === undefined && passage === undefined;
      const isUnknown = isSilent && isProjected(operator);
      return isUnknown ? [[operator.op, operator] as const] : [];
    }),
  );
  return [...kernels.values()].map(
    ({ op, name, span }): Diagnostic => ({
      code: "execute/no-body",
      severity: "error",
      message: `the kernel "${op}" of "${name}" has no body here: it only says which cells it touches`,
      ...(span !== undefined && { span }),
    }),
  );
}
