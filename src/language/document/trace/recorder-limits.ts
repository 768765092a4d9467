import type { Span } from "#core/diagnostics";
import { mostResults } from "#core/ir";
import type { Context } from "#language/python";

/** The call at which a limit is met. */
interface LimitedCall {
  readonly op: string;
  readonly span: Span;
}

/** What a program has so far. */
interface Counts {
  readonly operators: number;
  readonly operands: number;
}

/** More operators than this are not read, so that a loop without end does not hold up the page. */
const operatorLimit = 12_000;

/** The same for the body of one function. */
const bodyLimit = 1000;

/** More than all operators of a large program read: one list may have thousands of tensors. */
const operandLimit = 60_000;

/** Inputs and parameters: a program of hundreds of layers has fewer. */
const leafLimit = 12_000;

const registeredLimit = 2_000;

const rankLimit = 64;

/** Ends the statement whose call makes the program too large. */
export function checkCounts(
  { span }: LimitedCall,
  { operators, operands }: Counts,
  isInBody: boolean,
  context: Context,
): void {
  const limit = isInBody ? bodyLimit : operatorLimit;
  if (operators >= limit) {
    const message = `the program has more than ${limit} operators`;
    context.raise("RuntimeError", message, span, { code: "document/too-many-operators" });
  }
  if (operands > operandLimit) {
    const message = `all operators together read more than ${operandLimit} operands: give them shorter lists, or read long ones less often`;
    context.raise("RuntimeError", message, span, { code: "document/too-many-operands" });
  }
}

/** Ends the statement that makes one more tensor than a program may have that no operator makes. */
export function checkLeaves(leaves: number, span: Span, context: Context): void {
  if (leaves < leafLimit) return;
  const message = `the program has more than ${leafLimit} inputs and parameters`;
  context.raise("RuntimeError", message, span, { code: "document/too-many-tensors" });
}

/** Ends the statement that registers one more function than a program may register. */
export function checkRegistered(registered: number, span: Span, context: Context): void {
  if (registered < registeredLimit) return;
  const message = `the program registers more than ${registeredLimit} operators`;
  context.raise("RuntimeError", message, span, { code: "document/too-many-registered" });
}

/** Ends the statement whose call has more results than are made. */
export function checkResults({ op, span }: LimitedCall, results: number, context: Context): void {
  if (results <= mostResults) return;
  const message = `"${op}" has more than ${mostResults} results`;
  context.raise("RuntimeError", message, span, { code: "document/too-many-results" });
}

/** Ends the statement whose call makes a tensor of too many dims. */
export function checkRanks(
  { op, span }: LimitedCall,
  shapes: readonly (readonly unknown[])[],
  context: Context,
): void {
  if (shapes.every((shape) => shape.length <= rankLimit)) return;
  const message = `the result of "${op}" has more than ${rankLimit} dims`;
  context.raise("ValueError", message, span, { code: "document/too-many-dims" });
}
