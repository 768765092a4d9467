import { createContext } from "react";
import type { Size } from "#app/scene";
import { type DrawnTensor, glyphOf, orientationKey } from "#app/scene/glyph";
import { type SvgTheme, svgColours } from "#app/scene/svg";
import { layoutKey } from "#core/mesh";
import { paintMarks } from "./mark-painter.ts";

/** Cache of tensor glyphs as bitmaps: equal drawings are painted once. */
export interface GlyphBitmaps {
  readonly of: (tensor: DrawnTensor, size: Size, theme: SvgTheme) => GlyphBitmap | undefined;
}

/**
 * Painted glyph with its size in CSS pixels. A small one also has a data URL to be shown as an
 * image: each canvas element would be a compositing layer, and hundreds of layers are slow.
 */
export interface GlyphBitmap extends Size {
  readonly image: OffscreenCanvas | HTMLCanvasElement;
  readonly address?: string;
}

/** Largest area of a glyph that gets a data URL, in CSS pixels. */
const mostSmall = 2_400;

/** Bitmap pixels per CSS pixel: sharp up to the largest zoom. */
const fine = 2;
const most = 600;

/** Creates a cache for the lifetime of a canvas; a full cache is emptied. */
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
  // A small bitmap is read back for its data URL, so it is kept in main memory.
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
