import { type Factor, type Term, termOf } from "#core/collective";
import { attentionTerms } from "./attention-terms.ts";
import type { Hardware, KernelClass } from "./cost.ts";
import { type Kernel, operationsOf, type Traffic } from "./kernel.ts";
import { at, type ChipCurves, chipCurves, peakOf } from "./machines/chip-curves.ts";
import { convolutionTerms, productSeconds, productTerms } from "./product-terms.ts";
import { bytesOver, started, total } from "./term-parts.ts";

/** Share of the peak that is assumed for a chip without a known measurement. */
export const achievable = 0.7;

/** Modelled seconds of a kernel: the sum of its terms. */
export function kernelSeconds(kernel: Kernel, hardware: Hardware): number {
  return commonSeconds(kernel, hardware) ?? total(kernelTerms(kernel, hardware));
}

/**
 * `kernelSeconds` of the most frequent kernels, without making their terms; `undefined` for others.
 */
function commonSeconds(kernel: Kernel, hardware: Hardware): number | undefined {
  if (hardware.basis === "sheet" || kernel.share !== undefined) return undefined;
  if (kernel.class === "product") return productSeconds(kernel, chipCurves(hardware, "matmul"));
  if (kernel.class !== "traffic") return undefined;
  const chip = chipCurves(hardware, "memory");
  return chip.curves.traffic[kernel.kind].start + kernel.bytes / trafficRate(kernel, chip);
}

/** The seconds of a kernel as terms that add up to them. */
export function kernelTerms(kernel: Kernel, hardware: Hardware): readonly Term[] {
  const terms =
    hardware.basis === "sheet" ? sheetTerms(kernel, hardware) : curveTerms(kernel, hardware);
  const { share = 1 } = kernel;
  return share === 1 ? terms : terms.map((term) => shared(term, share));
}

function shared({ name, factors }: Term, share: number): Term {
  return termOf(name, [...factors, { symbol: "share of the kernel", value: share, unit: "1" }]);
}

function curveTerms(kernel: Kernel, hardware: Hardware): readonly Term[] {
  const chip = chipCurves(hardware, classOf(kernel));
  switch (kernel.class) {
    case "traffic":
      return trafficTerms(kernel, chip);
    case "product":
      return productTerms(kernel, chip);
    case "convolution":
      return convolutionTerms(kernel, chip);
    case "attention":
      return attentionTerms(kernel, chip);
  }
}

/** The class of a kernel by which shares of a peak are given. */
function classOf({ class: kind }: Kernel): KernelClass {
  if (kind === "traffic") return "memory";
  return kind === "product" ? "matmul" : kind;
}

/** Bytes that fit into the cache of the measured chip. */
const cache = 35e6;

function trafficTerms(kernel: Traffic, chip: ChipCurves): readonly Term[] {
  const { start } = chip.curves.traffic[kernel.kind];
  return [started(start), bytesOver("memory traffic", kernel.bytes, trafficRate(kernel, chip))];
}

function trafficRate({ kind, bytes, row = 0 }: Traffic, { curves, bandwidth: by }: ChipCurves) {
  const { bandwidth, cached } = curves.traffic[kind];
  const isCached = cached !== undefined && bytes <= cache;
  return (isCached ? cached : at(bandwidth, row)) * by;
}

/**
 * Terms from a data sheet alone: the larger of arithmetic and memory traffic, at a usual share of
 * each.
 */
function sheetTerms(kernel: Kernel, hardware: Hardware): readonly Term[] {
  const reached = (kernels: KernelClass): Factor => {
    const value = hardware.efficiencies?.[kernels] ?? achievable;
    return { symbol: "reached", value, unit: "1", divides: true };
  };
  const traffic = termOf("memory traffic", [
    { symbol: "read and written", value: kernel.bytes, unit: "B" },
    reached("memory"),
    {
      symbol: "memory bandwidth",
      value: hardware.memoryBandwidth,
      unit: "B/s",
      divides: true,
    },
  ]);
  if (kernel.class === "traffic") return [traffic];
  const arithmetic = termOf("arithmetic", [
    { symbol: "operations", value: operationsOf({ ...kernel, share: 1 }), unit: "FLOP" },
    reached(classOf(kernel)),
    { symbol: "peak", value: peakOf(hardware, kernel.arithmetic), unit: "FLOP/s", divides: true },
  ]);
  return [arithmetic.value > traffic.value ? arithmetic : traffic];
}
