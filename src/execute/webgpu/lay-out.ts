import type { Blocks } from "#core/collective";
import { volumeOf } from "#core/indexspace";
import { boxesByIndex } from "#core/mesh";
import type { Value } from "#core/program";
import type { HeldBlock, Holding, Numbers } from "./program-builder.ts";

/** Alignment in words of each device's part of a value, so that the part can be bound alone. */
const alignment = 64;

/**
 * Places of a value's blocks in its buffer: device by device, each device's blocks one after the
 * other.
 */
export function layOut({ layout, held }: Value, shape: readonly number[]) {
  const boxes = held ?? boxesByIndex(layout, shape);
  let words = 0;
  const blocks = new Map(
    layout.mesh.devices.map((device, index) => {
      const own = (boxes[index] ?? []).map((box): HeldBlock => {
        const block = { box, base: words };
        words += volumeOf(box);
        return block;
      });
      words = Math.ceil(words / alignment) * alignment;
      return [device, own] as const;
    }),
  );
  return { words, blocks };
}

/** A whole tensor as words of a run's numbers. */
export function wholeWords(values: Float64Array, { type }: Numbers): Uint32Array {
  const numbers = type === "f32" ? Float32Array.from(values) : Int32Array.from(values);
  return new Uint32Array(numbers.buffer);
}

/** The blocks of a value, from the words of its buffer. */
export function blocksFrom({ blocks }: Holding, words: ArrayBuffer, { type }: Numbers): Blocks {
  const numbers = type === "f32" ? new Float32Array(words) : new Int32Array(words);
  return new Map(
    [...blocks].map(([device, held]) => [
      device,
      held.map(({ box, base }) => {
        const values = Float64Array.from(numbers.subarray(base, base + volumeOf(box)));
        return { box, values };
      }),
    ]),
  );
}
