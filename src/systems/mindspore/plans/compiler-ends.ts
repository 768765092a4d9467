import { greatestCommonDivisor } from "#core/arithmetic";
import type { Diagnostic, Span } from "#core/diagnostics";
import type { Trace, TracedOperator } from "#language/document/trace";
import { constantResults } from "../emitted/constants.ts";
import { lostParameters } from "../emitted/lost-parameters.ts";
import { primitiveName } from "../emitted/primitive-name.ts";
import { piecesWithoutRule } from "../primitives/index.ts";
import { modelCall } from "./model-call.ts";
import { isSemiAuto, parallelSetting } from "./parallel-mode.ts";

/**
 * Views that MindSpore 2.10 refuses: it reads a view after what else reads memory before it, in an
 * order that it keeps by an operand of its own. Where it splits dim 0 of what the view reads, it leaves
 * that operand out; where it leaves the view whole, it takes it for a tensor, and ends.
 */
export function lateViews(trace: Trace, devices: number): readonly Diagnostic[] {
  if (!isSemiAuto(trace) || parallelSetting(trace)?.devices === undefined) return [];
  const read = new Set<TracedOperator["inputs"][number]>();
  const ordered = new Set<unknown>();
  for (const traced of trace.operators) {
    const op = primitiveName(traced);
    const [x] = traced.inputs;
    const net = trace.moduleOf?.(traced)?.called;
    const isView = op.endsWith("View");
    const isLate = ordered.has(net) || (x?.kind === "tensor" && x.role === "input" && read.has(x));
    const call = isView && isLate ? modelCall({ ...traced, op }, devices) : undefined;
    const isWhole = call !== undefined && piecesWithoutRule(call, devices) < 2;
    if (isWhole || turnsByWholeViews(traced, devices)) return [lateView(op, traced)];
    if (isView || traced.inputs.some(isParameter)) ordered.add(net);
    for (const input of traced.inputs) read.add(input);
  }
  return [];
}

function isParameter(input: TracedOperator["inputs"][number]): boolean {
  return input.kind === "tensor" && input.role === "parameter" && input.producer === undefined;
}

/**
 * Whether `einsum` contracts two operands of other letters, which it turns by views with the letters of
 * the result in front: one that lacks the first of them has a 1 there.
 */
function turnsByWholeViews({ op, attributes, inputs }: TracedOperator, devices: number): boolean {
  const { equation } = attributes ?? {};
  if (op !== "einsum" || typeof equation !== "string" || inputs.length !== 2) return false;
  const [given = "", result = ""] = equation.replaceAll(/\s/gu, "").split("->");
  const [left = [], right = []] = given.split(",").map(lettersIn);
  const isBoth = (letter: string) => left.includes(letter) && right.includes(letter);
  const [first] = lettersIn(result);
  const contracts = left.some((letter) => isBoth(letter) && !result.includes(letter));
  if (!contracts || first === undefined || [...left, ...right].every(isBoth)) return false;
  const [x] = inputs;
  const length = x?.kind === "tensor" ? x.shape?.[left.indexOf(first)] : undefined;
  return !isBoth(first) || (typeof length === "number" && length % devices !== 0);
}

function lettersIn(text: string): readonly string[] {
  return text.match(/\.{3}|\w/gu) ?? [];
}

function lateView(op: string, { span }: TracedOperator): Diagnostic {
  const what = op === "einsum" ? "one of the views by which it turns its operands" : "it";
  const message = `MindSpore 2.10 refuses "${op}": ${what} is whole on every device, since they do not divide its dim 0, and comes behind a parameter or another view; its compiler ends there ("Infer input tensor layout failed")`;
  const [code, severity, upstream] = ["mindspore/late-view", "error", "RuntimeError"] as const;
  return { code, severity, message, upstream, span };
}

/**
 * Normalisations without a strategy whose default one MindSpore 2.10 itself refuses: it cuts dim 0, from
 * which on a LayerNorm normalises, or which a RmsNorm has weights for.
 */
export function splitNorms(trace: Trace, devices: number): readonly Diagnostic[] {
  if (!isSemiAuto(trace) || parallelSetting(trace)?.devices === undefined) return [];
  const found = trace.operators.find((traced) => {
    const [x, gamma] = traced.inputs;
    if (traced.strategy !== undefined || x?.kind !== "tensor" || gamma?.kind !== "tensor")
      return false;
    const rank = x.shape?.length ?? 0;
    const rows = x.shape?.[0];
    if (typeof rows !== "number" || greatestCommonDivisor(rows, devices) < 2) return false;
    const { begin_norm_axis: begin = 1 } = traced.primitive?.arguments ?? {};
    const op = primitiveName(traced);
    if (op === "LayerNorm" && (begin === 0 || (rank === 1 && begin === -1))) return true;
    return /^(Layer|Rms)Norm$/u.test(op) && gamma.shape?.length === rank && rank > 0;
  });
  if (found === undefined) return [];
  const op = primitiveName(found);
  const message = `MindSpore 2.10 refuses "${op}": without a strategy it cuts dim 0 of the input, which this normalises or has weights for (operator init failed)`;
  const [code, severity, upstream] = [
    "mindspore/strategy-refused",
    "error",
    "RuntimeError",
  ] as const;
  return [{ code, severity, message, upstream, span: found.span }];
}

/**
 * What MindSpore 2.10 ends at under a parallel mode: a net that gives nothing but constants, and a
 * parameter that nothing reads any more once constants are worked out.
 */
export function constantNets(trace: Trace, source: string): readonly Diagnostic[] {
  if ((parallelSetting(trace)?.devices ?? 1) < 2) return [];
  const given = constantResults(trace).map(({ span }) =>
    keyNotFound("this net: it works out all that it gives while it compiles, a constant", span),
  );
  return given.length > 0 ? given : unreadParameters(trace, source);
}

function unreadParameters(trace: Trace, source: string): readonly Diagnostic[] {
  const [lost] = lostParameters(trace, source);
  if (lost === undefined) return [];
  const { parameter, span } = lost;
  const name =
    parameter.name === undefined ? "a parameter" : `the parameter "${parameter.name.text}"`;
  const what = `this: of what ${name} is used for, only a shape or a data type is left, or ones like it, which it works out while it compiles: then nothing reads it`;
  return [keyNotFound(what, span)];
}

function keyNotFound(what: string, span: Span): Diagnostic {
  const message = `MindSpore 2.10 refuses ${what}; under a parallel mode its compiler ends there ("key not found")`;
  return {
    ...{ code: "mindspore/constant-result", severity: "error" },
    ...{ message, upstream: "RuntimeError", span },
  } as const;
}
