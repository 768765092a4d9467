import type { OperatorId } from "#core/ir";
import type { ValueId } from "#core/program";

/** What a device and its links can do; SI units. */
export interface Hardware {
  readonly name: string;
  /** Floating-point operations per second of one device, dense bf16. */
  readonly flops: number;
  /** Devices that share a node; absent where links join neighbours alone, or nobody knows. */
  readonly node?: number;
  /** Bytes of memory of one device. */
  readonly memoryBytes: number;
  /** Bytes per second between a device and its memory. */
  readonly memoryBandwidth: number;
  /** Between neighbours; what an axis without a link of its own is modelled with. */
  readonly link: { readonly latency: number; readonly bandwidth: number };
}

/**
 * Modelled cost of one run: sums over the steps of the program. The figures of the whole are `NaN`
 * where nobody knows the shape of a tensor.
 */
export interface Cost {
  readonly seconds: number;
  readonly computeSeconds: number;
  readonly communicationSeconds: number;
  /** Bytes that the busiest device receives, summed over the collectives. */
  readonly bytes: number;
  readonly operators: readonly { readonly operator: OperatorId; readonly seconds: number }[];
  /** Per kind of collective and set of axes: how often, bytes and seconds. */
  readonly collectives: readonly {
    readonly collective: string;
    readonly axes: readonly string[];
    readonly count: number;
    readonly bytes: number;
    readonly seconds: number;
  }[];
}

/** Bytes of one device at the moment when most are alive, and what they are; `NaN` as in `Cost`. */
export interface Memory {
  readonly peakBytes: number;
  readonly parameterBytes: number;
  readonly inputBytes: number;
  readonly activationBytes: number;
  readonly gradientBytes: number;
  /** What the optimizer keeps between steps. */
  readonly optimizerBytes: number;
  /** Values alive at the peak, largest first. */
  readonly alive: readonly { readonly value: ValueId; readonly bytes: number }[];
}
