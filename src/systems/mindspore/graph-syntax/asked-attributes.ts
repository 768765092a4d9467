import type { Span } from "#core/diagnostics";
import type { Expression, FunctionNode } from "#language/python";
import { readingsOf } from "./defined-names.ts";
import type { FoldedTest } from "./folded-tests.ts";
import { partsOf } from "./read-names.ts";

/** An attribute `self.w` in `len(self.w)`, `isinstance(self.w, …)` or `self.w is None`. */
interface AskedName {
  readonly name: string;
  readonly span: Span;
}

/**
 * The attributes of a cell that a function reads only in this way, in the statements that the
 * parser keeps.
 */
export function attributesAsked(
  node: FunctionNode,
  self: string,
  folded: (test: Expression) => FoldedTest,
): readonly AskedName[] {
  return readingsOf(node, folded).read.flatMap((each) => askedIn(each, self));
}

function askedIn(expression: Expression, self: string): readonly AskedName[] {
  return [
    ...askedAt(expression).flatMap((each) => ownName(each, self)),
    ...partsOf(expression).flatMap((part) => askedIn(part, self)),
  ];
}

/** The operands of `len(x)`, `isinstance(x, …)` and `x is None` in an expression. */
function askedAt(expression: Expression): readonly Expression[] {
  if (expression.kind === "call") {
    const { callee, args } = expression;
    const isWord = callee.kind === "name" && /^(len|isinstance)$/u.test(callee.name);
    return isWord && args[0] !== undefined ? [args[0].value] : [];
  }
  if (expression.kind !== "compare") return [];
  const isNone = expression.rest.every(
    ({ operator, right }) =>
      /^is( not)?$/u.test(operator) && right.kind === "constant" && right.value.kind === "none",
  );
  return isNone ? [expression.first] : [];
}

function ownName(expression: Expression, self: string): readonly AskedName[] {
  if (expression.kind !== "attribute") return [];
  const { object, name, span } = expression;
  return object.kind === "name" && object.name === self ? [{ name, span }] : [];
}
