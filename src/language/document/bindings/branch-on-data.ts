import type { Span } from "#core/diagnostics";
import type { Context } from "#language/python";
import type { PlainOperand, TracedTensor } from "../trace/traced.ts";
import { elementInText, knownElements, numberOfPlain } from "./known-elements.ts";
import { onlyRaises } from "./only-raises.ts";

/**
 * Reports that a number depends on a tensor's values where a count or an index is needed; it is
 * read as 0.
 */
export function sayCountOfData(context: Context, span: Span): void {
  context.report({
    code: "document/unknown-value",
    severity: "warning",
    message:
      "this number depends on the values of a tensor, which a graph does not have: read as 0",
    span,
  });
}

/** Reports that the shape of a result depends on the values of a tensor. */
export function saySizeOfData(context: Context, span: Span): void {
  context.report({
    code: "document/unknown-value",
    severity: "warning",
    message:
      "a size depends on the values of a tensor, which a graph does not have: the result, and what follows from it, has no known shape",
    span,
  });
}

/**
 * Whether a condition on the values of a tensor is read as true, since a graph has no values. The
 * assumption is reported once per line. A loop that runs while the condition holds is left out,
 * since it might not end; for an `assert` the report is a note, and `assert not` is taken to hold
 * too. A branch that only raises an error is not taken.
 *
 * @param said lines that are reported already
 */
export function sayBranch(context: Context, span: Span, said: Set<number>): boolean {
  const start = context.source.lastIndexOf("\n", span.from - 1) + 1;
  const before = context.source.slice(start, span.from);
  const word = /^\s*(\w+)/.exec(before)?.[1];
  const isLoop = word === "while";
  const isNegated = /\bnot\s*\(*$/.test(before) || /^not\b/.test(context.source.slice(span.from));
  const isMetByFalse = word === "assert" && isNegated;
  const isRefusal = onlyRaises(context.source, span);
  const isRead = isRefusal ? isNegated : !isLoop || isNegated;
  const holds = !isMetByFalse && isRead;
  if (span.from < 0 || said.has(start)) return holds;
  said.add(start);
  const way = isRefusal ? "the condition did not hold" : "the condition held";
  const read = isLoop ? "the loop is left out" : `it is read as if ${way}`;
  context.report({
    code: "document/branch-on-data",
    severity: word === "assert" ? "info" : "warning",
    message: `this depends on the values of a tensor, which a graph does not have: ${read}`,
    span,
  });
  return holds;
}

const comparisons: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  less: (a, b) => a < b,
  less_equal: (a, b) => a <= b,
  greater: (a, b) => a > b,
  greater_equal: (a, b) => a >= b,
  equal: (a, b) => a === b,
  ne: (a, b) => a !== b,
};

/** Tensors of random numbers, uniform in [0, 1) at run time. */
type Draws = Pick<WeakSet<TracedTensor>, "has">;

/** Mean of a uniform random number. */
const meanDraw = 0.5;

/**
 * Result of comparing two numbers known in the text; `undefined` when one is not. A random number
 * is read as its mean, and that is reported: a layer skipped once in ten times is drawn.
 */
export function knownCondition(
  tensor: TracedTensor | undefined,
  draws: Draws,
  say: (message: string) => void,
): boolean | undefined {
  const { op = "", inputs = [] } = tensor?.producer ?? {};
  const compare = Object.hasOwn(comparisons, op) ? comparisons[op] : undefined;
  const [a, b] = inputs.map((each) => numberIn(each, draws));
  if (compare === undefined || a === undefined || b === undefined) return isKnownTrue(tensor);
  if (inputs.some((each) => each.kind === "tensor" && draws.has(each)))
    say("this depends on a number that is drawn at random: it is read as its mean, 0.5");
  return compare(a, b);
}

/**
 * Whether a one-element tensor of known value is nonzero; `undefined` when the value is not known
 * exactly.
 */
function isKnownTrue(tensor: TracedTensor | undefined): boolean | undefined {
  const known = knownElements(tensor);
  return known?.isExact === true && known.values.length === 1 ? known.values[0] !== 0 : undefined;
}

/**
 * Number of an operand: known in the text, or the mean of one random draw. Otherwise `undefined`.
 */
function numberIn(operand: TracedTensor | PlainOperand, draws: Draws): number | undefined {
  if (operand.kind === "plain") return numberOfPlain(operand);
  return isOneDrawn(operand, draws) ? meanDraw : elementInText(operand);
}

function isOneDrawn(tensor: TracedTensor, draws: Draws): boolean {
  const { shape = [1], isWritten } = tensor;
  return draws.has(tensor) && isWritten !== true && shape.every((size) => size === 1);
}
