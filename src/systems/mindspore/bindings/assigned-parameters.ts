import type { TracedTensor } from "#language/document/trace";
import type { Argument, Context, HostObject, Replacement, Value } from "#language/python";

/** What an assignment to an attribute of a Cell needs. */
export interface AssignParts {
  readonly tensorOf: (value: Value | undefined) => TracedTensor | undefined;
  /** Whether a Cell runs. */
  readonly isRunning: () => boolean;
  /** `Assign()`. */
  readonly primitive: () => HostObject;
}

/**
 * `self.step = self.step + 1` or `self.step += 1` in `construct`, where the attribute holds a parameter: 2.10 compiles an
 * Assign into it, and what reads the attribute reads the parameter. Gives the parameter, which stays.
 */
export function assignedParameter(
  { tensorOf, isRunning, primitive }: AssignParts,
  { before, after, span }: Replacement,
  context: Context,
): Value | undefined {
  if (after === undefined || !isRunning()) return undefined;
  const [held, given] = [tensorOf(before), tensorOf(after)];
  const isHeld = held?.role === "parameter" && held.producer === undefined;
  // What is assigned in place is the parameter itself.
  const isAssigned = isHeld && given !== undefined && (given !== held || before === after);
  if (!isAssigned) return undefined;
  const args: readonly Argument[] = [before, after].map((value) => ({ value, span }));
  context.call(primitive(), args, span);
  return before;
}
