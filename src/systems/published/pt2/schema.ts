import { isRecord, plainJson } from "#core/records";
import { ArchiveFault } from "./archive.ts";

// Fields of an exported program that are read, named as in torch/_export/serde.

/** An argument or result of an operator. */
export type Pt2Argument =
  | { readonly kind: "tensor"; readonly name: string }
  | { readonly kind: "tensors"; readonly names: readonly (string | undefined)[] }
  | { readonly kind: "size"; readonly name: string }
  | { readonly kind: "list"; readonly items: readonly Pt2Argument[] }
  | { readonly kind: "number"; readonly value: number; readonly isFloat: boolean }
  | { readonly kind: "truth"; readonly value: boolean }
  | { readonly kind: "text"; readonly value: string }
  | { readonly kind: "dtype"; readonly value: number }
  | { readonly kind: "none" }
  /** A form that no supported operator accepts. */
  | { readonly kind: "other" };

/** An operator, such as `torch.ops.aten.linear.default`, with its arguments by schema name. */
export interface Pt2Node {
  readonly target: string;
  readonly inputs: readonly {
    readonly name: string;
    readonly arg: Pt2Argument;
    readonly isNamed: boolean;
  }[];
  readonly outputs: readonly Pt2Argument[];
}

/** A size: a number, or an expression of symbols with its value in the example. */
export interface Pt2Size {
  readonly text: string;
  readonly example: number;
}

export interface Pt2Tensor {
  readonly dtype: number;
  readonly sizes: readonly Pt2Size[];
}

/** An input of the program: a weight by name, or an argument of the call. */
export interface Pt2Input {
  readonly kind: "parameter" | "buffer" | "constant" | "input";
  readonly value: string;
  readonly name: string;
}

export interface Pt2Program {
  readonly nodes: readonly Pt2Node[];
  readonly inputs: readonly Pt2Input[];
  readonly outputs: readonly string[];
  readonly tensors: ReadonlyMap<string, Pt2Tensor>;
  readonly torch: string;
}

const mostNodes = 200_000;

/** Most characters of a size expression, and its deepest nesting. */
const longestSize = 1_000;
const deepestSize = 8;

/**
 * Reads an exported program, as `torch.export.save` writes it.
 *
 * @throws ArchiveFault
 */
export function pt2Program(text: string): Pt2Program {
  const read = plainJson(text);
  if (read === undefined) throw new ArchiveFault("its program is no JSON");
  const { graph_module: module, torch_version: version } = recordOf(read);
  const { graph, signature } = recordOf(module);
  const { nodes, tensor_values: values } = recordOf(graph);
  const { input_specs: given, output_specs: results } = recordOf(signature);
  if (!Array.isArray(nodes) || !Array.isArray(given) || !Array.isArray(results)) throw unknown();
  if (nodes.length > mostNodes) throw new ArchiveFault("it has more than 200,000 operators");
  return {
    nodes: nodes.map(nodeOf),
    inputs: given.flatMap(inputOf),
    outputs: results.flatMap(resultOf),
    tensors: new Map(
      Object.entries(recordOf(values)).map(([name, each]) => [name, tensorOf(each)]),
    ),
    torch: typeof version === "string" ? version : "",
  };
}

function unknown(): ArchiveFault {
  return new ArchiveFault("its program is of a form that is not known");
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  if (!isRecord(value)) throw unknown();
  return value;
}

function nodeOf(value: unknown): Pt2Node {
  const { target, inputs, outputs } = recordOf(value);
  if (typeof target !== "string" || !Array.isArray(inputs) || !Array.isArray(outputs))
    throw unknown();
  return {
    target,
    outputs: outputs.map(argumentOf),
    inputs: inputs.map((each) => {
      const { name, arg, kind } = recordOf(each);
      return {
        name: typeof name === "string" ? name : "",
        arg: argumentOf(arg),
        isNamed: kind === 2,
      };
    }),
  };
}

function nameIn(value: unknown): string | undefined {
  return isRecord(value) && typeof value.name === "string" ? value.name : undefined;
}

