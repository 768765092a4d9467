import type { BoundCall } from "#core/ir";
import type { Expr } from "#core/ir/body";
import type { BufferId } from "./gpu-program.ts";
import type { KernelText, Term } from "./kernel-text.ts";

/** Threads that may read for each other. */
export const quadSize = 4;

/** Which of its quad a thread is. */
export const quadLane: Term = {
  ...{ text: "quad", kind: "index", depth: 0, varies: true },
  ...{ low: 0, high: quadSize - 1 },
};

/** An index of a kernel: where it stands in the instance's part, and where that part begins. */
export interface Register {
  readonly local: Term;
  /** Per instance, in the whole index. */
  readonly starts: readonly number[];
  /** Of a loop of which four steps stand side by side: which of them it is, and the first. */
  readonly quad?: { readonly at: number; readonly first: Term };
}

/** A block of an operand, addressed by the tensor's own indices. */
export interface BlockView {
  readonly buffer: BufferId;
  readonly strides: readonly number[];
  readonly lengths: readonly number[];
  /** Per instance: where the block begins in the tensor, and the word of the tensor's origin. */
  readonly starts: readonly (readonly number[])[];
  readonly origins: readonly number[];
}

/** An operand of all instances of a kernel. */
export interface OperandViews {
  readonly shape: readonly number[];
  /** The block that the instance's part lies in; absent where no block has it. */
  readonly main: BlockView | undefined;
  readonly all: readonly BlockView[];
}

/** An intermediate result: a buffer with one entry per point of its axes, dense per instance. */
export interface TableView {
  readonly buffer: BufferId;
  readonly axes: readonly { readonly axis: string; readonly stride: number }[];
  readonly size: number;
  /** Which part of the buffer each instance reads; its own number when absent. */
  readonly places?: readonly number[];
}

/** What an expression may name. */
export interface Scope {
  readonly text: KernelText;
  readonly call: BoundCall;
  readonly isExact: boolean;
  /** Whether the four threads of a quad may read for each other. */
  readonly hasQuads: boolean;
  readonly instances: number;
  readonly registers: ReadonlyMap<string, Register>;
  readonly operands: readonly (OperandViews | undefined)[];
  /** Tables by name: stored ones, ones that are computed where they are read, and sums at hand. */
  readonly tables: ReadonlyMap<string, TableView | Expr | Term>;
}
