import { library } from "#core/ir";
import { fieldOf } from "#core/records";
import type { TensorBindings } from "#language/document/bindings";
import { dtypeOf } from "#language/document/bindings/types";
import { itemsOf } from "#language/document/bindings/values";
import type { Argument, Value } from "#language/python";
import { plainName } from "./call-fault.ts";
import forms from "./signatures.json" with { type: "json" };

/** A parameter: what it takes, and how it may be left out. */
interface Parameter {
  readonly name: string;
  /** `T` a tensor, `i` a whole number, `I` several, `s` any number, …: see `engines/record_torch_signatures.py`. */
  readonly type: string;
  readonly takesOne: boolean;
  readonly isOptional: boolean;
  readonly takesNone: boolean;
  readonly isNamed: boolean;
}

type Form = readonly Parameter[];

/** What tells tensors from other values. */
export type Kinds = Pick<TensorBindings, "rankOf" | "isArray" | "isScalar" | "types">;

/**
 * The kind of the called function: of `torch`, of `torch.nn.functional`, or a method of tensors.
 */
export type Called = "function" | "functional" | "method";

/**
 * Why PyTorch 2.13 refuses the arguments of a call: none of the function's forms takes them.
 * `undefined` where a form takes them, where an argument is unknown, and for functions whose forms
 * are not known.
 *
 * @param args of a method without its tensor
 */
export function refusedCall(
  name: string,
  how: Called,
  args: readonly Argument[],
  words: Kinds,
): string | undefined {
  const known = formsOf(name, how);
  if (known === undefined) return undefined;
  const written = args.filter((each) => each.name !== "out");
  const given = usualNames(name, how, written);
  const isStranger = (each: Argument) =>
    each.name !== undefined && !known.some((form) => form.some((one) => one.name === each.name));
  const strange = given.find(isStranger)?.name;
  if (strange === "axis" || strange === "keepdims")
    return `${name}() got an unexpected keyword argument '${strange}'`;
  if (strange !== undefined) return undefined;
  const call = callOf(name, words);
  if (known.some((form) => takes(form, given, call))) return undefined;
  const kinds = given.map(({ name: key, value }) => (key ? `${key}=` : "") + kindOf(value, words));
  return `${name}() has no form that takes (${kinds.join(", ")})`;
}

/** The values of a call that one of the forms takes, by the names of their parameters. */
export function boundCall(
  name: string,
  how: Called,
  args: readonly Argument[],
  words: Kinds,
): ReadonlyMap<string, Value> | undefined {
  const given = usualNames(name, how, args);
  const call = callOf(name, words);
  const form = formsOf(name, how)?.find((each) => takes(each, given, call));
  if (form === undefined) return undefined;
  const places = form.filter((each) => !each.isNamed);
  const [only] = places;
  const placed = given.filter((each) => each.name === undefined);
  const isRow =
    places.length === 1 && only?.type === "I" && !placed.some(({ value }) => itemsOf(value));
  const named = given.flatMap(({ name: key, value }) =>
    key === undefined ? [] : [[key, value] as const],
  );
  if (isRow && placed.length > 0)
    return new Map([
      ...named,
      [only.name, { kind: "list", items: placed.map(({ value }) => value) }],
    ]);
  return new Map([
    ...placed.map(({ value }, at) => [places[at]?.name ?? "", value] as const),
    ...named,
  ]);
}

const read = new Map<string, readonly Form[] | undefined>();

/** The forms of a name, read once; `undefined` where they are not known. */
function formsOf(name: string, how: Called): readonly Form[] | undefined {
  const key = `${how} ${name}`;
  if (!read.has(key)) {
    const own = how === "functional" ? formsNamed(`F.${name}`) : undefined;
    const [flags, written] = split(own ?? formsNamed(name));
    const isKnown = flags.includes(how === "method" ? "m" : "f");
    read.set(key, isKnown ? written.split(";").map((form) => parametersOf(form, how)) : undefined);
  }
  return read.get(key);
}

