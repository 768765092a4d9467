import type { Diagnostic } from "#core/diagnostics";
import {
  type Operator,
  type OperatorId,
  operatorsById,
  type Tensor,
  unknownTensor,
} from "#core/ir";
import { isProjected } from "#core/plan";
import { flatSteps, type SpmdProgram } from "#core/program";
import { fieldOf } from "#core/records";

/**
 * Parts of a program without values to compare: kernels that only declare the cells they touch, and
 * tensors of unknown shape.
 */
export function unrunnable(program: SpmdProgram): readonly Diagnostic[] {
  const { graph } = program;
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
  return [...unread, ...silent, ...uncombined(program)];
}

/**
 * The fault of operators with unknown computation that sum inside in an unknown way: the devices'
 * blocks of their results are not determined.
 */
function uncombined(program: SpmdProgram): readonly Diagnostic[] {
  const operators = operatorsById(program.graph);
  const found = new Map<OperatorId, Diagnostic>();
  for (const step of flatSteps(program)) {
    const operator = step.kind === "local" ? operators.get(step.operator) : undefined;
    if (step.kind !== "local" || operator === undefined || !isOpaque(operator)) continue;
    const axes = operator.axes.filter(
      (axis) =>
        axis.reduction === "" &&
        (fieldOf(step.strategy.cuts, axis.name)?.length ?? 0) > 0 &&
        operator.outputs.some(
          ({ dims }) => !dims.some(({ identifiers }) => identifiers.includes(axis.name)),
        ),
    );
    if (axes.length > 0) found.set(operator.id, withoutCombination(operator, axes));
  }
  return [...found.values()];
}

/** Whether an operator is a primitive of its system whose body is not known here. */
function isOpaque({ entry, points, passage, body, reducesInside }: Operator): boolean {
  const isKnown = [entry, points, passage, body].some((each) => each !== undefined);
  return reducesInside && !isKnown;
}

function withoutCombination({ op, name, span }: Operator, axes: Operator["axes"]): Diagnostic {
  const cut = axes.map((axis) => `"${axis.name}"`).join(", ");
  return {
    code: "execute/unknown-combination",
    severity: "error",
    message: `how "${op}" of "${name}" combines the pieces of ${cut} inside is not known here: what devices have of its results cannot be said, so the program cannot be run`,
    ...(span !== undefined && { span }),
  };
}

function withoutShape({ name, span }: Tensor): Diagnostic {
  return {
    code: "execute/unknown-shape",
    severity: "error",
    message: `nobody knows the shape of "${name}": the program cannot be run`,
    ...(span !== undefined && { span }),
  };
}
