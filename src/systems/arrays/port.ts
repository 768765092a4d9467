import type { DType } from "#core/ir";
import type { Layout } from "#core/mesh";
import type { HeldBlocks } from "./held-blocks.ts";

/** A tensor that comes in or goes out: its variable, sizes, dtype and layout. */
export interface Port {
  readonly name: string;
  readonly shape: readonly number[];
  readonly dtype: DType;
  readonly layout: Layout;
  readonly blocks: HeldBlocks;
}
