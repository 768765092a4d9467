import type { TupleCall } from "./call.ts";

/** A gather with its parameter, its indices and the dim that they index. */
export interface GatherCall extends TupleCall {
  readonly param: readonly number[];
  readonly indices: readonly number[];
  readonly axis: number;
  readonly batchDims: number;
  readonly paramCut: readonly number[];
  readonly indexCut: readonly number[];
}
