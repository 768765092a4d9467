import type { Span } from "#core/diagnostics";
import { hostFunction } from "#language/document/bindings/values";
import { knownSize, type TracedTensor } from "#language/document/trace";
import type { Argument, Context, HostObject, Replacement, Value } from "#language/python";

/** Services for an assignment to an attribute of a Cell. */
export interface AssignParts {
  readonly tensorOf: (value: Value | undefined) => TracedTensor | undefined;
  /** Whether a Cell's `construct` is running. */
  readonly isRunning: () => boolean;
  /** `Assign()`. */
  readonly primitive: () => HostObject;
}

/**
 * `self.step = self.step + 1` or `self.step += 1` in `construct`, where the attribute holds a
 * parameter: 2.10 compiles an Assign into the parameter, and later reads of the attribute read the
 * parameter. Returns the parameter, which stays in the attribute; `undefined` if the assignment is
 * no such case.
 * Outside of a graph the parameter takes the data of the assigned tensor.
 */
export function assignedParameter(
  { tensorOf, isRunning, primitive }: AssignParts,
  { before, after, span }: Replacement,
  context: Context,
): Value | undefined {
  if (after === undefined) return undefined;
  const [held, given] = [tensorOf(before), tensorOf(after)];
  const isHeld = held?.role === "parameter" && held.producer === undefined;
  if (!isRunning()) {
    if (!isHeld || given === undefined || given.role === "parameter") return undefined;
    sayOtherShape(held, given, context, span);
    return before;
  }
  // Reassigning the parameter itself is no Assign unless it was updated in place.
  const isAssigned = isHeld && given !== undefined && (given !== held || before === after);
  if (!isAssigned) return undefined;
  const args: readonly Argument[] = [before, after].map((value) => ({ value, span }));
  context.call(primitive(), args, span);
  return before;
}

/** `weight.set_data(…)`, which returns the parameter itself. */
export function dataWord(self: Value, tensorOf: AssignParts["tensorOf"]): Value {
  return hostFunction("set_data", ([data], context, span) => {
    sayOtherShape(tensorOf(self), tensorOf(data?.value), context, span);
    return self;
  });
}

/**
 * Warns when a parameter gets data of another shape: MindSpore 2.10 takes over that shape, here the
 * parameter keeps its own.
 */
function sayOtherShape(
  held: TracedTensor | undefined,
  given: TracedTensor | undefined,
  context: Context,
  span: Span,
): void {
  const [own, other] = [held, given].map((each) => each?.shape?.map(knownSize).join(", ") ?? "");
  if (given !== undefined && own === other) return;
  const message = `a parameter of shape (${own}) is given ${given === undefined ? "something else than a tensor" : `data of shape (${other})`}, and has its shape in MindSpore: here it keeps its own`;
  context.report({ code: "document/unknown-result", severity: "warning", message, span });
}
