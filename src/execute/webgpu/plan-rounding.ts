import type { NarrowType } from "#execute/engine";
import type { BufferId } from "./gpu-program.ts";
import { KernelText } from "./kernel-text.ts";
import { kernelOf, launchOf, overCells } from "./launch.ts";
import type { ProgramBuilder } from "./program-builder.ts";

/**
 * Plans the kernel that rounds all singles of a buffer to an element type, in place. It works on
 * their bits, since WGSL leaves the choice of neighbour and the result of too large numbers to the
 * device (WGSL §15.7.6), and a device may take subnormals for 0.
 */
export function planRounding(
  builder: ProgramBuilder,
  label: string,
  buffer: BufferId,
  type: NarrowType,
): void {
  const text = new KernelText("u32");
  const words = builder.wordsOf(buffer);
  const launch = launchOf(words, 1, builder.limits);
  text.declarations.push(type.name === "f16" ? toHalf : toBrain);
  const name = text.buffer(buffer, "read_write");
  overCells(text, launch, (cell) => {
    text.statement(`${name}[${cell.text}] = rounded(${name}[${cell.text}]);`);
  });
  builder.kernel(`round ${label}`, kernelOf(text, launch, words * 2, builder.limits));
}

/** A bfloat16 is the upper half of a single; a carry makes the largest ones infinite. */
const toBrain = `fn rounded(bits: u32) -> u32 {
  if ((bits & 0x7fffffffu) > 0x7f800000u) { return bits; }
  return (bits + 0x7fffu + ((bits >> 16u) & 1u)) & 0xffff0000u;
}`;

/**
 * A half: infinite from 65,520 on; below 2^-14 a whole number of 2^-24, the significand shifted to
 * the place of its ones.
 */
const toHalf = `fn rounded(bits: u32) -> u32 {
  let size = bits & 0x7fffffffu;
  let sign = bits & 0x80000000u;
  if (size > 0x7f800000u) { return bits; }
  if (size >= 0x477ff000u) { return sign | 0x7f800000u; }
  if (size >= 0x38800000u) {
    return sign | ((size + 0xfffu + ((size >> 13u) & 1u)) & 0xffffe000u);
  }
  if (size <= 0x33000000u) { return sign; }
  let shift = 126u - (size >> 23u);
  let digits = (size & 0x7fffffu) | 0x800000u;
  let whole = (digits + (1u << (shift - 1u)) - 1u + ((digits >> shift) & 1u)) >> shift;
  return sign | bitcast<u32>(f32(whole) * 0x1p-24f);
}`;
