import type { TensorId } from "#core/ir";
import { canvasSizes, space } from "./canvas-sizes.ts";

/** An item at a height (y). */
export interface At<T> {
  readonly item: T;
  readonly y: number;
}

/** A glyph at the left, with the badges below it. */
export interface LeftStack {
  readonly tensor: TensorId;
  readonly under: readonly At<number>[];
}

/** Heights and positions of glyph stacks, given the badges below each tensor's glyph. */
export function leftStacks(under: ReadonlyMap<TensorId, readonly number[]>) {
  const heightOf = (tensor: TensorId) =>
    canvasSizes.tensor + (under.get(tensor)?.length ?? 0) * step;
  const stackAt = (tensor: TensorId, y: number): At<LeftStack> => {
    const first = y + canvasSizes.tensor + space.under;
    const badges = (under.get(tensor) ?? []).map((item, at) => ({ item, y: first + at * step }));
    return { item: { tensor, under: badges }, y };
  };
  return { heightOf, stackAt };
}

const step = canvasSizes.badge + space.under;

/** Total height of items above each other, with gaps between them. */
export function stackHeight(heights: readonly number[]): number {
  const gaps = Math.max(heights.length - 1, 0) * space.stack;
  return heights.reduce((sum, height) => sum + height, gaps);
}
