import type { Arithmetic } from "./cost.ts";

/** Kind of memory traffic of a kernel; each kind has its own rate (`Curves.traffic`). */
export type TrafficKind =
  | "elementwise"
  | "activation"
  | "dropout"
  | "row sum"
  | "column sum"
  | "transposing copy"
  | "layer norm"
  | "rms norm"
  | "layer norm backward"
  | "rms norm backward"
  | "softmax"
  | "softmax backward"
  | "long softmax"
  | "lookup"
  | "scatter"
  | "loss of classes"
  | "optimizer";

/** Bytes that a kernel reads and writes, with next to no arithmetic. */
export interface Traffic {
  readonly class: "traffic";
  readonly kind: TrafficKind;
  readonly bytes: number;
  /** Bytes of a row that is reduced, where the rate depends on them. */
  readonly row?: number;
}

/** `batch` products of `[rows, inner]` and `[inner, columns]`. */
export interface Product {
  readonly class: "product";
  readonly arithmetic: Arithmetic;
  readonly batch: number;
  readonly rows: number;
  readonly columns: number;
  readonly inner: number;
  readonly bytes: number;
  /** Whether rows start at addresses that wide loads can read. */
  readonly isAligned: boolean;
}

/** Convolution as a matrix product: output positions × kernel. */
export interface Convolution extends Omit<Product, "class"> {
  readonly class: "convolution";
  /** Bytes that are rearranged before and after, for kernels that need channels last. */
  readonly copiedBytes: number;
}

/** `softmax(q kᵀ) v` without the scores in memory, or its gradients. */
export interface Attention {
  readonly class: "attention";
  readonly pass: "forward" | "backward";
  readonly arithmetic: Arithmetic;
  /** Batch × query heads. */
  readonly batch: number;
  readonly queries: number;
  readonly keys: number;
  /** Elements of a head of queries and keys, and of values. */
  readonly width: number;
  readonly valueWidth: number;
  /** Share of the scores that are not masked away; 1 where all count. */
  readonly visible: number;
  readonly bytes: number;
}

/** A kernel that a device runs for an operator, by its class and sizes. */
export type Kernel = (Traffic | Product | Convolution | Attention) & {
  /** The operator's share of a kernel that computes the results of several operators. */
  readonly share?: number;
};

/** Multiplications and additions of a kernel, in matrix products. */
export function operationsOf(kernel: Kernel): number {
  const share = kernel.share ?? 1;
  switch (kernel.class) {
    case "traffic":
      return 0;
    case "attention": {
      const { batch, queries, keys, width, valueWidth, visible } = kernel;
      const forward = 2 * batch * queries * keys * (width + valueWidth) * visible;
      return share * forward * (kernel.pass === "forward" ? 1 : recomputing);
    }
    default: {
      const { batch, rows, columns, inner } = kernel;
      return share * 2 * batch * rows * columns * inner;
    }
  }
}

/** Five products in place of two: a backward pass that makes the scores again. */
export const recomputing = 2.5;
