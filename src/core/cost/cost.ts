import type { OperatorId } from "#core/ir";
import type { Link } from "#core/mesh";
import type { ValueId } from "#core/program";

/**
 * Basis of a figure: fitted to measurements of this chip, scaled from another chip's curves by peak
 * and bandwidth, or taken from its data sheet (cost.md §2).
 */
export type Basis = "measured" | "scaled" | "sheet";

/** Kinds of arithmetic in which a chip multiplies matrices. */
export const arithmetics = ["bf16", "f16", "tf32", "f32", "f8", "int8"] as const;

/** A kind of arithmetic in which a chip multiplies matrices. */
export type Arithmetic = (typeof arithmetics)[number];

/** Classes of kernels whose share of a peak, or of the memory's bandwidth, can be given. */
export const kernelClasses = ["matmul", "attention", "convolution", "memory"] as const;

/** Class of kernels whose efficiency (share of the hardware's peak) can be given. */
export type KernelClass = (typeof kernelClasses)[number];

/** Sources of the figures of a device, in words. */
export interface Sources {
  readonly peaks: string;
  /** Bytes of memory, and how fast they are read. */
  readonly memory: string;
  readonly within: string;
  readonly between: string;
  readonly launch: string;
}

/** Machine or device whose figures the reader's own figures replace. */
export interface GivenFrom {
  /** Text that `parseMachine` reads; absent if the own figures describe the whole device. */
  readonly machine?: string;
  /** The reader's own links inside a node and between nodes. */
  readonly within?: Link;
  readonly between?: Link;
}

/** Speeds, memory and overheads of a device and its links, in SI units. */
export interface Hardware {
  readonly name: string;
  /** Floating-point operations per second of one device, dense bf16. */
  readonly flops: number;
  /** Peaks of the chip's other kinds of arithmetic, in operations per second. */
  readonly peaks: Readonly<Partial<Record<Arithmetic, number>>>;
  /** Seconds in which the host launches one small kernel eagerly (cost.md §2). */
  readonly launch: number;
  readonly basis: Basis;
  /**
   * Slowdown factor of kernels in whole steps of several devices, against one device alone:
   * collectives occupy processors, and all share power. 1 if absent.
   */
  readonly crowding?: number;
  /** Devices that share a node; absent where links join neighbours alone, or nobody knows. */
  readonly node?: number;
  /** Bytes of memory of one device. */
  readonly memoryBytes: number;
  /** Bytes per second between a device and its memory. */
  readonly memoryBandwidth: number;
  /** The link between neighbours, also of mesh axes without a link of their own. */
  readonly link: { readonly latency: number; readonly bandwidth: number };
  /** Processors that share the pieces of a kernel in waves; absent if unknown. */
  readonly multiprocessors?: number;
  /** Share of its peak (of the memory's bandwidth) that a large kernel reaches, if given. */
  readonly efficiencies?: Readonly<Partial<Record<KernelClass, number>>>;
  /** Absent where the figures are the reader's own. */
  readonly sources?: Sources;
  /**
   * The reader's own figures: the words that they give, and the machine whose figures they replace.
   */
  readonly given?: { readonly from: GivenFrom; readonly words: readonly string[] };
}

/**
 * Modelled cost of one run: the length of its schedule, and sums over the steps of the program. The
 * figures of the whole are `NaN` if the shape of a tensor is unknown.
 */
export interface Cost {
  readonly seconds: number;
  readonly computeSeconds: number;
  readonly communicationSeconds: number;
  /**
   * Seconds of communication without concurrent compute (exposed), and with it (hidden; cost.md
   * §5).
   */
  readonly exposedSeconds: number;
  readonly hiddenSeconds: number;
  /** Host seconds to launch all operators; 0 if the host does not launch them one by one. */
  readonly hostSeconds: number;
  /** Whether devices or the host decide `seconds`. */
  readonly limit: "device" | "host";
  /** Operations of the busiest device. */
  readonly flops: number;
  readonly basis: Basis;
  /** Bytes that the busiest device receives, summed over the collectives. */
  readonly bytes: number;
  readonly operators: readonly { readonly operator: OperatorId; readonly seconds: number }[];
  /**
   * Per kind of collective and set of axes: count, bytes and seconds. Collectives in one bucket pay
   * their latency once, so the seconds may be less than the sum over their steps.
   */
  readonly collectives: readonly {
    readonly collective: string;
    readonly axes: readonly string[];
    readonly count: number;
    readonly bytes: number;
    readonly seconds: number;
  }[];
}

/** Peak memory of one device: its bytes, and the pieces alive then; `NaN` as in `Cost`. */
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
  /** Bytes that the optimizer keeps between steps. */
  readonly optimizerBytes: number;
  /** Bytes that the kernel running at the peak takes for itself. */
  readonly workspaceBytes: number;
  /** Bytes that a block allocator takes in addition to the peak; not included in it. */
  readonly reservedBytes: number;
  /** The pieces alive at the peak, largest first; their bytes add up to it. */
  readonly alive: readonly HeldBytes[];
}

/** Piece of a device's memory. */
export interface HeldBytes {
  readonly value: ValueId;
  /**
   * Kind of memory that belongs to the value without being it, such as `mask`; absent for the value
   * itself.
   */
  readonly what?: string;
  /** Whether it is the workspace of a kernel, there only while the kernel runs. */
  readonly isWorkspace?: true;
  readonly bytes: number;
}
