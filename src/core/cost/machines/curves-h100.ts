import type { Arithmetic } from "../cost.ts";
import type { TrafficKind } from "../kernel.ts";

/**
 * Times of kernels on one chip, as functions of their sizes; `docs/cost.md` lists the measurements
 * to which each constant is fitted. Seconds, bytes and operations per second.
 */
export interface Curves {
  /** The chip's data sheet: the curves of other chips are scaled by the ratio of the peaks. */
  readonly peaks: Readonly<Record<Arithmetic, number>>;
  readonly memoryBandwidth: number;
  /** Units that run a tile each at a time. */
  readonly units: number;
  readonly products: Readonly<Record<Arithmetic, ProductCurve>>;
  readonly attention: AttentionCurve;
  readonly convolution: ConvolutionCurve;
  readonly traffic: Readonly<Record<TrafficKind, TrafficCurve>>;
}

/** A tile of a product's result, and the part of the rate that it reaches. */
export interface Tile {
  readonly rows: number;
  readonly columns: number;
  readonly reached: number;
}

/** Matrix products: waves of tiles. */
export interface ProductCurve {
  /** Operations per second of the whole chip while all its units work. */
  readonly rate: number;
  readonly start: number;
  /** Seconds of every wave of tiles in addition to its operations. */
  readonly wave: number;
  readonly tiles: readonly Tile[];
  /** Multiple to which a tile's inner axis is padded. */
  readonly step: number;
  /** Costs of splitting the inner axis: starting, and writing the partial sums. */
  readonly split: { readonly start: number; readonly bandwidth: number; readonly waves: number };
  /** Largest share of the rate that long kernels lose to the power limit. */
  readonly droop: number;
  readonly bandwidth: number;
  /** Share of the rate that remains if rows are not aligned to 16 bytes. */
  readonly unaligned: number;
}

export interface AttentionCurve {
  readonly start: Readonly<Record<"forward" | "backward", number>>;
  /** Operations per second, by the elements of a head. */
  readonly rate: Readonly<Record<"forward" | "backward", Table>>;
  /**
   * Rate for f32, whose kernels skip masked scores; fitted to the single measured f32 attention
   * step.
   */
  readonly plainRate: number;
  /**
   * Masked scores that are computed nevertheless: a share of all, and blocks along the diagonal (in
   * keys).
   */
  readonly masked: Readonly<
    Record<"forward" | "backward", { readonly part: number; readonly keys: number }>
  >;
  /** Multiple to which kernels of the backward pass pad queries and keys. */
  readonly padding: number;
  readonly streamStart: number;
  readonly bandwidth: number;
}

export interface ConvolutionCurve {
  /** Reached part of a product's rate. */
  readonly reached: number;
  /** Operations per second where channels do not fill a wide load. */
  readonly unalignedRate: number;
  readonly copyBandwidth: number;
}

/** A quantity by sizes, in ascending order; between two of them it is interpolated. */
export type Table = readonly (readonly [size: number, value: number])[];

export interface TrafficCurve {
  readonly start: number;
  /** Bytes per second; as a table, by the bytes of a row. */
  readonly bandwidth: number | Table;
  /** Bandwidth if the operands fit into the cache. */
  readonly cached?: number;
}

const micro = 1e-6;
const tera = 1e12;

const dense: ProductCurve = {
  rate: 845 * tera,
  start: 4.8 * micro,
  wave: 1.36 * micro,
  tiles: [
    { rows: 128, columns: 128, reached: 1 },
    { rows: 128, columns: 64, reached: 0.81 },
    { rows: 64, columns: 128, reached: 0.81 },
    { rows: 64, columns: 64, reached: 0.66 },
  ],
  step: 64,
  split: { start: 7.6 * micro, bandwidth: 2.5 * tera, waves: 1 },
  droop: 0.133,
  bandwidth: 2.75 * tera,
  unaligned: 0.12,
};

const plain: ProductCurve = {
  ...dense,
  rate: 54 * tera,
  start: 6.4 * micro,
  wave: 3.6 * micro,
  tiles: [
    { rows: 128, columns: 128, reached: 1 },
    { rows: 128, columns: 64, reached: 0.67 },
    { rows: 64, columns: 128, reached: 0.67 },
    { rows: 64, columns: 64, reached: 0.76 },
    { rows: 64, columns: 32, reached: 0.76 },
    { rows: 32, columns: 64, reached: 0.76 },
  ],
  step: 32,
  split: { start: 4.1 * micro, bandwidth: 2.5 * tera, waves: 4 },
  droop: 0,
  unaligned: 1,
};