/** Reads one of the forms such as `{"as_int": 3}`. */
function argumentOf(value: unknown): Pt2Argument {
  const [entry] = Object.entries(recordOf(value));
  if (entry === undefined) return { kind: "other" };
  const [form, inner] = entry;
  switch (form) {
    case "as_none":
      return { kind: "none" };
    case "as_int":
    case "as_float":
      return numberOf(inner, form === "as_float");
    case "as_bool":
      return typeof inner === "boolean" ? { kind: "truth", value: inner } : { kind: "other" };
    case "as_string":
      return typeof inner === "string" ? { kind: "text", value: inner } : { kind: "other" };
    case "as_scalar_type":
      return typeof inner === "number" ? { kind: "dtype", value: inner } : { kind: "other" };
    case "as_tensor":
    case "as_optional_tensor":
      return tensorArgument(inner);
    case "as_tensors":
    case "as_optional_tensors":
      return Array.isArray(inner)
        ? { kind: "tensors", names: inner.map(tensorName) }
        : { kind: "other" };
    case "as_sym_int":
      return sizeArgument(inner);
    case "as_ints":
    case "as_floats":
      return listOf(inner, (each) => numberOf(each, form === "as_floats"));
    case "as_bools":
      return listOf(inner, (each) =>
        typeof each === "boolean" ? { kind: "truth", value: each } : { kind: "other" },
      );
    case "as_sym_ints":
      return listOf(inner, sizeArgument);
    default:
      return { kind: "other" };
  }
}

function numberOf(value: unknown, isFloat: boolean): Pt2Argument {
  // JSON has no infinite numbers; PyTorch writes them as strings.
  const words: Readonly<Record<string, number>> = {
    Infinity,
    "-Infinity": -Infinity,
    NaN: Number.NaN,
  };
  const number = typeof value === "string" ? words[value] : value;
  return typeof number === "number"
    ? { kind: "number", value: number, isFloat }
    : { kind: "other" };
}

function listOf(value: unknown, item: (value: unknown) => Pt2Argument): Pt2Argument {
  return Array.isArray(value) ? { kind: "list", items: value.map(item) } : { kind: "other" };
}

/** Name of a tensor: given directly, or nested when the tensor is optional. */
function tensorName(value: unknown): string | undefined {
  return nameIn(value) ?? (isRecord(value) ? nameIn(value.as_tensor) : undefined);
}

function tensorArgument(value: unknown): Pt2Argument {
  const name = tensorName(value);
  return name === undefined ? { kind: "none" } : { kind: "tensor", name };
}

function sizeArgument(value: unknown): Pt2Argument {
  const { as_name: name, as_int: number } = recordOf(value);
  if (typeof name === "string") return { kind: "size", name };
  return numberOf(number, false);
}

function tensorOf(value: unknown): Pt2Tensor {
  const { dtype, sizes } = recordOf(value);
  if (typeof dtype !== "number" || !Array.isArray(sizes)) throw unknown();
  return { dtype, sizes: sizes.map(sizeOf) };
}

function sizeOf(value: unknown): Pt2Size {
  const { as_int: number, as_expr: expression } = recordOf(value);
  if (typeof number === "number") return { text: String(number), example: number };
  const { expr_str: text, hint } = recordOf(expression);
  const { as_int: example } = isRecord(hint) ? hint : { as_int: undefined };
  if (typeof text !== "string") throw unknown();
  return { text: infixOf(text), example: typeof example === "number" ? example : 1 };
}

/** `Mul(Integer(2), Symbol('s3', integer=True))` becomes `(2 * s3)`; other forms stay unchanged. */
function infixOf(text: string): string {
  let made = text
    .slice(0, longestSize)
    .replaceAll(/Symbol\('(\w+)'[^()]*\)/gu, "$1")
    .replaceAll(/Integer\((-?\d+)\)/gu, "$1");
  for (let depth = 0; depth < deepestSize; depth += 1) {
    const next = made
      .replaceAll(
        /Mul\(((?:[^()]|\([^()]*\))*)\)/gu,
        (_, parts: string) => `(${parts.replaceAll(", ", " * ")})`,
      )
      .replaceAll(
        /Add\(((?:[^()]|\([^()]*\))*)\)/gu,
        (_, parts: string) => `(${parts.replaceAll(", ", " + ")})`,
      );
    if (next === made) break;
    made = next;
  }
  return made;
}

function inputOf(value: unknown): readonly Pt2Input[] {
  const [entry] = Object.entries(recordOf(value));
  if (entry === undefined) return [];
  const [kind, inner] = entry;
  const spec = recordOf(inner);
  const own = nameIn(spec.arg);
  if (kind === "user_input") {
    const given = argumentOf(spec.arg);
    return given.kind === "tensor" ? [{ kind: "input", value: given.name, name: given.name }] : [];
  }
  if (own === undefined) return [];
  const name = spec.parameter_name ?? spec.buffer_name ?? spec.tensor_constant_name;
  const called = typeof name === "string" ? name : own;
  const word = kind === "parameter" || kind === "buffer" ? kind : "constant";
  return [{ kind: word, value: own, name: called }];
}

function resultOf(value: unknown): readonly string[] {
  const { user_output: output } = recordOf(value);
  if (output === undefined) return [];
  const made = argumentOf(recordOf(output).arg);
  return made.kind === "tensor" ? [made.name] : [];
}
