import type { Span } from "#core/diagnostics";
import { hostFunction, numberOf } from "#language/document/bindings/values";
import type { TracedTensor } from "#language/document/trace";
import type { Argument, HostFunction, Value } from "#language/python";
import type { SimpleFunction } from "../functions/index.ts";
import type { Primitives } from "./primitives.ts";

/**
 * A function of one or two operands, compiled to a single primitive. Raises TypeError for operands
 * and keywords that the primitive does not accept.
 */
export function simpleCall(
  name: string,
  { primitive, withNumber, tensors }: SimpleFunction,
  primitives: Primitives,
  tensorOf: (value: Value | undefined) => TracedTensor | undefined,
): HostFunction {
  return hostFunction(name, (args, context, span) => {
    const odd = args.find(
      ({ name: key }) => key !== undefined && !operandNames.has(key) && !settings.has(key),
    );
    if (odd !== undefined) {
      const message = `${name}() got an unexpected keyword argument '${odd.name}'`;
      return context.raise("TypeError", message, odd.span);
    }
    const operands = operandsIn(args);
    if (operands.slice(0, tensors ?? 0).some((each) => numberOf(each) !== undefined)) {
      const message = `Failed calling ${primitive}: it takes tensors, but got a number`;
      return context.raise("TypeError", message, span);
    }
    const odds = operands.find(({ kind }) => noOperands.has(kind));
    if (odds !== undefined) {
      const message = `Failed calling ${primitive}: it takes tensors and numbers, but got ${context.text(odds)}`;
      return context.raise("TypeError", message, span);
    }
    const isScaled = numberOf(operands[1]) !== undefined;
    const chosen =
      isScaled && tensorOf(operands[0]) !== undefined ? (withNumber ?? primitive) : primitive;
    return context.call(primitives.plain(chosen), placedAt(operands, span), span);
  });
}

/** Parameter names of a second operand. */
const seconds: ReadonlySet<string> = new Set(["other", "y", "exponent", "mat2", "batch2", "bias"]);

/** Parameter names of operands, for functions of one or two operands. */
const operandNames: ReadonlySet<string> = new Set([
  ...seconds,
  ...["input", "x", "input_x", "self", "a", "tensor", "batch1", "logits"],
]);

/** Kinds of values that no function of one or two tensors accepts. */
const noOperands: ReadonlySet<Value["kind"]> = new Set(["none", "str", "list", "tuple", "dict"]);

/** Keyword names that are no operands. */
const settings: ReadonlySet<string> = new Set([
  "approximate",
  "inplace",
  "dtype",
  "rtol",
  "atol",
  "equal_nan",
  "tolerance",
]);

/** The first one or two operands of a call, by position or by name. */
function operandsIn(args: readonly Argument[]): readonly Value[] {
  const operands = args.filter(({ name }) => name === undefined || !settings.has(name));
  const second = operands.find(({ name }) => name !== undefined && seconds.has(name));
  const first = operands.filter((each) => each !== second);
  return [...first.slice(0, second === undefined ? 2 : 1), ...(second ? [second] : [])].map(
    ({ value }) => value,
  );
}

function placedAt(operands: readonly Value[], span: Span): readonly Argument[] {
  return operands.map((value) => ({ value, span }));
}
