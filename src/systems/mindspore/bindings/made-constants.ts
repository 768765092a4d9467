import type { Span } from "#core/diagnostics";
import { bindArguments, integer, none } from "#language/document/bindings/values";
import type { Argument, Context, Value } from "#language/python";
import { constantWord } from "./function-words.ts";
import type { MindsporeParts } from "./parts.ts";

/** Inputs of the primitives that make a constant tensor at compile time, by primitive. */
const inputsOf: Readonly<Record<string, readonly string[]>> = {
  Fill: ["type", "shape", "value"],
  Ones: ["shape", "dtype"],
  Zeros: ["size", "dtype"],
  ScalarToTensor: ["value", "type"],
};

/** Inputs that may be left out. */
const optional: ReadonlySet<string> = new Set(["Ones dtype", "Zeros dtype"]);

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
  const strange = args.find(({ name: key }) => key !== undefined && !inputs.includes(key));
  if (strange !== undefined && elements.has(name)) {
    const message = `${name} has no input "${strange.name}" in MindSpore: its inputs are ${inputs.join(" and ")}`;
    return context.raise("RuntimeError", message, strange.span);
  }
  const { bound } = bindArguments(inputs, args);
  const isNeeded = (input: string) =>
    name !== "ScalarToTensor" && !optional.has(`${name} ${input}`);
  const lacking = inputs.find((input) => !bound.has(input) && isNeeded(input));
  if (lacking !== undefined || args.length === 0) {
    const message = `${name} takes ${inputs.length} inputs in MindSpore (${inputs.join(", ")}), not ${args.length}`;
    return context.raise("RuntimeError", message, span);
  }
  const given = (input: string) => bound.get(input)?.value;
  const fill = elements.get(name);
  const values = [
    name === "ScalarToTensor"
      ? ({ kind: "tuple", items: [] } as const)
      : (given("shape") ?? given("size")),
    given("type") ?? given("dtype"),
    fill === undefined ? given("value") : integer(fill),
  ];
  const said = values.map((value) => ({ value: value ?? none, span }));
  return context.call(constantWord(parts), said, span);
}
