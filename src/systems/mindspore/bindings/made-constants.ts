import type { Span } from "#core/diagnostics";
import { bindArguments, integer, none } from "#language/document/bindings/values";
import type { Argument, Context, Value } from "#language/python";
import { constantWord } from "./function-words.ts";
import type { MindsporeParts } from "./parts.ts";

/** Inputs of the primitives that make a constant tensor at compile time, by primitive. */
const inputsOf: Readonly<Record<string, readonly string[]>> = {
  Fill: ["type", "shape", "value"],
  Ones: ["shape", "type"],
  Zeros: ["shape", "type"],
  ScalarToTensor: ["value", "type"],
};

/** The fill value of primitives whose name implies it. */
const elements: ReadonlyMap<string, number> = new Map([
  ["Ones", 1],
  ["Zeros", 0],
]);

/** The constant that a call of such a primitive makes; `undefined` for any other primitive. */
export function madeConstant(
  parts: Pick<MindsporeParts, "recorder" | "tensors">,
  name: string,
  args: readonly Argument[],
  context: Context,
  span: Span,
): Value | undefined {
  const [first, type] = args;
  if (name === "Cast" && (first?.value.kind === "int" || first?.value.kind === "float")) {
    const shape: Value = { kind: "tuple", items: [] };
    const said = [shape, type?.value ?? none, first.value].map((value) => ({ value, span }));
    return context.call(constantWord(parts), said, span);
  }
  const inputs = Object.hasOwn(inputsOf, name) ? inputsOf[name] : undefined;
  if (inputs === undefined) return undefined;
  const { bound } = bindArguments(inputs, args);
  const lacking = inputs.find((input) => !bound.has(input) && name !== "ScalarToTensor");
  if (lacking !== undefined || args.length === 0) {
    const message = `${name} takes ${inputs.length} inputs in MindSpore (${inputs.join(", ")}), not ${args.length}`;
    return context.raise("RuntimeError", message, span);
  }
  const given = (input: string) => bound.get(input)?.value;
  const fill = elements.get(name);
  const values = [
    name === "ScalarToTensor" ? ({ kind: "tuple", items: [] } as const) : given("shape"),
    given("type"),
    fill === undefined ? given("value") : integer(fill),
  ];
  const said = values.map((value) => ({ value: value ?? none, span }));
  return context.call(constantWord(parts), said, span);
}
