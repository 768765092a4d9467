/** Index of a buffer of a run: of a value, a table, or data on its way between devices. */
export type BufferId = number;

/** A buffer that a run needs. */
export interface BufferPlan {
  readonly label: string;
  /** Size in words of four bytes. */
  readonly words: number;
  /** Content before the first command; zeros if absent. */
  readonly content?: Uint32Array;
}

/** One dispatch of a kernel. */
export interface KernelCommand {
  readonly kind: "kernel";
  readonly label: string;
  readonly code: string;
  readonly buffers: readonly BufferId[];
  /** Range of the program's `rows` that the kernel reads, bound after the buffers. */
  readonly rows?: { readonly offset: number; readonly words: number };
  readonly workgroups: readonly [number, number, number];
  /**
   * For a kernel that may be dispatched in parts: its number among such kernels (`slot`), and all
   * its workgroups.
   */
  readonly cut?: { readonly slot: number; readonly groups: number };
  /**
   * Estimated operations of all threads, by which commands are submitted in batches of equal time.
   */
  readonly work: number;
}

/** Words that move between two buffers, in runs. */
export interface CopyCommand {
  readonly kind: "copy";
  readonly label: string;
  readonly source: BufferId;
  readonly target: BufferId;
  readonly runs: readonly { readonly from: number; readonly to: number; readonly words: number }[];
  readonly work: number;
}

/** A command of a planned run: a dispatch of a kernel, or a copy between buffers. */
export type GpuCommand = KernelCommand | CopyCommand;

/** Everything that a run does on the device, known before it begins. */
export interface GpuProgram {
  readonly buffers: readonly BufferPlan[];
  readonly commands: readonly GpuCommand[];
  /** Parameters that kernels read instead of literals, for all kernels one after the other. */
  readonly rows: Int32Array;
}
