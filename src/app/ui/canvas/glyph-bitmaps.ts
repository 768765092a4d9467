import { createContext } from "react";
import type { Size } from "#app/scene";
import { type DrawnTensor, glyphOf, orientationKey } from "#app/scene/glyph";
import { type SvgTheme, svgColours } from "#app/scene/svg";
import { layoutKey } from "#core/mesh";
import { paintMarks } from "./mark-painter.ts";

/** Drawings of tensors as pictures: equal ones are painted once. */
export interface GlyphBitmaps {
  readonly of: (tensor: DrawnTensor, size: Size, theme: SvgTheme) => GlyphBitmap | undefined;
}

/**
 * A painted drawing and its size in CSS pixels; a small one has an address too, to be shown as an image:
 * each canvas would be a layer of the page, and hundreds of these take longer than all that is painted.
 */
export interface GlyphBitmap extends Size {
  readonly image: OffscreenCanvas | HTMLCanvasElement;
  readonly address?: string;
}

/** The largest area of a small one, in CSS pixels. */
const mostSmall = 2_400;

/** Pixels per CSS pixel: sharp up to the largest zoom. */
const fine = 2;
const most = 600;

/** Lives as long as the canvas; when it is full it begins anew. */
export function createGlyphBitmaps(): GlyphBitmaps {
  const painted = new Map<string, GlyphBitmap | undefined>();
  return {
    of: (tensor, size, theme) => {
      const { layout, shape, orientation, unverified = "", halos } = tensor;
      const { width, height } = size;
      const read = halos === undefined ? "" : JSON.stringify(halos);
      const sides = orientationKey(orientation);
      const words = [
        theme,
        width,
        height,
        shape.join("x") || tensor.dimNames.join(),
        layoutKey(layout),
        sides,
        unverified,
        read,
      ];
      const key = words.join(" ");
      if (!painted.has(key)) {
        if (painted.size >= most) painted.clear();
        painted.set(key, bitmapOf(tensor, size, theme));
      }
      return painted.get(key);
    },
  };
}

export const GlyphBitmapsContext = createContext<GlyphBitmaps>({ of: () => undefined });

function bitmapOf(tensor: DrawnTensor, size: Size, theme: SvgTheme): GlyphBitmap | undefined {
  const glyph = glyphOf(tensor, size);
  const [width, height] = [glyph.width + 2, glyph.height + 2];
  const isSmall = width * height <= mostSmall;
  const image = isSmall ? document.createElement("canvas") : new OffscreenCanvas(1, 1);
  image.width = Math.ceil(width * fine);
  image.height = Math.ceil(height * fine);
  // A small one is read at once: it is kept where that costs nothing.
  const pen = image.getContext("2d", { willReadFrequently: isSmall });
  if (!isPen(pen)) return undefined;
  pen.scale(fine, fine);
  pen.translate(1, 1);
  paintMarks(pen, glyph.marks, svgColours[theme]);
  return { image, width, height, ...("toDataURL" in image && { address: image.toDataURL() }) };
}

type Pen = Parameters<typeof paintMarks>[0];

function isPen(pen: RenderingContext | OffscreenRenderingContext | null): pen is Pen {
  return pen !== null && "fillRect" in pen;
}