function formsNamed(name: string): string | undefined {
  return fieldOf(forms as Readonly<Record<string, string>>, name);
}

/** Functions that take numbers in place of both tensors. */
const numbersAsTensors: ReadonlySet<string> = new Set([
  ...["add", "sub", "subtract", "mul", "multiply", "div", "divide", "true_divide", "floor_divide"],
  ...["pow", "remainder", "fmod", "rsub", "eq", "ne", "lt", "le", "gt", "ge"],
]);

function split(text = ""): readonly [string, string] {
  const at = text.indexOf(" ");
  return [text.slice(0, at), text.slice(at + 1)];
}

function parametersOf(form: string, how: Called): Form {
  let isNamed = false;
  const found = form.split(",").flatMap((word): Parameter[] => {
    if (word === "*") isNamed = true;
    const [, type = "", one, none, name = "", left] =
      /^([A-Za-z_])(1?)(\??) (\w+)(=?)$/u.exec(word) ?? [];
    if (name === "") return [];
    const isOptional = left !== "";
    const takesNone = none !== "" || type === "B" || (type === "I" && left !== "");
    return [{ name, type, takesOne: one !== "", isOptional, takesNone, isNamed }];
  });
  if (how !== "method") return found;
  const self = found.findIndex((each) => each.name === "input");
  return found.filter((_, at) => at !== self);
}

/** Names that NumPy's callers use, which PyTorch takes for its own. */
const namesOfNumpy = {
  ...{ axis: "dim", keepdims: "keepdim", x2: "other" },
  ...{ x: "input", a: "input", x1: "input", self: "input" },
};

/** What PyTorch has written in Python has one name for each parameter. */
const writtenInPython: ReadonlySet<string> = new Set(["norm", "split", "unique"]);

/**
 * Arguments under PyTorch's own names: `axis=1, keepdims=True` are `dim` and `keepdim`, where the
 * function has such parameters and none of that very name.
 *
 * @param accepted its parameters, where its forms are not known
 */
export function usualNames(
  name: string,
  how: Called,
  args: readonly Argument[],
  accepted?: readonly string[],
): readonly Argument[] {
  if (how === "functional" || writtenInPython.has(name)) return args;
  if (args.every((each) => fieldOf(namesOfNumpy, each.name ?? "") === undefined)) return args;
  const forms = formsOf(name, how)?.flatMap((form) => form.map((each) => each.name));
  const known = forms ?? accepted ?? [];
  return args.map((each): Argument => {
    const usual = fieldOf(namesOfNumpy, each.name ?? "");
    const isOwn = usual === undefined || known.includes(each.name ?? "") || !known.includes(usual);
    return isOwn ? each : { ...each, name: usual };
  });
}

interface Call {
  readonly takesNumbers: boolean;
  /** Whether a check of the function's operator refuses floats where it wants whole numbers. */
  readonly saysOfFloats: boolean;
  readonly words: Kinds;
}

function callOf(name: string, words: Kinds): Call {
  const saysOfFloats = library.has(plainName(name));
  return { takesNumbers: numbersAsTensors.has(name), saysOfFloats, words };
}

function takes(form: Form, args: readonly Argument[], call: Call): boolean {
  const placed = args.filter((each) => each.name === undefined);
  const places = form.filter((each) => !each.isNamed);
  const [only] = places;
  // Sizes may be given one by one (none for a tensor without dims) where the form's only positional
  // parameter is a list of integers.
  const isRow =
    places.length === 1 &&
    only?.type === "I" &&
    !only.takesOne &&
    !args.some(({ name }) => name === only.name);
  const isLength = ({ value }: Argument, at: number) =>
    fits("i", value, call) || value.kind === "float" || (value.kind === "bool" && at > 0);
  if (isRow && args.length === 0 && !only.isOptional) return false;
  if (isRow && placed.every(isLength)) return takesNamed(form, args, new Set([only.name]), call);
  if (placed.length > places.length) return false;
  const isPlaced = placed.every(({ value }, at) => {
    const parameter = places[at];
    return parameter !== undefined && fitsParameter(parameter, value, call);
  });
  if (!isPlaced) return false;
  return takesNamed(
    form,
    args,
    new Set(places.slice(0, placed.length).map(({ name }) => name)),
    call,
  );
}

