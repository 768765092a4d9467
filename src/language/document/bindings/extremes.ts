import type { Span } from "#core/diagnostics";
import { library } from "#core/ir";
import type { Argument, Context, Value } from "#language/python";
import type { TensorCalls } from "./tensor-calls.ts";
import { bindArguments, hostFunction, none } from "./values/values.ts";

/**
 * `max` and `min` as Python functions: over all elements, of two tensors, or along a dim, where the
 * result is a pair of values and indices.
 *
 * @param given the receiver when called as a method; else empty
 */
export function extremeWord(
  words: TensorCalls,
  name: "max" | "min",
  given: readonly Argument[],
): Value {
  const apply = (entry: string, args: readonly Argument[], context: Context, span: Span): Value => {
    const found = library.get(entry);
    const style = { op: name, stem: name, reducesInside: false };
    return found === undefined ? none : words.call(found, style, args, context, span);
  };
  return hostFunction(name, (args, context, span) => {
    const forms = words.systems.argumentForms;
    const how = given.length > 0 ? "method" : "function";
    const all = [...given, ...(span.from < 0 ? args : forms.usualNames(name, how, args))];
    const fault = refusal(words, name, all, span);
    if (fault !== undefined) return context.raise(...fault, span);
    const { bound } = bindArguments(["input", "dim", "keepdim", "other"], all);
    const [first, second] = [bound.get("input"), bound.get("dim")];
    if (first === undefined) return none;
    const other = words.tensorOf(second?.value) === undefined ? bound.get("other") : second;
    const plain = { value: first.value, span: first.span };
    if (other !== undefined) {
      const pair = [plain, { value: other.value, span: other.span }];
      return apply(name === "max" ? "maximum" : "minimum", pair, context, span);
    }
    const named = ["dim", "keepdim"].flatMap((key) => {
      const argument = bound.get(key);
      return argument === undefined ? [] : [{ ...argument, name: key }];
    });
    const values = apply(name === "max" ? "amax" : "amin", [plain, ...named], context, span);
    if (second === undefined) return values;
    const places = apply(name === "max" ? "argmax" : "argmin", [plain, ...named], context, span);
    return forms.named(name, { kind: "tuple", items: [values, places] });
  });
}

const keywords = /^(input|dim|keepdim|other|out)$/u;
/** NumPy keywords; with one of them several dims or none are legal. */
const ofArrays = /^(axis|keepdims|initial|where)$/u;

/** Error for illegal arguments; `undefined` when they are legal or the caller is library code. */
function refusal(
  words: TensorCalls,
  name: string,
  args: readonly Argument[],
  span: Span,
): readonly [kind: string, message: string] | undefined {
  if (words.isInBody || span.from < 0) return undefined;
  if (args.some((each) => ofArrays.test(each.name ?? ""))) return undefined;
  const odd = args.find((each) => each.name !== undefined && !keywords.test(each.name));
  if (odd !== undefined)
    return ["TypeError", `${name}() got an unexpected keyword argument '${odd.name}'`];
  const isNamed = args.some((each) => each.name === "input");
  const rest = isNamed ? args.filter((each) => each.name !== "input") : args.slice(1);
  return words.systems.refused(name, rest, words, args[0]?.value);
}
