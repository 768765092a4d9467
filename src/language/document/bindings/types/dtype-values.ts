import { bytesOf, type DType, parseDType } from "#core/ir";
import { isFloat } from "#core/ir/types";
import { fieldOf } from "#core/records";
import { type ClassValue, hostClass, type InstanceValue, type Value } from "#language/python";
import { assumedOf } from "../assumed.ts";
import { integer, text, textOf } from "../values/values.ts";

const flag = (value: boolean): Value => ({ kind: "bool", value });

/** Data types of the Python objects that represent them. */
const dtypes = new WeakMap<InstanceValue, DType>();

/** Data types of a system as Python objects: one per data type, so that identity holds. */
export class DTypeValues {
  /** Python class of the objects. */
  readonly type: ClassValue;
  private readonly objects = new Map<DType, InstanceValue>();

  /** @param nameOf the system's text for a data type */
  constructor(nameOf: (dtype: DType) => string) {
    this.type = hostClass("dtype", {
      __repr__: ([self]) => text(nameOf(dtypeOf(self?.value) ?? "f32")),
    });
  }

  object(dtype: DType): InstanceValue {
    const known = this.objects.get(dtype);
    if (known !== undefined) return known;
    const attributes = new Map<string, Value>([
      ["itemsize", integer(Math.ceil(bytesOf(dtype)))],
      ["is_floating_point", flag(isFloat(dtype))],
      ["is_complex", flag(false)],
      ["is_signed", flag(!dtype.startsWith("u") && dtype !== "bool")],
    ]);
    const made: InstanceValue = { kind: "instance", type: this.type, attributes };
    this.objects.set(dtype, made);
    dtypes.set(made, dtype);
    return made;
  }
}

/** Python classes that frameworks accept as data types. */
const builtinTypes: Readonly<Record<string, DType>> = { float: "f64", int: "i64", bool: "bool" };

/**
 * Data type that a value is or names: a string, a numpy class, or Python's `float`, `int` and
 * `bool`. `undefined` for other values.
 */
export function dtypeOf(value: Value | undefined): DType | undefined {
  if (value?.kind === "instance") return dtypes.get(value);
  if (value?.kind === "class") return fieldOf(builtinTypes, value.name);
  const written = textOf(value);
  if (written !== undefined) return parseDType(written);
  const name = /^numpy\.(\w+)$/u.exec(assumedOf(value)?.name ?? "")?.[1];
  return name === undefined ? undefined : (fieldOf(arrayTypes, name) ?? parseDType(name));
}

/** numpy scalar classes whose names differ from the data types here. */
const arrayTypes: Readonly<Record<string, DType>> = {
  ...{ half: "f16", single: "f32", double: "f64", bool_: "bool" },
  ...{ byte: "i8", short: "i16", intc: "i32", long: "i64", int_: "i64", intp: "i64" },
  ...{ ubyte: "u8", ushort: "u16", uintc: "u32", ulong: "u64", uint: "u64", uintp: "u64" },
  ...{ longlong: "i64", ulonglong: "u64" },
};

/** Whether a value is a data type object, not a string. */
export function isDType(value: Value | undefined): boolean {
  return value?.kind === "instance" && dtypes.has(value);
}

/** Long name of each data type, common to several systems. */
const longNames: Readonly<Record<DType, string>> = {
  ...{ f64: "float64", f32: "float32", f16: "float16", bf16: "bfloat16" },
  ...{ f8e4m3: "float8_e4m3fn", f8e5m2: "float8_e5m2" },
  ...{ i64: "int64", i32: "int32", i16: "int16", i8: "int8", i4: "int4" },
  ...{ u64: "uint64", u32: "uint32", u16: "uint16", u8: "uint8", u4: "uint4", bool: "bool" },
};

/** The long name of a data type, `float32`. */
export function longDType(dtype: DType): string {
  return longNames[dtype];
}

/** Data type that an argument gives, with its text; `undefined` for other values. */
export function typeSaid(
  value: Value | undefined,
): { readonly dtype: DType; readonly dtypeText: string } | undefined {
  const dtype = dtypeOf(value);
  return dtype && { dtype, dtypeText: textOf(value) ?? longDType(dtype) };
}
