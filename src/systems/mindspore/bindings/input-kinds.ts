import { fieldOf } from "#core/records";
import { assumedOf } from "#language/document/bindings";
import type { Argument, Value } from "#language/python";
import inputs from "./primitive-inputs.json" with { type: "json" };

/**
 * The kinds of inputs that a primitive accepts, as recorded from MindSpore 2.10
 * (`engines/record_primitive_inputs.py`): one word per input, alternative kinds separated by `|`,
 * `?` after optional inputs, and a last `+` if more inputs may follow.
 */
const known: Readonly<Record<string, string>> = {
  ...inputs,
  // Primitives whose inputs only the compiler checks.
  FillV2: "any tensor",
  AddN: "tensors",
  Concat: "tensors",
  Stack: "tensors",
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
  const listed = fieldOf(known, name)?.split(" ");
  if (listed === undefined) return undefined;
  const words = listed.filter((word) => word !== "+");
  const isOpen = words.length < listed.length;
  const least = words.filter((word) => !word.endsWith("?")).length;
  const count = args.length;
  if ((!isOpen && count > words.length) || count < least) {
    const most = isOpen ? " or more" : least === words.length ? "" : ` to ${words.length}`;
    const wanted = `${least}${most}`;
    return `${name} takes ${wanted} input${wanted === "1" ? "" : "s"} in MindSpore, not ${count}: what else it is told, its constructor takes`;
  }
  const at = args.findIndex(({ name: key, value }, index) => {
    const kinds = words[index]?.replace("?", "").split("|") ?? [];
    if (isTensor(value)) return key === undefined && kinds.join() === "tensors";
    const kind = key === undefined ? kindOf(value) : undefined;
    const isListed = kinds.includes("tensors") && (kind === "list" || kind === "tuple");
    return kind !== undefined && !kinds.includes("any") && !kinds.includes(kind) && !isListed;
  });
  const given = args[at];
  if (given === undefined) return undefined;
  const kinds = (words[at] ?? "").replace("?", "").split("|").join(" or ");
  const other = kindOf(given.value) ?? "tensor";
  return `${name} takes ${kinds === "tensors" ? "a tuple of tensors" : `a ${kinds}`} as input ${at + 1} in MindSpore, not a ${other}`;
}

/** Dims of the tensors that primitives take, by input, as 2.10's compiler reports; `_` for any. */
const ranks: Readonly<Record<string, string>> = {
  ...{ LRN: "4", Dropout2D: "4", Dropout3D: "5", Ger: "1 1", BiasAdd: "_ 1" },
};

/** Why MindSpore's compiler refuses the ranks of a call's tensors; `undefined` if it accepts them. */
export function ranksFault(
  name: string,
  given: readonly (number | undefined)[],
): string | undefined {
  const wanted = fieldOf(ranks, name)?.split(" ") ?? [];
  const at = wanted.findIndex(
    (rank, input) => rank !== "_" && given[input] !== undefined && Number(rank) !== given[input],
  );
  return wanted[at] && `${name} takes ${wanted[at]} dims as input ${at + 1}, not ${given[at]}`;
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
