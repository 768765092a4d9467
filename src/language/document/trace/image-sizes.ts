import type { Memory } from "./memory.ts";

/** Heights and widths of images that models are published for, the most usual first. */
const usualSides: readonly number[] = [32, 28, 64, 224, 96, 128, 256, 299, 384, 512];

/** A number that a text calls the size of an image: `img_size=224`, `image_size: int = 32`. */
const namedSide = /(?:im(?:a?ge?)?|input)_?(?:size|resolution)[ :\w]{0,16}= ?[([]?(\d{2,3})\b/gu;

/** Batch, channels, height and width. */
export const imageRank = 4;

/** The dims of an image, or of a row of samples, that follow batch and channels. */
const firstSpatial = 2;

const channelDim = 1;

/** Red, green and blue: what an image has where no layer asks for another number. */
const usualChannels = 3;

/**
 * Facts of a text whose image size nothing determines, at each usual size in turn; empty for a text
 * without images. A layer that flattens the result of convolutions has an input width that follows
 * from the image size, and a layer over patches one that follows from the channels; no rule inverts
 * that, so sizes are tried. Sizes that the text names as an image's size come first.
 *
 * @param set the size in the settings of the text's modules
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

/** Images so high and wide; of so many channels, where nothing says how many. */
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