const streaming = 2.98 * tera;

/** One H100 of 80 GB (SXM) whose kernels are launched eagerly, one by one. */
export const h100: Curves = {
  peaks: {
    bf16: 989 * tera,
    f16: 989 * tera,
    tf32: 494.5 * tera,
    f32: 67 * tera,
    f8: 1979 * tera,
    int8: 1979 * tera,
  },
  memoryBandwidth: 3.35 * tera,
  units: 132,
  products: {
    bf16: dense,
    f16: dense,
    tf32: { ...dense, rate: 845 * 0.52 * tera, start: 6.4 * micro },
    f32: plain,
    f8: { ...dense, rate: 845 * 1.88 * tera, droop: 0 },
    int8: { ...dense, rate: 845 * 1.88 * tera, droop: 0 },
  },
  attention: {
    start: { forward: 14 * micro, backward: 110 * micro },
    rate: {
      forward: [
        [64, 491 * tera],
        [128, 700 * tera],
      ],
      backward: [
        [64, 523 * tera],
        [128, 618 * tera],
      ],
    },
    plainRate: 30 * tera,
    masked: { forward: { part: 0.13, keys: 139 }, backward: { part: 0.02, keys: 299 } },
    padding: 128,
    streamStart: 4.8 * micro,
    bandwidth: 2.75 * tera,
  },
  convolution: { reached: 0.82, unalignedRate: 30 * tera, copyBandwidth: 2.6 * tera },
  traffic: {
    elementwise: { start: 2.6 * micro, bandwidth: streaming, cached: 3.6 * tera },
    activation: { start: 2.6 * micro, bandwidth: 2.78 * tera, cached: 3.3 * tera },
    dropout: { start: 2.6 * micro, bandwidth: 2.5 * tera },
    "row sum": { start: 2.6 * micro, bandwidth: 2.45 * tera },
    "column sum": { start: 5.6 * micro, bandwidth: 2.2 * tera },
    "transposing copy": { start: 2.6 * micro, bandwidth: 0.52 * tera },
    "layer norm": {
      start: 2.6 * micro,
      bandwidth: [
        [1024, 1.09 * tera],
        [1536, 1.37 * tera],
        [2048, 1.58 * tera],
        [3200, 1.79 * tera],
        [4096, 2.11 * tera],
        [8192, 2.14 * tera],
        [10240, 2.09 * tera],
        [16384, 1.84 * tera],
        [28672, 1.84 * tera],
        [32768, 1.75 * tera],
      ],
    },
    "rms norm": {
      start: 2.6 * micro,
      bandwidth: [
        [1024, 1.84 * tera],
        [1536, 2.13 * tera],
        [6144, 2.56 * tera],
        [8192, 2.0 * tera],
        [10240, 2.1 * tera],
        [16384, 1.89 * tera],
        [28672, 1.9 * tera],
        [32768, 1.6 * tera],
      ],
    },
    "layer norm backward": { start: 5.2 * micro, bandwidth: 2.1 * tera },
    "rms norm backward": { start: 5.2 * micro, bandwidth: 2.35 * tera },
    softmax: {
      start: 2.6 * micro,
      bandwidth: [
        [2048, 2.5 * tera],
        [4096, 1.1 * tera],
        [6144, 1.12 * tera],
        [8192, 1.25 * tera],
        [10240, 1.27 * tera],
        [16384, 1.01 * tera],
        [28672, 2.13 * tera],
        [32768, 1.8 * tera],
      ],
    },
    "softmax backward": { start: 2.6 * micro, bandwidth: 2.1 * tera },
    "long softmax": { start: 2.6 * micro, bandwidth: 2.65 * tera },
    lookup: { start: 2.6 * micro, bandwidth: 2.7 * tera },
    scatter: { start: 60 * micro, bandwidth: 1.5 * tera },
    "loss of classes": { start: 15 * micro, bandwidth: streaming },
    optimizer: { start: 0, bandwidth: 2.575 * tera },
  },
};
