import type { Arithmetic, Basis, Hardware, KernelClass } from "../cost.ts";
import { type Curves, h100, type Table } from "./curves-h100.ts";

/** The curves of a chip: those that were measured, with rates scaled by peak and by bandwidth. */
export interface ChipCurves {
  readonly curves: Curves;
  readonly basis: Basis;
  /** Factor on the measured rate of products, by the kind of arithmetic. */
  readonly arithmetic: (kind: Arithmetic) => number;
  /** Factor on the measured rates of memory. */
  readonly bandwidth: number;
}

/**
 * Efficiency curves of a chip for one class of kernels; a given share of the peak replaces the
 * class's own.
 */
export function chipCurves(hardware: Hardware, kernels: KernelClass): ChipCurves {
  const { basis, memoryBandwidth, multiprocessors: units = h100.units, efficiencies } = hardware;
  const given = efficiencies?.[kernels];
  const { memory = largeMemory } = efficiencies ?? {};
  return {
    curves: units === h100.units ? h100 : { ...h100, units },
    basis,
    arithmetic: (kind) => {
      const scale = peakOf(hardware, kind) / h100.peaks[kind];
      const isGiven = given !== undefined && kernels !== "memory";
      return isGiven ? (scale * given) / largeShare(kernels, kind) : scale;
    },
    bandwidth: (memoryBandwidth / h100.memoryBandwidth) * (memory / largeMemory),
  };
}

/** Share of the memory's bandwidth that long streams of the measured chip reach. */
const largeMemory = Number(h100.traffic.elementwise.bandwidth) / h100.memoryBandwidth;

/** Share of a peak that large kernels of a class reach on the measured chip. */
function largeShare(kernels: Exclude<KernelClass, "memory">, kind: Arithmetic): number {
  const { rate, droop } = h100.products[kind];
  const product = rate / (1 + droop) / h100.peaks[kind];
  switch (kernels) {
    case "matmul":
      return product;
    case "convolution":
      return product * h100.convolution.reached;
    case "attention":
      return at(h100.attention.rate.forward, 128) / h100.peaks.bf16;
  }
}

/**
 * Operations per second of a kind of arithmetic. For a kind that the chip's figures do not name:
 * its dense bf16 rate times the ratio of the two rates on the measured chip, at most 1, since the
 * chip may lack units for that kind.
 */
export function peakOf({ flops, peaks }: Hardware, kind: Arithmetic): number {
  if (kind === "bf16" || kind === "f16") return peaks[kind] ?? flops;
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
