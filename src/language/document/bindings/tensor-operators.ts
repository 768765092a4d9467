// Python operators on tensors: one library operator each, or several inside a function's body.

import type { Span } from "#core/diagnostics";
import { library } from "#core/ir";
import { fieldOf } from "#core/records";
import type { Context, HostObject, Value } from "#language/python";
import { isComplex } from "#language/python";
import { assumedOf, unknownFact } from "./assumed.ts";
import { isBoolean } from "./boolean-tensors.ts";
import { sayComplex } from "./complex-type.ts";
import type { TensorCalls } from "./tensor-calls.ts";
import { integer, itemsOf, none, numberOf } from "./values/values.ts";

const binaryOperators: Readonly<Record<string, string>> = {
  "+": "add",
  "-": "sub",
  "*": "mul",
  "/": "div",
  "@": "matmul",
  "**": "pow",
  "<": "less",
  "<=": "less_equal",
  ">": "greater",
  ">=": "greater_equal",
  "==": "equal",
};

/** Python operators that are tensor methods without a fixed library entry. */
const functionNames: Readonly<Record<string, string>> = {
  "!=": "not_equal",
  "//": "floor_divide",
  "%": "remainder",
  "&": "bitwise_and",
  "|": "bitwise_or",
  "^": "bitwise_xor",
  "<<": "bitwise_left_shift",
  ">>": "bitwise_right_shift",
};

/** Comparison with a non-tensor, such as `x == None` or `x == "a"`, which is not elementwise. */
export function isQuestion(operator: string, other: Value, words: TensorCalls): boolean {
  if (operator !== "==" && operator !== "!=") return false;
  if (assumedOf(other) !== undefined) return false;
  return words.tensorOf(other) === undefined && numberOf(other) === undefined;
}

/**
 * Whether a value is no legal operand of a tensor operator (`x + None`, `x * "a"`). A list is
 * illegal where the text's system refuses lists, unless the tensor came from `tolist`.
 */
export function isNoOperand(value: Value, words: TensorCalls, self: HostObject): boolean {
  if (itemsOf(value) === undefined) return noOperands.has(value.kind);
  const tensor = words.tensorOf(self);
  if (words.isInBody || tensor?.isUnknown === true || words.extra(self, "tolist")) return false;
  const args = [{ value, span: { from: 0, to: 0 } }];
  return words.systems.refused("add", args, words, self) !== undefined;
}

const noOperands: ReadonlySet<Value["kind"]> = new Set([
  ...(["none", "str", "dict", "set", "slice", "ellipsis", "module"] as const),
  ...(["function", "host-function", "method", "class"] as const),
]);

/** Result of `a op b`; inside a function's body it may take several library operators. */
export function operated(
  words: TensorCalls,
  operator: string,
  pair: readonly [Value, Value],
  context: Context,
  span: Span,
): Value | undefined {
  if (pair.some(isComplex)) sayComplex("what is computed with one", context, span);
  const name = fieldOf(binaryOperators, operator);
  const made =
    name === undefined
      ? composed(words, operator, pair, context, span)
      : applied(words, name, pair, context, span);
  const isNumber = pair.every((each) => words.isScalar(each) || numberOf(each) !== undefined);
  return isNumber && made?.kind === "host" ? words.scalar(made) : made;
}

/** `-x`, `+x`, `~x`, `abs(x)`, `round(x)`: of a number that a tensor gave it is one again. */
export function unaryOf(
  words: TensorCalls,
  self: HostObject,
  operator: string,
  context: Context,
  span: Span,
): Value | undefined {
  if (operator === "+") return self;
  const name = operator === "-" ? "neg" : operator;
  const made = library.has(name)
    ? applied(words, name, [self], context, span)
    : composed(words, operator, [self, self], context, span);
  return words.isScalar(self) && made?.kind === "host" ? words.scalar(made) : made;
}

/**
 * Python operators composed of library ones; `&`, `|`, `~` on booleans become logical operators.
 */
function composed(
  words: TensorCalls,
  operator: string,
  [a, b]: readonly [Value, Value],
  context: Context,
  span: Span,
): Value | undefined {
  if (operator === "round") return words.function("round", [a], context, span);
  const run = (name: string, ...operands: readonly Value[]): Value =>
    applied(words, name, operands, context, span) ?? none;
  const quotient = () => run("floor", run("div", a, b));
  const named = words.isInBody ? undefined : fieldOf(functionNames, operator);
  if (named !== undefined && library.has(named)) return run(named, a, b);
  if (named !== undefined) return words.function(named, [a, b], context, span);
  const isLogical = [a, b].every((each) => {
    const tensor = words.tensorOf(each);
    return tensor !== undefined && isBoolean(tensor);
  });
  if (operator === "~" && isLogical) return run("logical_not", a);
  if (operator === "~" && !words.isInBody) return words.function("bitwise_not", [a], context, span);
  switch (operator) {
    case "!=":
      return run("sub", integer(1), run("equal", a, b));
    case "//":
      return quotient();
    case "%":
      return run("sub", a, run("mul", quotient(), b));
    case "&":
    case "|":
      if (isLogical) return run(operator === "&" ? "minimum" : "maximum", a, b);
      break;
  }
  words.refuse(`it uses "${operator}" on a tensor`, context, span);
  return undefined;
}

function applied(
  words: TensorCalls,
  name: string,
  operands: readonly Value[],
  context: Context,
  span: Span,
): Value | undefined {
  const entry = library.get(name);
  const args = operands.map((value) => ({
    value: name === "matmul" ? value : number(value),
    span,
  }));
  return entry && words.call(entry, { op: name, reducesInside: false }, args, context, span);
}

/** An unknown setting such as `config.eps` beside a tensor counts as a number, not an input. */
function number(value: Value): Value {
  const { name, isStandIn } = assumedOf(value) ?? {};
  return isStandIn === true && name?.includes(".") === true ? unknownFact(name) : value;
}
