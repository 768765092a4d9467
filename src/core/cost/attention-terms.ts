import type { Term } from "#core/collective";
import { type Attention, operationsOf, recomputing } from "./kernel.ts";
import { at, type ChipCurves } from "./machines/chip-curves.ts";
import { bytesOver, operationsOver, started, total } from "./term-parts.ts";

/**
 * The seconds of attention: the longer of its arithmetic and its memory traffic. The rate of the
 * arithmetic depends on the width of a head; a causal mask saves less than it hides, since blocks
 * on the diagonal are computed whole.
 */
export function attentionTerms(kernel: Attention, chip: ChipCurves): readonly Term[] {
  const { attention: curve } = chip.curves;
  const { pass, arithmetic } = kernel;
  const isDense = arithmetic !== "f32" && arithmetic !== "tf32";
  const rate = isDense ? at(curve.rate[pass], kernel.width) : curve.plainRate;
  const operations = isDense
    ? flashOperations(kernel, chip)
    : operationsOf({ ...kernel, share: 1 });
  const computed = [
    started(curve.start[pass]),
    operationsOver("arithmetic", operations, rate * chip.arithmetic(arithmetic)),
  ];
  const streamed = [
    started(curve.streamStart),
    bytesOver("memory traffic", kernel.bytes, curve.bandwidth * chip.bandwidth),
  ];
  return total(computed) >= total(streamed) ? computed : streamed;
}

/** Operations of flash kernels, including those of masked scores in computed blocks. */
function flashOperations(kernel: Attention, { curves }: ChipCurves): number {
  const { pass, batch, width, valueWidth, visible } = kernel;
  const { masked, padding } = curves.attention;
  const padded = (length: number) =>
    pass === "forward" ? length : Math.ceil(length / padding) * padding;
  const { part, keys } = masked[pass];
  const share = visible === 1 ? 1 : Math.min(1, visible + part + keys / kernel.keys);
  const products = 2 * batch * padded(kernel.queries) * padded(kernel.keys) * (width + valueWidth);
  return share * products * (pass === "forward" ? 1 : recomputing);
}
