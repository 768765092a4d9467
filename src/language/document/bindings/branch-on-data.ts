import type { Span } from "#core/diagnostics";
import type { Context } from "#language/python";
import type { PlainOperand, TracedTensor } from "../trace/traced.ts";
import { elementInText, knownElements, numberOfPlain } from "./known-elements.ts";
import { onlyRaises } from "./only-raises.ts";

/** Says that a number is one of a tensor's values, where a count or a place is wanted. */
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

/** Numbers that are drawn evenly between 0 and 1 when the program runs. */
type Draws = Pick<WeakSet<TracedTensor>, "has">;

/** The mean of what is drawn. */
const meanDraw = 0.5;

/**
 * The result of a comparison of two numbers that stand in the text. A random number is read as its
 * mean, which is reported: a layer that is left out once in ten times is drawn.
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

/** Whether the one number of a tensor is not 0, where it follows from the text. */
function isKnownTrue(tensor: TracedTensor | undefined): boolean | undefined {
  const known = knownElements(tensor);
  return known?.isExact === true && known.values.length === 1 ? known.values[0] !== 0 : undefined;
}

/** The number of an operand that has one: in the text, or the mean of one that is drawn. */
function numberIn(operand: TracedTensor | PlainOperand, draws: Draws): number | undefined {
  if (operand.kind === "plain") return numberOfPlain(operand);
  return isOneDrawn(operand, draws) ? meanDraw : elementInText(operand);
}

function isOneDrawn(tensor: TracedTensor, draws: Draws): boolean {
  const { shape = [1], isWritten } = tensor;
  return draws.has(tensor) && isWritten !== true && shape.every((size) => size === 1);
}
