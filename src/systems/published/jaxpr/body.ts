import { type JaxprCount, JaxprFault, type JaxprOperand, type JaxprVariable } from "./parse.ts";

/** State shared by the functions of a module that is being written. */
export interface Written {
  readonly functions: string[];
  /** Names of functions by their text: equal functions are written once. */
  readonly known: Map<string, string>;
  readonly meshes: Map<string, string>;
  readonly count: JaxprCount;
  names: number;
}

/** A function that is being written. */
export interface Body {
  readonly written: Written;
  readonly lines: string[];
  /** Values by the jaxpr's variable names. */
  readonly values: Map<string, { readonly name: string; readonly type: JaxprVariable }>;
  readonly depth: number;
  next: number;
}

const types: Readonly<Record<string, string>> = {
  bool: "i1",
  u8: "ui8",
  u16: "ui16",
  u32: "ui32",
  u64: "ui64",
};

/** A type as MLIR writes it. */
export function typeText({ dtype, shape }: Pick<JaxprVariable, "dtype" | "shape">): string {
  return `tensor<${[...shape, types[dtype] ?? dtype].join("x")}>`;
}

/** A value of the module with its type. */
export interface NamedValue {
  readonly name: string;
  readonly type: JaxprVariable;
}

/** An operand of an equation as a value of the module. */
export function operandOf(body: Body, operand: JaxprOperand): NamedValue {
  if (operand.kind === "literal") return constant(body, operand.value, operand.type);
  const known = body.values.get(operand.name);
  if (known === undefined) throw new JaxprFault(`"${operand.name}" is read before it is made`);
  return known;
}

/** A name unused in the function. */
export function fresh(body: Body): string {
  body.next += 1;
  return `%${body.next - 1}`;
}

/** MLIR's bit patterns of +inf, -inf and NaN by dtype. */
const infinities: Readonly<Record<string, readonly [string, string, string]>> = {
  f32: ["0x7F800000", "0xFF800000", "0x7FC00000"],
  f16: ["0x7C00", "0xFC00", "0x7E00"],
  bf16: ["0x7F80", "0xFF80", "0x7FC0"],
  f64: ["0x7FF0000000000000", "0xFFF0000000000000", "0x7FF8000000000000"],
};

/** Writes a constant. */
export function constant(body: Body, value: string, type: JaxprVariable): NamedValue {
  const special = { inf: 0, "-inf": 1, nan: 2 }[value];
  const bits = special === undefined ? undefined : infinities[type.dtype]?.[special];
  const text = bits ?? { True: "true", False: "false" }[value] ?? value;
  const name = fresh(body);
  body.lines.push(`${name} = stablehlo.constant dense<${text}> : ${typeText(type)}`);
  return { name, type };
}

/** Broadcasts a scalar to the shape of a result: JAX allows scalars beside tensors. */
export function spread(body: Body, value: NamedValue, like: JaxprVariable): NamedValue {
  if (value.type.shape.length > 0 || like.shape.length === 0) return value;
  const type = { ...like, dtype: value.type.dtype };
  return operation(body, "stablehlo.broadcast_in_dim", [value], type, ", dims = []");
}

/** Writes an operation with one result. */
export function operation(
  body: Body,
  word: string,
  operands: readonly NamedValue[],
  result: JaxprVariable,
  more = "",
): NamedValue {
  const name = fresh(body);
  const given = operands.map((each) => each.name).join(", ");
  const signature = operands.map(({ type }) => typeText(type)).join(", ");
  body.lines.push(`${name} = ${word} ${given}${more} : (${signature}) -> ${typeText(result)}`);
  return { name, type: result };
}
