import type { Diagnostic } from "#core/diagnostics";
import type { Operator } from "#core/ir";
import { fieldOf } from "#core/records";
import type { Document } from "#language/document";
import { allowedText, type ForbiddingRule, type SystemRules } from "#systems/system";

/** MindSpore's rules that forbid a strategy, by operator. */
export const mindsporeRules: SystemRules = {
  behind: (document, _plan, diagnostic) => refused(document, diagnostic),
  ofDim: (operator) => (operator.reducesInside ? ruleOf(operator, "") : undefined),
};

function refused(
  { built }: Document,
  { code, message, span }: Diagnostic,
): ForbiddingRule | undefined {
  if (code !== "mindspore/strategy-refused" || span === undefined) return undefined;
  if (message.includes("Operator-level Parallelism")) return undefined;
  const found = [...built.operatorOf].find(
    ([{ strategy }]) => strategy !== undefined && within(span, strategy.span),
  );
  return found && ruleOf(found[1], message);
}

function within(
  inner: { readonly from: number; readonly to: number },
  outer: { readonly from: number; readonly to: number },
): boolean {
  return inner.from >= outer.from && inner.to <= outer.to;
}

/** Title of the page in MindSpore's documentation that lists each operator's constraints. */
const constraints = "Usage Constraints During Operator Parallel";

const alike = "aligned dims are cut alike, and a dim of size 1 is not cut";
const alongAxis = "what it normalises along stays whole";

const rules: Readonly<Record<string, string>> = {
  MatMul: "The summed dim is cut alike in both inputs",
  BatchMatMul: "The summed dim and the batch dims are cut alike in both inputs",
  MatMulExt: "The summed dim is cut alike in both inputs",
  BiasAdd: "The bias is cut as the last dim of the first input",
  Softmax: `Of Softmax ${alongAxis}`,
  LogSoftmax: `Of LogSoftmax ${alongAxis}`,
  LayerNorm: "Dims from begin_norm_axis on stay whole, and with them gamma and beta",
  RmsNorm: "Gamma is cut like the dims of x that it has",
  Gather: "Where the gathered axis is cut, the indices stay whole and no device is left over",
  Reshape: "Reshape follows the operators before and behind it",
  Transpose: "Every dim may be cut in equal pieces; the result follows the permutation",
  TensorScatterUpdate: "Dims that the indices point into stay whole, and the indices too",
  Concat: "The dim that is joined stays whole",
  Split: "The dim that is taken apart stays whole",
  Tile: "On a dim that is repeated a number cuts the repetitions, and a Layout leaves it whole",
};

const binaries = /^(Add|Sub|Mul|Div|RealDiv|Maximum|Minimum|Pow|FloorDiv|Equal|Greater|Less)$/u;

/** MindSpore's rule for an operator, chosen by the text of the refusal. */
function ruleOf(operator: Operator, message: string): ForbiddingRule | undefined {
  const { op } = operator;
  const allowed = allowedText(operator);
  if (/divided into|power of/u.test(message)) {
    const rule = "Every number of pieces divides its dim, and is a power of two";
    return { rule, source: "Operator-level Parallelism, Basic Principle", allowed };
  }
  if (/requires \d+ devices/u.test(message)) {
    const rule = "The pieces of all dims together divide the number of devices";
    return { rule, source: "Operator-level Parallelism, Basic Principle", allowed };
  }
  const isBinary = binaries.test(op);
  const found = Object.hasOwn(rules, op) ? fieldOf(rules, op) : undefined;
  const rule = found ?? (isBinary ? `Of ${op} ${alike}` : undefined);
  return rule === undefined ? undefined : { rule, source: `${constraints}, ${op}`, allowed };
}
