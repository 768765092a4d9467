import type { Arithmetic, Basis, Hardware } from "./cost.ts";
import { type Curves, h100, type Table } from "./curves-h100.ts";

/** The curves of a chip: those that were measured, with rates scaled by peak and by bandwidth. */
export interface ChipCurves {
  readonly curves: Curves;
  readonly basis: Basis;
  /** By what rates of products are multiplied. */
  readonly arithmetic: (kind: Arithmetic) => number;
  /** By what rates of memory are multiplied. */
  readonly bandwidth: number;
}

export function chipCurves(hardware: Hardware): ChipCurves {
  return {
    curves: h100,
    basis: hardware.basis,
    arithmetic: (kind) => peakOf(hardware, kind) / h100.peaks[kind],
    bandwidth: hardware.memoryBandwidth / h100.memoryBandwidth,
  };
}

/**
 * Operations per second of a kind of arithmetic; of one that the chip's figures do not name, as many
 * times its dense bf16 rate as on the measured chip, but no more than that where it may lack units.
 */
export function peakOf({ flops, peaks }: Hardware, kind: Arithmetic): number {
  if (kind === "bf16" || kind === "f16") return flops;
  return peaks[kind] ?? flops * Math.min(1, h100.peaks[kind] / h100.peaks.bf16);
}

/** A quantity at a size, between two sizes of its table in proportion; outside as at its end. */
export function at(table: number | Table, size: number): number {
  if (typeof table === "number") return table;
  const next = table.findIndex(([each]) => each >= size);
  const [above, below] = [table[next], table[next - 1]];
  if (above === undefined) return table.at(-1)?.[1] ?? Number.NaN;
  if (below === undefined) return above[1];
  const part = Math.log(size / below[0]) / Math.log(above[0] / below[0]);
  return below[1] + part * (above[1] - below[1]);
}
