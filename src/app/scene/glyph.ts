import type { Layout } from "#core/mesh";
import type { Glyph, Size } from "./mark.ts";

/** A tensor with the layout in which it is drawn. */
export interface DrawnTensor {
  readonly layout: Layout;
  readonly shape: readonly number[];
  readonly dimNames: readonly string[];
}

/** What a drawing shows beside the marks. */
export interface GlyphOptions {
  /** Device ids inside cells that are large enough. */
  readonly showIds?: boolean;
  /** Names and sizes of the drawn dims on the edges, where there are 90 px for them. */
  readonly showNames?: boolean;
}

/** The whole view of a tensor inside a size. */
export function glyphOf(_tensor: DrawnTensor, size: Size, _options: GlyphOptions = {}): Glyph {
  return {
    ...size,
    detail: "cells",
    marks: [{ kind: "rect", role: "whole", x: 0, y: 0, ...size }],
    cells: [],
    dims: [],
    badges: [],
  };
}
