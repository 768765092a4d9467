import type { OperatorId } from "#core/ir";
import type { ValueId } from "#core/program";

/**
 * Where a figure comes from: fitted to measurements of this very chip, scaled from another chip's
 * curves by peak and bandwidth, or from its data sheet alone (cost.md §2).
 */
export type Basis = "measured" | "scaled" | "sheet";

/** Kinds of arithmetic in which a chip multiplies matrices. */
export type Arithmetic = "bf16" | "f16" | "tf32" | "f32" | "f8" | "int8";

/** What a device and its links can do; SI units. */
export interface Hardware {
  readonly name: string;
  /** Floating-point operations per second of one device, dense bf16. */
  readonly flops: number;
  /** The same of other kinds of arithmetic, where the chip has them. */
  readonly peaks: Readonly<Partial<Record<Arithmetic, number>>>;
  /** Seconds in which the host launches one small kernel eagerly (cost.md §2). */
  readonly launch: number;
  readonly basis: Basis;
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
  /** Of the communication, what nothing runs beside, and what compute hides (cost.md §5). */
  readonly exposedSeconds: number;
  readonly hiddenSeconds: number;
  /** What the host needs to launch everything; 0 where it launches nothing one by one. */
  readonly hostSeconds: number;
  /** Which of them decides `seconds`. */
  readonly limit: "device" | "host";
  /** Operations of the busiest device. */
  readonly flops: number;
  readonly basis: Basis;
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
  /** Bytes between the passes; `NaN` where there is no backward pass. */
  readonly afterForwardBytes: number;
  /** Bytes while each step of `flatSteps(program)` runs. */
  readonly curve: readonly number[];
  readonly parameterBytes: number;
  readonly inputBytes: number;
  readonly activationBytes: number;
  readonly gradientBytes: number;
  /** What the optimizer keeps between steps. */
  readonly optimizerBytes: number;
  /** What the kernel that runs at the peak takes for itself. */
  readonly workspaceBytes: number;
  /** What an allocator in blocks takes beside the peak; no part of it. */
  readonly reservedBytes: number;
  /** What is alive at the peak, largest first; together it is the peak. */
  readonly alive: readonly HeldBytes[];
}

/** A piece of memory that a device holds. */
export interface HeldBytes {
  readonly value: ValueId;
  /** What it is where it is not the value itself, but kept or taken beside it. */
  readonly what?: string;
  /** A kernel takes it while it runs. */
  readonly isWorkspace?: true;
  readonly bytes: number;
}
