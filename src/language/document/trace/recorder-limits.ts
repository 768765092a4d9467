import type { Span } from "#core/diagnostics";
import { maxResults } from "#core/ir";
import type { Context } from "#language/python";

/** Call at which a limit is exceeded. */
interface LimitedCall {
  readonly op: string;
  readonly span: Span;
}

/** Present size of a program. */
interface Counts {
  readonly operators: number;
  readonly operands: number;
}

/** Most operators of a program; it stops endless loops from blocking the page. */
const operatorLimit = 12_000;

/** Most operators of one function's body. */
const bodyLimit = 1000;

/** Most operands of all operators together: a single list may have thousands of tensors. */
const operandLimit = 60_000;

/** Most inputs and parameters; a model with hundreds of layers has fewer. */
const leafLimit = 12_000;

const registeredLimit = 2_000;

const rankLimit = 64;

/** Raises at a call that exceeds the limit of operators or operands. */
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

/** Raises at one input or parameter too many. */
export function checkLeaves(leaves: number, span: Span, context: Context): void {
  if (leaves < leafLimit) return;
  const message = `the program has more than ${leafLimit} inputs and parameters`;
  context.raise("RuntimeError", message, span, { code: "document/too-many-tensors" });
}

/** Raises at one registered function too many. */
export function checkRegistered(registered: number, span: Span, context: Context): void {
  if (registered < registeredLimit) return;
  const message = `the program registers more than ${registeredLimit} operators`;
  context.raise("RuntimeError", message, span, { code: "document/too-many-registered" });
}

/** Raises at a call with too many results. */
export function checkResults({ op, span }: LimitedCall, results: number, context: Context): void {
  if (results <= maxResults) return;
  const message = `"${op}" has more than ${maxResults} results`;
  context.raise("RuntimeError", message, span, { code: "document/too-many-results" });
}

/** Raises at a call with a result of too many dims. */
export function checkRanks(
  { op, span }: LimitedCall,
  shapes: readonly (readonly unknown[])[],
  context: Context,
): void {
  if (shapes.every((shape) => shape.length <= rankLimit)) return;
  const message = `the result of "${op}" has more than ${rankLimit} dims`;
  context.raise("ValueError", message, span, { code: "document/too-many-dims" });
}
