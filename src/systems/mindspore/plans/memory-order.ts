import type { Diagnostic } from "#core/diagnostics";
import type { Trace, TracedOperator } from "#language/document/trace";
import { heldInMemory, isView, isWrite, readsItself, unloaded } from "../emitted/memory-readers.ts";
import { netEnds } from "../emitted/net-ends.ts";
import { primitiveName } from "../emitted/primitive-name.ts";
import { readsShapeAlone } from "../emitted/transparent.ts";
import { piecesWithoutRule, withoutOwnRule } from "../primitives/index.ts";
import { modelCall } from "./model-call.ts";
import { isSemiAuto, parallelSetting } from "./parallel-mode.ts";

/**
 * Errors for views and in-place operators that MindSpore 2.10 refuses. It orders them after all
 * earlier memory accesses by an extra operand. If it splits dim 0 of their input, it ignores that
 * operand; if it leaves them whole, it takes it for a tensor, and fails.
 */
export function lateAccesses(trace: Trace, devices: number): readonly Diagnostic[] {
  if (!isSemiAuto(trace) || parallelSetting(trace)?.devices === undefined) return [];
  const held = heldInMemory(trace.operators);
  const { dead } = netEnds(trace);
  const ordered = new Set<unknown>();
  const loads = (op: string, traced: TracedOperator) =>
    !dead.has(traced) &&
    !readsShapeAlone(traced) &&
    !readsItself(op, traced) &&
    traced.inputs.some(
      (input) => input.kind === "tensor" && (isParameter(input) || held.has(unloaded(input))),
    );
  for (const traced of trace.operators) {
    const op = primitiveName(traced);
    if (op === "Load") continue;
    const net = trace.moduleOf?.(traced)?.called;
    const isAccess = isView(op) || isWrite(op);
    const isLate = isAccess && withoutOwnRule.has(op) && ordered.has(net);
    const call = isLate ? modelCall({ ...traced, op }, devices) : undefined;
    const isWhole = call !== undefined && piecesWithoutRule(call, devices) < 2;
    if (isWhole || turnsByWholeViews(traced, devices)) return [lateAccess(op, traced)];
    if (isAccess || loads(op, traced)) ordered.add(net);
  }
  return [];
}

/**
 * Warns of writes into a tensor made by zeros_like or ones_like if there is a second one like the
 * same tensor: it is not known which of their operands 2.10 redistributes and which it folds.
 */
export function writtenLikes(trace: Trace): readonly Diagnostic[] {
  if (!isSemiAuto(trace)) return [];
  const likes = trace.operators.filter((traced) =>
    /^(Zeros|Ones)Like(Ext)?$/.test(primitiveName(traced)),
  );
  const found = trace.operators.find((traced) => {
    const [into] = traced.inputs;
    const made =
      isWrite(primitiveName(traced)) && into?.kind === "tensor"
        ? unloaded(into).producer
        : undefined;
    return made !== undefined && likes.some((each) => each !== made && isLike(each, made));
  });
  if (found === undefined) return [];
  const message = `how MindSpore 2.10 sends what "${primitiveName(found)}" writes into is not known here: it is made like another tensor, and so is a second one`;
  return [{ code: "mindspore/no-rule", severity: "warning", message, span: found.span }];
}

function isLike(a: TracedOperator, b: TracedOperator): boolean {
  return primitiveName(a) === primitiveName(b) && a.inputs[0] === b.inputs[0];
}

function isParameter(input: TracedOperator["inputs"][number]): boolean {
  return input.kind === "tensor" && input.role === "parameter" && input.producer === undefined;
}

/**
 * Whether `einsum` contracts two operands with different letters, reordering dims by views that
 * stay whole: the result's letters come first, and an operand without the first of them has a dim
 * of 1 there.
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

function lateAccess(op: string, { span }: TracedOperator): Diagnostic {
  const what = op === "einsum" ? "one of the views by which it turns its operands" : "it";
  const message = `MindSpore 2.10 refuses "${op}": ${what} is whole on every device, since they do not divide its dim 0, and comes behind what else reads or writes memory, as a parameter, a view or an operator in place does; its compiler ends there ("Infer input tensor layout failed")`;
  const [code, severity, upstream] = ["mindspore/late-access", "error", "RuntimeError"] as const;
  return { code, severity, message, upstream, span };
}
