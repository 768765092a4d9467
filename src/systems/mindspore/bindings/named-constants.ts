import { parseDType } from "#core/ir";
import { fieldOf } from "#core/records";
import { integer, text } from "#language/document/bindings/values";
import type { Value } from "#language/python";

/** Constants of `mindspore` by name: data types, modes and levels; `undefined` for other names. */
export function namedConstant(name: string): Value | undefined {
  if (parseDType(name) !== undefined || otherTypes.has(name)) return text(name);
  const number = fieldOf(numbers, name);
  return number === undefined ? undefined : integer(number);
}

/** Modes and levels of the context, by name. */
const numbers: Readonly<Record<string, number>> = {
  ...{ GRAPH_MODE: 0, PYNATIVE_MODE: 1, RELEASE: 0, DEBUG: 1 },
  ...{ STRICT: 0, COMPATIBLE: 1, LAX: 2 },
};

/** Data types of MindSpore that have no equivalent in our graph. */
const otherTypes: ReadonlySet<string> = new Set([
  ...["bool_", "uint16", "uint32", "uint64", "int4", "complex64", "complex128", "qint4x2"],
  ...["float8_e4m3fn", "float8_e5m2", "hifloat8", "number", "int_", "uint", "float_", "string"],
]);
