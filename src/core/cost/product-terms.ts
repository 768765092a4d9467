import { type Term, termOf } from "#core/collective";
import type { Convolution, Product } from "./kernel.ts";
import type { ChipCurves } from "./machines/chip-curves.ts";
import type { ProductCurve, Tile } from "./machines/curves-h100.ts";
import { bytesOver, operationsOver, started, total } from "./term-parts.ts";

/** Tiling of a product; the fastest of all possible tilings is used. */
interface Tiling {
  readonly tile: Tile;
  /** Number of parts into which the inner axis is split. */
  readonly split: number;
  readonly waves: number;
  /** Operations of one tile. */
  readonly operations: number;
  readonly seconds: number;
}

type Sizes = Pick<Product, "batch" | "rows" | "columns" | "inner">;

/** The rates that limit a matrix product on a chip. */
interface Rates {
  readonly curve: ProductCurve;
  readonly units: number;
  /** Operations per second of one unit. */
  readonly rate: number;
  readonly bandwidth: number;
}

/**
 * Seconds of a matrix product. Its tiles run in waves, each of as many tiles as the chip has units;
 * a last wave of few tiles takes as long as a full one. The seconds are at least those of its
 * bytes.
 */
export function productTerms(product: Product | Convolution, chip: ChipCurves): readonly Term[] {
  const rates = ratesOf(product, chip);
  const { curve, bandwidth } = rates;
  const tiled = tilingTerms(bestTiling(product, rates), product, rates);
  const streamed = [
    started(curve.start),
    bytesOver("memory traffic", product.bytes, curve.bandwidth * bandwidth),
  ];
  return total(tiled) >= total(streamed) ? tiled : streamed;
}

/** The sum of `productTerms`, without making the terms. */
export function productSeconds(product: Product, chip: ChipCurves): number {
  const rates = ratesOf(product, chip);
  const { curve, bandwidth } = rates;
  const streamed = curve.start + product.bytes / (curve.bandwidth * bandwidth);
  const tiled = tilingSeconds(bestTiling(product, rates), product, rates);
  if (tiled >= streamed) return tiled;
  return streamed;
}

/** The sum of `tilingTerms`, made in the same order. */
function tilingSeconds(tiling: Tiling, sizes: Sizes, rates: Rates): number {
  const { tile, split, waves, operations, seconds } = tiling;
  const { curve, rate, bandwidth } = rates;
  const slower = 1 + curve.droop * droopShare(seconds);
  const arithmetic = (waves * operations) / (rate * tile.reached);
  const whole = curve.start * slower + waves * curve.wave * slower + arithmetic * slower;
  if (split === 1) return whole;
  const sums = splitBytes(sizes, split) / (curve.split.bandwidth * bandwidth);
  return whole + curve.split.start * slower + sums * slower;
}

function ratesOf({ arithmetic, isAligned }: Product | Convolution, chip: ChipCurves): Rates {
  const { curves } = chip;
  const curve = curves.products[arithmetic];
  const reached = isAligned ? 1 : curve.unaligned;
  const rate = (curve.rate * chip.arithmetic(arithmetic) * reached) / curves.units;
  return { curve, units: curves.units, rate, bandwidth: chip.bandwidth };
}

const splits = [1, 2, 4, 8, 16];
/** Least length of the parts of a split inner axis. */
const leastInner = 256;

function bestTiling(sizes: Sizes, rates: Rates): Tiling {
  const { curve, units, rate, bandwidth } = rates;
  let best: Tiling | undefined;
  for (const tile of curve.tiles) {
    const tiles =
      sizes.batch * Math.ceil(sizes.rows / tile.rows) * Math.ceil(sizes.columns / tile.columns);
    for (const split of splits) {
      const isTooFine =
        tiles * split > curve.split.waves * units || sizes.inner / split < leastInner;
      if (split > 1 && isTooFine) break;
      const waves = Math.ceil((tiles * split) / units);
      const inner = Math.ceil(Math.ceil(sizes.inner / split) / curve.step) * curve.step;
      const operations = 2 * tile.rows * tile.columns * inner;
      const working = waves * (curve.wave + operations / (rate * tile.reached));
      const seconds = curve.start + working + splitSeconds(sizes, split, curve, bandwidth);
      if (best === undefined || seconds < best.seconds)
        best = { tile, split, waves, operations, seconds };
    }
  }
  if (best === undefined) throw new Error("a chip without tiles");
  return best;
}

function splitSeconds(
  { batch, rows, columns }: Sizes,
  split: number,
  { split: cost }: ProductCurve,
  bandwidth: number,
): number {
  return split === 1
    ? 0
    : cost.start + splitBytes({ batch, rows, columns }, split) / (cost.bandwidth * bandwidth);
}

/** Bytes of the f32 sums that the parts of a split write. */
function splitBytes({ batch, rows, columns }: Omit<Sizes, "inner">, split: number): number {
  return 4 * batch * rows * columns * split;
}

function tilingTerms(tiling: Tiling, sizes: Sizes, rates: Rates): readonly Term[] {
  const { tile, split, waves, operations, seconds } = tiling;
  const { curve, rate, bandwidth } = rates;
  const wave = { symbol: "waves of tiles", value: waves, unit: "1" } as const;
  const terms = [
    started(curve.start),
    termOf("waves", [wave, { symbol: "a wave's start", value: curve.wave, unit: "s" }]),
    termOf("arithmetic", [
      wave,
      {
        symbol: `operations of a tile ${tile.rows}×${tile.columns}`,
        value: operations,
        unit: "FLOP",
      },
      { symbol: "rate of a unit", value: rate * tile.reached, unit: "FLOP/s", divides: true },
    ]),
    ...(split === 1
      ? []
      : [
          termOf("split", [{ symbol: "start", value: curve.split.start, unit: "s" }]),
          bytesOver(
            "sums of the split",
            splitBytes(sizes, split),
            curve.split.bandwidth * bandwidth,
          ),
        ]),
  ];
  const slower = 1 + curve.droop * droopShare(seconds);
  return slower === 1 ? terms : terms.map((term) => times(term, "power", slower));
}

/**
 * Share of the `droop` (loss of clock rate to the power limit) at a duration: 0 up to 100 µs, all
 * of it from 30 × 100 µs on.
 */
function droopShare(seconds: number): number {
  return Math.min(1, Math.max(0, Math.log(seconds / 100e-6) / Math.log(30)));
}

function times({ name, factors }: Term, symbol: string, value: number): Term {
  return termOf(name, [...factors, { symbol, value, unit: "1" }]);
}

/** A convolution: its product, and the copies that lay its operands out for it. */
export function convolutionTerms(kernel: Convolution, chip: ChipCurves): readonly Term[] {
  const { copyBandwidth, reached, unalignedRate } = chip.curves.convolution;
  const copies =
    kernel.copiedBytes === 0
      ? []
      : [bytesOver("channels last", kernel.copiedBytes, copyBandwidth * chip.bandwidth)];
  if (kernel.isAligned) {
    const part = kernel.copiedBytes === 0 ? 1 : reached;
    return [
      ...productTerms(kernel, chip).map((term) => times(term, "reached", 1 / part)),
      ...copies,
    ];
  }
  const { batch, rows, columns, inner } = kernel;
  const rate = unalignedRate * chip.arithmetic(kernel.arithmetic);
  return [
    started(ratesOf(kernel, chip).curve.start),
    operationsOver("arithmetic", 2 * batch * rows * columns * inner, rate),
    ...copies,
  ];
}
