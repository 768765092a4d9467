import type { Span } from "#core/diagnostics";
import type { Expression, FunctionNode } from "#language/python";
import { readingsOf } from "./defined-names.ts";
import type { FoldedTest } from "./folded-tests.ts";
import { namesRead, partsOf } from "./read-names.ts";
import type { SyntaxFault } from "./syntax-faults.ts";

/** The kind of a cell's attribute, as far as checks of a graph depend on it. */
export type HeldKind = "parameter" | "tensor" | "method" | "other" | "nothing";

/** The context of a function that a graph compiles. */
export interface WordsAround {
  readonly folded: (test: Expression) => FoldedTest;
  readonly heldAs: (name: string) => HeldKind;
}

/** Methods of every Cell that no graph of MindSpore 2.10 can call. */
export const cellWords: ReadonlySet<string> = new Set([
  ...["cells", "name_cells", "cells_and_names", "get_parameters", "trainable_params"],
  ...["untrainable_params", "parameters_dict", "parameters_and_names"],
]);

/**
 * The first expression of a function that a graph of MindSpore 2.10 refuses; `undefined` without
 * one.
 */
export function wordFault(
  node: FunctionNode,
  { folded, heldAs }: WordsAround,
): SyntaxFault | undefined {
  const self = node.parameters[0]?.name ?? "";
  const given = new Set(node.parameters.slice(1).map(({ name }) => name));
  const { read, bound, empty } = readingsOf(node, folded);
  const late = read.flatMap(namesRead).find(({ name }) => empty.includes(name));
  if (late !== undefined)
    return refused(`"${late.name}" stands behind a starred name, and has no value`, late.span);
  for (const target of bound.flatMap(targetsIn)) {
    const fault = setFault(target, self, heldAs);
    if (fault !== undefined) return fault;
  }
  for (const expression of read) {
    const fault = faultIn(expression, self, given, heldAs);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function faultIn(
  expression: Expression,
  self: string,
  given: ReadonlySet<string>,
  heldAs: WordsAround["heldAs"],
): SyntaxFault | undefined {
  if (expression.kind === "binary") {
    const foreign = [expression.left, expression.right].find(isForeignNumber);
    if (foreign !== undefined)
      return refused(
        "a graph of MindSpore does not take whole numbers of 32 bits from numpy",
        foreign.span,
      );
  }
  const own =
    expression.kind === "call"
      ? callFault(expression, self, given, heldAs)
      : expression.kind === "attribute" && expression.name === "__dict__"
        ? refused("a graph of MindSpore reads no __dict__", expression.span)
        : undefined;
  if (own !== undefined) return own;
  for (const part of partsOf(expression)) {
    const found = faultIn(part, self, given, heldAs);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Whether an expression is `np.int32(2)` or similar, which a graph takes for a Python object;
 * numpy's other number types are accepted.
 */
function isForeignNumber(expression: Expression): boolean {
  if (expression.kind !== "call" || expression.callee.kind !== "attribute") return false;
  const { object, name } = expression.callee;
  const isNumpy = object.kind === "name" && /^(np|numpy)$/u.test(object.name);
  return isNumpy && /^(u?int32|u?intc|longlong)$/u.test(name);
}

function callFault(
  { callee, args, span }: Extract<Expression, { kind: "call" }>,
  self: string,
  given: ReadonlySet<string>,
  heldAs: WordsAround["heldAs"],
): SyntaxFault | undefined {
  if (callee.kind === "attribute") {
    if (callee.name === "__call__")
      return refused("a graph of MindSpore calls a cell by its name, not by __call__", span);
    const isCellWord = isOwn(callee, self) && cellWords.has(callee.name);
    return isCellWord && heldAs(callee.name) !== "method"
      ? refused(`a graph of MindSpore does not call ${callee.name}() of a Cell`, span)
      : undefined;
  }
  if (callee.kind !== "name") return undefined;
  const [first] = args;
  const values = args.map(({ value }) => value);
  if (callee.name === "type" && args.length === 1 && first !== undefined)
    return isTensor(first.value, self, given, heldAs)
      ? refused("a graph of MindSpore has no type() of a tensor", span)
      : undefined;
  const isOfTensors = values.some((value) => namesRead(value).some(({ name }) => given.has(name)));
  return callee.name === "dict" && isOfTensors
    ? refused("a graph of MindSpore takes no dict(…) of tensors: write { … }", span)
    : undefined;
}

/** The single targets of an assignment. */
function targetsIn(target: Expression): readonly Expression[] {
  return target.kind === "tuple" || target.kind === "list"
    ? target.items.flatMap(targetsIn)
    : [target];
}

/** The fault of `self.name = …`, which a graph accepts only for a parameter. */
function setFault(
  target: Expression,
  self: string,
  heldAs: WordsAround["heldAs"],
): SyntaxFault | undefined {
  if (target.kind !== "attribute" || !isOwn(target, self)) return undefined;
  if (heldAs(target.name) === "parameter") return undefined;
  const message = `under a parallel mode a graph of MindSpore sets no attribute of a cell but a parameter, which "${target.name}" is not`;
  return refused(message, target.span);
}

function isOwn({ object }: Extract<Expression, { kind: "attribute" }>, self: string): boolean {
  return object.kind === "name" && object.name === self;
}

function isTensor(
  expression: Expression,
  self: string,
  given: ReadonlySet<string>,
  heldAs: WordsAround["heldAs"],
): boolean {
  if (expression.kind === "name") return given.has(expression.name);
  if (expression.kind !== "attribute" || !isOwn(expression, self)) return false;
  return ["parameter", "tensor"].includes(heldAs(expression.name));
}

function refused(message: string, span: Span): SyntaxFault {
  return { message, upstream: "RuntimeError", span };
}
