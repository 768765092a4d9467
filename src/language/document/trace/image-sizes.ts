import type { Memory } from "./memory.ts";

/** Heights and widths of images in published models, most usual first. */
const usualSides: readonly number[] = [32, 28, 64, 224, 96, 128, 256, 299, 384, 512];

/** A number that the text names an image size: `img_size=224`, `image_size: int = 32`. */
const namedSide = /(?:im(?:a?ge?)?|input)_?(?:size|resolution)[ :\w]{0,16}= ?[([]?(\d{2,3})\b/gu;

/** Rank of images: batch, channels, height and width. */
export const imageRank = 4;

/** First dim after batch and channels. */
const firstSpatial = 2;

const channelDim = 1;

/** RGB: assumed channels of an image when no layer requires another number. */
const usualChannels = 3;

/**
 * Memories for a text whose image size is open, one per usual size; empty for a text without
 * images. A layer that flattens convolution results has an input width that depends on the image
 * size, and a patch layer one that depends on the channels. No rule inverts that, so sizes are
 * tried; those that the text names as image sizes come first.
 *
 * @param set size in the settings of the text's modules
 */
export function* imagesFor(memory: Memory, source: string, set?: number): Generator<Memory> {
  const written = new Set([...source.matchAll(namedSide)].map(([, side]) => Number(side)));
  if (set !== undefined) written.add(set);
  const all = new Set([...(set === undefined ? [] : [set]), ...usualSides]);
  const sides = [...all].toSorted((a, b) => Number(written.has(b)) - Number(written.has(a)));
  for (const side of sides)
    for (const channels of written.has(side)
      ? [usualChannels, undefined]
      : [undefined, usualChannels]) {
      const known = withImages(memory, side, channels);
      if (known !== undefined) yield known;
    }
}

/**
 * Memory with images of the given side, and the given number of channels where it is open;
 * `undefined` when nothing changes.
 */
function withImages(memory: Memory, side: number, channels?: number): Memory | undefined {
  let isOther = false;
  const leaves = memory.leaves.map((leaf) => {
    if (leaf.role !== "input") return leaf;
    const isOpenChannel = leaf.defaults[channelDim] === true && leaf.shape.length >= imageRank;
    const shape = leaf.shape.map((size, dim) => {
      if (dim >= firstSpatial && leaf.defaults[dim] === true) return side;
      return dim === channelDim && isOpenChannel ? (channels ?? size) : size;
    });
    const isNew = channels === undefined || isOpenChannel;
    isOther ||= isNew && shape.some((size, dim) => size !== leaf.shape[dim]);
    return { ...leaf, shape };
  });
  return isOther ? { ...memory, leaves } : undefined;
}
