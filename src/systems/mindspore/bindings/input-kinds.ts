import { fieldOf } from "#core/records";
import { assumedOf } from "#language/document/bindings";
import type { Argument, Value } from "#language/python";
import inputs from "./primitive-inputs.json" with { type: "json" };

/**
 * The kinds of inputs that a primitive accepts, as recorded from MindSpore 2.10
 * (`engines/record_primitive_inputs.py`): one word per input, alternative kinds separated by `|`,
 * and `?` after optional inputs.
 */
const known: Readonly<Record<string, string>> = {
  ...inputs,
  // Primitives whose inputs only the compiler checks.
  FillV2: "any tensor",
};

/**
 * Why MindSpore's compiler refuses a call of a primitive: too many or too few inputs, or a number
 * or list instead of a tensor. `undefined` if it accepts the call.
 */
export function inputsFault(
  name: string,
  args: readonly Argument[],
  isTensor: (value: Value) => boolean,
): string | undefined {
  const words = fieldOf(known, name)?.split(" ");
  if (words === undefined) return undefined;
  const least = words.filter((word) => !word.endsWith("?")).length;
  const count = args.length;
  if (count > words.length || count < least) {
    const wanted = least === words.length ? `${least}` : `${least} to ${words.length}`;
    return `${name} takes ${wanted} input${wanted === "1" ? "" : "s"} in MindSpore, not ${count}: what else it is told, its constructor takes`;
  }
  const at = args.findIndex(({ name: key, value }, index) => {
    const kind = key !== undefined || isTensor(value) ? undefined : kindOf(value);
    const kinds = words[index]?.replace("?", "").split("|") ?? [];
    return kind !== undefined && !kinds.includes("any") && !kinds.includes(kind);
  });
  const given = args[at];
  if (given === undefined) return undefined;
  const kinds = (words[at] ?? "").replace("?", "").split("|").join(" or ");
  return `${name} takes a ${kinds} as input ${at + 1} in MindSpore, not a ${kindOf(given.value)}`;
}

/**
 * The kind of a value that is no tensor; `undefined` for values that MindSpore may accept as
 * several kinds.
 */
function kindOf(value: Value): string | undefined {
  if (assumedOf(value) !== undefined) return undefined;
  switch (value.kind) {
    case "int":
    case "float":
      return "number";
    case "str":
      return "text";
    case "tuple":
    case "list":
      return value.kind;
    default:
      return undefined;
  }
}
