import type { Memory } from "./memory.ts";

/** Heights and widths of images that models are published for, the most usual first. */
export const usualSides: readonly number[] = [32, 28, 64, 224, 96, 128, 256, 299, 384, 512];

/** Batch, channels, height and width. */
export const imageRank = 4;

/** The dims of an image, or of a row of samples, that follow batch and channels. */
const firstSpatial = 2;

const channelDim = 1;

/** Red, green and blue: what an image has where no layer asks for another number. */
const usualChannels = 3;

/**
 * What is known of a text where images that nobody gave are so high and wide; nothing where it has
 * none. A layer behind convolutions that flattens them has as many inputs as one size of image
 * leaves, which no rule works out backwards: sizes are tried instead.
 */
export function withImages(memory: Memory, side: number): Memory | undefined {
  let hasImages = false;
  const leaves = memory.leaves.map((leaf) => {
    const isSide = (dim: number) => dim >= firstSpatial && leaf.defaults[dim] === true;
    if (leaf.role !== "input" || !leaf.shape.some((_, dim) => isSide(dim))) return leaf;
    hasImages = true;
    const isOpenChannel = leaf.defaults[channelDim] === true && leaf.shape.length > imageRank - 1;
    const sized = (size: number, dim: number) =>
      isSide(dim) ? side : dim === channelDim && isOpenChannel ? usualChannels : size;
    return { ...leaf, shape: leaf.shape.map(sized) };
  });
  return hasImages ? { ...memory, leaves } : undefined;
}
