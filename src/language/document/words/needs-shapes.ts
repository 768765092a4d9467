import type { Argument } from "#language/python";
import { textOf } from "./values.ts";

/** Calls of operators of the library that take what the library does not have. */
export function needsShapes(name: string, args: readonly Argument[]): boolean {
  const named = (key: string) => args.find((each) => each.name === key)?.value;
  const isSet = (key: string) => {
    const value = named(key);
    return value !== undefined && value.kind !== "none" && !(value.kind === "bool" && !value.value);
  };
  const isNone = (each: Argument) => each.name !== undefined || each.value.kind === "none";
  switch (name) {
    case "where":
      return args.length === 1;
    case "equal":
      return true;
    case "argmax":
    case "argmin":
      return !isSet("dim") && !isSet("axis") && (args[1] === undefined || isNone(args[1]));
    case "einsum":
      return !isPlainEquation(textOf(args[0]?.value) ?? "", args.length);
    case "conv1d":
    case "conv2d":
    case "conv3d":
      return textOf(named("padding") ?? args[4]?.value) !== undefined;
    case "pad":
      return (textOf(named("mode") ?? args[2]?.value) ?? "constant") !== "constant";
    case "max_pool2d":
    case "avg_pool2d":
      return ["ceil_mode", "dilation", "return_indices"].some(isSet) || args.length > 4;
    case "conv_transpose2d":
      return args.length > 2;
    default:
      return false;
  }
}

/** Whether the library reads an equation: each letter once in a term, no `...`, with its result. */
function isPlainEquation(equation: string, length: number): boolean {
  if (!equation.includes("->") || equation.includes(".") || length > 4 || length < 2) return false;
  if (/\b\w{2,}\b.*\s/.test(equation.replace(/\s*(,|->)\s*/g, "$1"))) return true;
  return equation.split(/,|->/).every((term) => !/(\w)\w*\1/.test(term.replace(/\s/g, "")));
}
