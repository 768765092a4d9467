import type { Operand, Operator } from "#core/ir";
import { isSplittable, splittableAxes } from "#core/plan";
import { fieldOf } from "#core/records";

/** A rule of a system that forbids a split: what it says, where it stands, what it leaves open. */
export interface ForbiddingRule {
  readonly rule: string;
  /** The document of the system, and the section. */
  readonly source: string;
  readonly allowed: string;
}

/** The rule as one sentence, to stand behind what went wrong. */
export function ruleSentence({ rule, source, allowed }: ForbiddingRule): string {
  return `${rule} (${source}): ${allowed}.`;
}

/** The page of MindSpore's documentation that lists what each operator takes. */
const constraints = "Usage Constraints During Operator Parallel";

const alike = "aligned dims are cut alike, and a dim of size 1 is not cut";
const alongAxis = "what it normalises along stays whole";

const mindsporeRules: Readonly<Record<string, string>> = {
  MatMul: "The summed dim is cut alike in both inputs",
  BatchMatMul: "The summed dim and the batch dims are cut alike in both inputs",
  MatMulExt: "The summed dim is cut alike in both inputs",
  BiasAdd: "The bias is cut as the last dim of the first input",
  Softmax: `Of Softmax ${alongAxis}`,
  LogSoftmax: `Of LogSoftmax ${alongAxis}`,
  LayerNorm: "Dims from begin_norm_axis on stay whole, and with them gamma and beta",
  RmsNorm: "The dims that it normalises over stay whole, and with them gamma",
  Gather: "Where the gathered axis is cut, the indices stay whole and no device is left over",
  Reshape: "Reshape follows the operators before and behind it",
  Transpose: "Every dim may be cut in equal pieces; the result follows the permutation",
  TensorScatterUpdate: "Dims that the indices point into stay whole, and the indices too",
  Concat: "The dim that is joined stays whole",
  Split: "The dim that is taken apart stays whole",
  Tile: "On a dim that is repeated a number cuts the repetitions, and a Layout leaves it whole",
};

const binaries = /^(Add|Sub|Mul|Div|RealDiv|Maximum|Minimum|Pow|FloorDiv|Equal|Greater|Less)$/u;

/** MindSpore's rule for an operator, by what its refusal says. */
export function mindsporeRule(operator: Operator, message: string): ForbiddingRule | undefined {
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
  const found = Object.hasOwn(mindsporeRules, op) ? fieldOf(mindsporeRules, op) : undefined;
  const rule = found ?? (isBinary ? `Of ${op} ${alike}` : undefined);
  return rule === undefined ? undefined : { rule, source: `${constraints}, ${op}`, allowed };
}

/** nnScaler's rule that keeps an identifier of an operator whole, by its annotation. */
export function annotationRule(operator: Operator, identifier: string): ForbiddingRule | undefined {
  const axis = operator.axes.find(({ name }) => name === identifier);
  const isOwn = operator.entry === undefined;
  const allowed = `${allowedText(operator)}${isOwn ? ", others only by a transform rule" : ""}`;
  const bracket = bracketWith(operator, identifier);
  if (/^\d+$/u.test(identifier)) {
    const rule = `"${identifier}" is a number, which stands for a fixed size and is never cut`;
    return { rule, source: "Dimops, Identifiers", allowed };
  }
  if (bracket !== undefined && bracket.find((name) => name !== "1") !== identifier) {
    const rule = `"${identifier}" is not the first of its bracket "(${bracket.join(" ")})"`;
    return { rule, source: "Dimops, Hidden dimension", allowed };
  }
  if (axis?.reduction !== "^") return undefined;
  const rule = `"^" keeps "${identifier}" whole`;
  return { rule, source: "Dimops, Reductions", allowed };
}

/** The rule that keeps a dim of an operand whole; none where it may be cut. */
export function ruleOfDim(
  operator: Operator,
  operand: Operand,
  dim: number,
): ForbiddingRule | undefined {
  const { identifiers = [], splittable } = operand.dims[dim] ?? {};
  if (splittable !== undefined && isSplittable(operator, splittable)) return undefined;
  if (operator.reducesInside) return mindsporeRule(operator, "");
  if (operator.entry !== undefined) return undefined;
  const [first] = identifiers.filter((name) => name !== "1");
  const identifier = first ?? identifiers[0];
  return identifier === undefined ? undefined : annotationRule(operator, identifier);
}

function bracketWith({ inputs, outputs }: Operator, name: string): readonly string[] | undefined {
  const dims = [...inputs, ...outputs].flatMap((operand) => operand.dims);
  const brackets = dims.map(({ identifiers }) => identifiers).filter(({ length }) => length > 1);
  const isLater = (identifiers: readonly string[]) =>
    identifiers.find((each) => each !== "1") !== name && identifiers.includes(name);
  return brackets.find(isLater) ?? brackets.find((identifiers) => identifiers.includes(name));
}

/** `"m" and "n" of "y" may be split`. */
function allowedText(operator: Operator): string {
  const names = splittableAxes(operator);
  const quoted = names.map((name) => `"${name}"`);
  if (quoted.length === 0) return `no dim of "${operator.name}" may be split`;
  const last = quoted.at(-1);
  const list = quoted.length === 1 ? last : `${quoted.slice(0, -1).join(", ")} and ${last}`;
  return `${list} of "${operator.name}" may be split`;
}
