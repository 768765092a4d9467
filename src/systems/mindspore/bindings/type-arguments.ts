import { parseDType } from "#core/ir";
import type { Argument, Context, Value } from "#language/python";

/** Functions whose second argument is a data type. */
const typedSecond: ReadonlySet<string> = new Set(["cast", "Cast", "ones", "zeros"]);

/**
 * Tensor methods whose first argument is a data type; neither strings nor Python types are
 * accepted.
 */
const typedFirst: ReadonlySet<string> = new Set(["to"]);

/** Functions that also accept a data type as a string or a Python type. */
const takesText: ReadonlySet<string> = new Set(["astype", "type"]);

/** Kinds of values that are never a data type. */
const noTypes: ReadonlySet<Value["kind"]> = new Set([
  ...(["none", "int", "float", "bool", "tuple", "list", "dict"] as const),
  ...(["function", "host-function", "method", "module"] as const),
]);

function checkText(name: string, [given]: readonly Argument[], context: Context): void {
  if (given === undefined || name !== "astype") return;
  const { value, span } = given;
  const isNone = value.kind === "str" && parseDType(value.value) === undefined;
  const isOther = isNone && /^["']/u.test(context.source.slice(span.from, span.to));
  const isNoType = noTypes.has(value.kind);
  const isOtherClass = value.kind === "class" && !/^(int|float|bool|complex)$/u.test(value.name);
  const isOfNumpy = /^(np|numpy)\.dtype\(/u.test(context.source.slice(span.from, span.to));
  if (isOther || isNoType || isOtherClass || isOfNumpy)
    context.raise("TypeError", `astype takes a data type, not ${context.text(value)}`, span);
}

/**
 * Raises TypeError for a data type that a graph of MindSpore 2.10 refuses: a string, `float`, a
 * numpy type or a number instead of `mindspore.float16` or another type of MindSpore.
 */
export function checkTypes(name: string, args: readonly Argument[], context: Context): void {
  const at = typedFirst.has(name) ? 0 : typedSecond.has(name) ? 1 : -1;
  if (takesText.has(name)) {
    checkText(name, args, context);
    return;
  }
  const given = args.find((each, index) => each.name === "dtype" || index === at);
  const kind = given && notOfMindspore(given, context.source, given.name === undefined);
  if (given === undefined || kind === undefined) return;
  const message = `${name} takes a data type of MindSpore in a graph, as mindspore.float16, not ${kind}`;
  context.raise("TypeError", message, given.span);
}

/**
 * Describes an argument given as a data type that is none of MindSpore's; `undefined` if it is
 * valid.
 */
function notOfMindspore(
  { value, span }: Argument,
  source: string,
  isPlaced: boolean,
): string | undefined {
  const written = source.slice(span.from, span.to).replace(/^dtype\s*=\s*/u, "");
  if (/^(np|numpy)\.\w+$/u.test(written)) return `numpy's ${written}`;
  switch (value.kind) {
    case "class":
      return /^(int|float|bool|complex)$/u.test(value.name) ? `Python's ${value.name}` : undefined;
    case "int":
    case "float":
      return "a number";
    case "none":
      return isPlaced ? "None" : undefined;
    case "str":
      return /^["']/u.test(written) ? `the text ${written}` : undefined;
    default:
      return undefined;
  }
}
