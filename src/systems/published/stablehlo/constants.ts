import type { TensorType } from "./mlir.ts";
import { countOf, isFloating } from "./types.ts";

/** Most numbers of a constant that are written out; a larger one keeps only shape and dtype. */
const mostWritten = 256;

/** A constant: one number everywhere, numbers as Python's nested lists, or its shape alone. */
export type Constant =
  | { readonly kind: "number"; readonly value: number | boolean }
  | { readonly kind: "list"; readonly text: string }
  | { readonly kind: "shape" };

/** Reads the contents of `dense<…>`. */
export function constantIn(text: string, type: TensorType): Constant {
  const inner = /dense<(.*)>/su.exec(text)?.[1]?.trim();
  if (inner === undefined || /^"0x/u.test(inner) || inner.startsWith("dense_resource")) {
    return { kind: "shape" };
  }
  if (!inner.startsWith("[")) {
    const value = numberIn(inner, type.dtype);
    return value === undefined ? { kind: "shape" } : { kind: "number", value };
  }
  if (countOf(type.shape) > mostWritten) return { kind: "shape" };
  const numbers = [...inner.matchAll(/[^[\],\s]+/gu)].map(([each]) => numberIn(each, type.dtype));
  if (numbers.some((each) => each === undefined)) return { kind: "shape" };
  const list = inner.replaceAll(/[^[\],\s]+/gu, (each) => {
    const value = numberIn(each, type.dtype);
    return value === undefined || typeof value === "boolean"
      ? value
        ? "True"
        : "False"
      : listed(value);
  });
  return { kind: "list", text: list };
}

function listed(value: number): string {
  if (Number.isNaN(value)) return 'float("nan")';
  if (!Number.isFinite(value)) return value > 0 ? 'float("inf")' : 'float("-inf")';
  return String(value);
}

/** One number: decimal, a truth value, or a float's bits in hexadecimal. */
function numberIn(text: string, dtype: string): number | boolean | undefined {
  if (text === "true" || text === "false") return text === "true";
  if (/^0x[0-9a-f]+$/iu.test(text)) return bitsIn(BigInt(text), dtype);
  const value = Number(text);
  return Number.isNaN(value) ? undefined : value;
}

/** A number from its bits; `undefined` for float types that cannot be decoded. */
export function bitsIn(bits: bigint, dtype: string): number | undefined {
  if (!isFloating(dtype)) return Number(bits);
  const view = new DataView(new ArrayBuffer(8));
  if (dtype === "f64") {
    view.setBigUint64(0, bits);
    return view.getFloat64(0);
  }
  if (dtype === "f32" || dtype === "bf16") {
    view.setUint32(0, Number(dtype === "bf16" ? bits << 16n : bits));
    return view.getFloat32(0);
  }
  if (dtype !== "f16") return undefined;
  const [exponent, fraction] = [(Number(bits) >> 10) & 31, Number(bits) & 1023];
  const sign = Number(bits) >> 15 === 1 ? -1 : 1;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return exponent === 0
    ? sign * fraction * 2 ** -24
    : sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}