/** The arguments by name, and that nothing is missing. */
function takesNamed(
  form: Form,
  args: readonly Argument[],
  given: Set<string>,
  call: Call,
): boolean {
  for (const { name, value } of args) {
    if (name === undefined) continue;
    const parameter = form.find((each) => each.name === name);
    if (parameter === undefined || given.has(name)) return false;
    if (!fitsParameter(parameter, value, call)) return false;
    given.add(name);
  }
  return form.every(({ name, isOptional }) => isOptional || given.has(name));
}

function fitsParameter(
  { name, type, takesOne, takesNone }: Parameter,
  value: Value,
  call: Call,
): boolean {
  if (value.kind === "none") return takesNone || type === "_";
  if (call.saysOfFloats && wholeNumbers.has(name) && holdsFloat(value)) return true;
  return fits(type, value, call) || (takesOne && fits("i", value, call));
}

/** Parameters of which the checks of operators refuse a float, with a fix. */
const wholeNumbers: ReadonlySet<string> = new Set([
  ...["dim", "dim0", "dim1", "start_dim", "end_dim", "dims", "shape", "size", "repeats"],
]);

function holdsFloat(value: Value): boolean {
  return value.kind === "float" || (itemsOf(value)?.some(({ kind }) => kind === "float") ?? false);
}

/** Kinds of values that are no tensor and not unknown. */
const plain: ReadonlySet<Value["kind"]> = new Set([
  ...(["int", "float", "bool", "str", "none", "list", "tuple", "dict", "set", "slice"] as const),
  ...(["ellipsis", "function", "host-function", "method", "class", "module"] as const),
]);

function fits(type: string, value: Value, call: Call): boolean {
  const { words } = call;
  const rank = words.rankOf(value);
  // The result of an unknown call is drawn as a tensor, and may be anything.
  if (rank === "unknown") return true;
  // `sizes.tolist()` is the tensor itself here.
  if (rank === 1 && type === "I") return true;
  if (type === "T" && strangerOf(value, words) !== undefined)
    return call.takesNumbers && words.isScalar(value);
  if (rank !== undefined) return type === "T" || type === "_" || isNumber(type, rank);
  if (type === "B") return true;
  if (!plain.has(value.kind) || type === "_") return true;
  const items = itemsOf(value);
  switch (type) {
    case "T":
      return call.takesNumbers && ["int", "float", "bool"].includes(value.kind);
    case "L":
      return items?.every((each) => fits("T", each, { ...call, takesNumbers: false })) ?? false;
    case "I":
      return items?.every((each) => fits("i", each, call)) ?? false;
    case "i":
      return value.kind === "int";
    case "f":
    case "s":
      return ["int", "float", "bool"].includes(value.kind);
    case "b":
      return value.kind === "bool";
    case "D":
      return value.kind === "class" || dtypeOf(value) !== undefined;
    default:
      return value.kind === "str";
  }
}

/** A tensor without dims stands for a number. */
function isNumber(type: string, rank: number): boolean {
  return rank === 0 && "ifsB".includes(type);
}

/** What a value is that is drawn as a tensor and is none to torch: an array, or a number of Python. */
export function strangerOf(value: Value, words: Kinds): string | undefined {
  const rank = words.rankOf(value);
  if (typeof rank !== "number" || words.types.sayRefused === undefined) return undefined;
  if (words.isScalar(value)) return "float";
  return words.isArray(value) && rank > 0 ? "numpy.ndarray" : undefined;
}

function kindOf(value: Value, words: Kinds): string {
  const stranger = strangerOf(value, words);
  if (stranger !== undefined) return stranger;
  if (words.rankOf(value) !== undefined) return "Tensor";
  return value.kind === "none" ? "None" : value.kind;
}
