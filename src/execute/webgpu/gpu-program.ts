/** A buffer of a run: one per value, table or wire. */
export type BufferId = number;

/** A buffer that a run needs. */
export interface BufferPlan {
  readonly label: string;
  /** In words of four bytes. */
  readonly words: number;
  /** What stands in it before the first command; else zeros. */
  readonly content?: Uint32Array;
}

/** One dispatch of a kernel. */
export interface KernelCommand {
  readonly kind: "kernel";
  readonly label: string;
  readonly code: string;
  readonly buffers: readonly BufferId[];
  /** The part of the program's rows that stands behind the buffers, if the kernel reads one. */
  readonly rows?: { readonly offset: number; readonly words: number };
  readonly workgroups: readonly [number, number, number];
  /** Of a kernel that may be run part by part: its number among those, and all its workgroups. */
  readonly cut?: { readonly slot: number; readonly groups: number };
  /** Operations of all threads, about: for pieces of equal length. */
  readonly work: number;
}

/** Words that move between two buffers, run by run. */
export interface CopyCommand {
  readonly kind: "copy";
  readonly label: string;
  readonly source: BufferId;
  readonly target: BufferId;
  readonly runs: readonly { readonly from: number; readonly to: number; readonly words: number }[];
  readonly work: number;
}

export type GpuCommand = KernelCommand | CopyCommand;

/** Everything that a run does on the device, known before it begins. */
export interface GpuProgram {
  readonly buffers: readonly BufferPlan[];
  readonly commands: readonly GpuCommand[];
  /** What instances of kernels read instead of literals, of all kernels one after the other. */
  readonly rows: Int32Array;
}
