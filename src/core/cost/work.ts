import { product } from "#core/arithmetic";
import { bytesOf, type DType } from "#core/ir";
import { fieldOf } from "#core/records";
import type { Arithmetic } from "./cost.ts";
import type { LocalOperator, LocalTensor } from "./local-operator.ts";

/** Bytes that a device reads and writes: operands and results, once each. */
export function touchedBytes({ inputs, outputs }: Pick<LocalOperator, "inputs" | "outputs">) {
  return sumBytes(inputs) + sumBytes(outputs);
}

export function sumBytes(tensors: readonly LocalTensor[]): number {
  let bytes = 0;
  for (const each of tensors) bytes += each.bytes;
  return bytes;
}

/** Number of elements: the product of lengths. */
export function volume(lengths: readonly number[]): number {
  return product(lengths);
}

const arithmetics: Readonly<Partial<Record<DType, Arithmetic>>> = {
  bf16: "bf16",
  f16: "f16",
  f8e4m3: "f8",
  f8e5m2: "f8",
  i8: "int8",
  u8: "int8",
  // 4-bit integers are unpacked to 8 bits for the units that multiply them.
  i4: "int8",
  u4: "int8",
};

/**
 * The arithmetic of an operator's products: that of its widest operand. Products of f32 are made in
 * tf32 where the program says so (`arithmetic`).
 */
export function arithmeticOf({ inputs, operator }: LocalOperator): Arithmetic {
  const widest = inputs.reduce<DType>(
    (most, { dtype }) => (bytesOf(dtype) > bytesOf(most) ? dtype : most),
    inputs[0]?.dtype ?? "f32",
  );
  const own = fieldOf(arithmetics, widest) ?? "f32";
  return own === "f32" && fieldOf(operator.attributes, "arithmetic") === "tf32" ? "tf32" : own;
}

/** Bytes that one wide load takes. */
const wideLoad = 16;

/** Whether the rows of all matrices among tensors start at addresses that wide loads can read. */
export function isAligned(tensors: readonly LocalTensor[]): boolean {
  return tensors.every(({ shape, dtype }) => {
    const row = (shape.at(-1) ?? 1) * bytesOf(dtype);
    return shape.length < 2 || row % wideLoad === 0;
  });
}
