import { type Factor, type Term, termOf } from "#core/collective";
import type { Kernel } from "./kernel.ts";
import type { LocalOperator } from "./local-operator.ts";

/** Conditions under which the kernels of a step run. */
export interface Running {
  /** Factor on kernel seconds (`contentionFactor`) in steps of several devices; 1 for one. */
  readonly crowding: number;
  /** Whether a compiler fuses chains of kernels that move bytes. */
  readonly isCompiled: boolean;
}

/** Conditions of a kernel that is measured alone. */
export const alone: Running = { crowding: 1, isCompiled: false };

/** Factors from a kernel's time alone to its time inside a step. */
export function stepFactors(
  kernel: Kernel,
  local: LocalOperator,
  { crowding, isCompiled }: Running,
): readonly Factor[] {
  const fused = isCompiled ? fusedShare(kernel, local) : 1;
  return [
    ...(fused === 1 ? [] : [factor("left when fused", fused)]),
    ...(crowding === 1 ? [] : [factor("crowding", crowding)]),
  ];
}

/** A term of a kernel's seconds with further factors. */
export function withFactors({ name, factors }: Term, more: readonly Factor[]): Term {
  return more.length === 0 ? termOf(name, factors) : termOf(name, [...factors, ...more]);
}

function factor(symbol: string, value: number): Factor {
  return { symbol, value, unit: "1" };
}

/**
 * Share of a memory-bound kernel's time that remains after fusion, at short and at long rows
 * (elements).
 */
const fusedRows = { short: { row: 768, share: 0.65 }, long: { row: 8192, share: 0.9 } };

/** Kernels that no compiler fuses with others. */
const unfused: readonly string[] = ["optimizer", "lookup", "scatter"];

/**
 * Share of its time that a kernel takes in a compiled step, where chains of kernels become one that
 * reads and writes less. Fitted to compiled steps on one H100, by the length of rows.
 */
function fusedShare(kernel: Kernel, { inputs, outputs }: LocalOperator): number {
  if (kernel.class !== "traffic" || unfused.includes(kernel.kind)) return 1;
  const row = Math.max(1, ...[...inputs, ...outputs].map(({ shape }) => shape.at(-1) ?? 1));
  const { short, long } = fusedRows;
  const part = Math.log(row / short.row) / Math.log(long.row / short.row);
  return short.share + Math.min(1, Math.max(0, part)) * (long.share - short.share);
}
