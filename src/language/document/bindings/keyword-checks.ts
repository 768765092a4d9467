import type { LibraryEntry } from "#core/ir";
import { type Argument, type Context, nearestName, type Value } from "#language/python";
import { writing } from "../fix.ts";
import type { TensorCalls } from "./tensor-calls.ts";
import { isDType, typeSaid } from "./types/dtype-values.ts";

/** Keyword names common to most functions, and NumPy's aliases. */
const shared: ReadonlySet<string> = new Set(["input", "self", "x", "out", "axis", "keepdims"]);

/**
 * Raises TypeError if an argument's name is none that the function or method accepts.
 *
 * @param accepted names accepted beside the library entry's parameters; any name when `undefined`
 */
export function requireKeywords(
  name: string,
  { parameters, leading }: Pick<LibraryEntry, "parameters" | "leading">,
  accepted: readonly string[] | undefined,
  args: readonly Argument[],
  context: Context,
): void {
  if (accepted === undefined) return;
  const known = [...accepted, ...parameters];
  const stranger = args.find(
    ({ name: own }) =>
      own !== undefined &&
      !own.startsWith("_") &&
      own !== leading &&
      !shared.has(own) &&
      !known.includes(own),
  );
  if (stranger !== undefined) refuseKeyword(`${name}()`, stranger, known, context);
}

/** Gives a result the dtype that the call asks for: `softmax(x, dim=-1, dtype="float32")`. */
export function typedAs(
  tensors: Pick<TensorCalls, "tensorOf">,
  given: readonly Argument[],
  result: Value,
): Value {
  const tensor = tensors.tensorOf(result);
  const said = typeSaid(
    given.find(({ name, value }) => name === "_dtype" || name === "dtype" || isDType(value))?.value,
  );
  if (tensor?.producer === undefined || said === undefined) return result;
  Object.assign(tensor, { ...said, isTypeAssumed: false });
  return result;
}

/**
 * Raises TypeError for an unexpected keyword argument, with a fix where a known name is close to
 * it.
 */
export function refuseKeyword(
  callee: string,
  { name = "", nameSpan, span }: Argument,
  known: readonly string[],
  context: Context,
): never {
  const meant = nearestName(name, known, 3);
  const at = nameSpan ?? span;
  const fixes = meant === undefined ? [] : [writing(at, meant)];
  const message = `${callee} got an unexpected keyword argument '${name}'`;
  return context.raise("TypeError", message, at, { fixes });
}
