import type { BoundCall } from "#core/ir";
import type { Expr } from "#core/ir/body";
import type { BufferId } from "./gpu-program.ts";
import type { KernelText, Term } from "./kernel-text.ts";

/** Threads that may read for each other. */
export const quadSize = 4;

/** The number of a thread in its quad. */
export const quadLane: Term = {
  ...{ text: "quad", kind: "index", depth: 0, varies: true },
  ...{ low: 0, high: quadSize - 1 },
};

/** An index of a kernel: its value inside the instance's part, and the start of that part. */
export interface Register {
  readonly local: Term;
  /** Starts in the whole index, per instance. */
  readonly starts: readonly number[];
  /**
   * For a loop unrolled into four steps side by side: the index of this step among them, and the
   * first step.
   */
  readonly quad?: { readonly at: number; readonly first: Term };
}

/** A block of an operand, addressed by the tensor's own indices. */
export interface BlockView {
  readonly buffer: BufferId;
  readonly strides: readonly number[];
  readonly lengths: readonly number[];
  /**
   * For each instance: the start of the block in the tensor, and the word of the tensor's origin.
   */
  readonly starts: readonly (readonly number[])[];
  readonly origins: readonly number[];
}

/** An operand of all instances of a kernel. */
export interface OperandViews {
  readonly shape: readonly number[];
  /** The block that contains the instance's part; `undefined` if none does. */
  readonly main: BlockView | undefined;
  readonly all: readonly BlockView[];
}

/** An intermediate result: a buffer with one entry per point of its axes, dense per instance. */
export interface TableView {
  readonly buffer: BufferId;
  readonly axes: readonly { readonly axis: string; readonly stride: number }[];
  readonly size: number;
  /** The part of the buffer that each instance reads; its own number if absent. */
  readonly places?: readonly number[];
}

/** The names that an expression may use. */
export interface Scope {
  readonly text: KernelText;
  readonly call: BoundCall;
  readonly isExact: boolean;
  /** Whether the four threads of a quad may read for each other. */
  readonly hasQuads: boolean;
  readonly instances: number;
  readonly registers: ReadonlyMap<string, Register>;
  readonly operands: readonly (OperandViews | undefined)[];
  /** Tables by name: stored ones, ones computed at each read, and sums at hand. */
  readonly tables: ReadonlyMap<string, TableView | Expr | Term>;
}
