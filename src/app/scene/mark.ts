import type { Box } from "#core/indexspace";
import type { DeviceId } from "#core/mesh";
import type { TextureStep } from "./glyph/texture.ts";
import type { AxisTag, Hue } from "./hue.ts";

/** A position in a drawing, in CSS pixels; y grows downwards. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** An upright rectangle in CSS pixels. */
export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The available or used size of a drawing, in CSS pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * The meaning of a mark.
 *
 * `back`: paper under a part. `whole`: fill of an unsharded area. `tint`, `texture`: a coordinate
 * on a mesh axis. `cut`: a split. `ruler`: bars outside. `hatch`: copies. `dots`: a pending sum.
 * `halo`: cells that a device reads beyond its own part. `outline`, `broken`: bounds of a whole and
 * of a partial tensor. `cardEdge`, `brokenEdge`: second layer of copies and of partials. `ghost`:
 * padding, or the whole of which a device has a part. `dot`: a scalar. `text`: device ids and dim
 * names.
 */
export type MarkRole =
  | "back"
  | "whole"
  | "tint"
  | "texture"
  | "hatch"
  | "dots"
  | "halo"
  | "cut"
  | "ruler"
  | "outline"
  | "broken"
  | "cardEdge"
  | "brokenEdge"
  | "ghost"
  | "dot"
  | "text";

interface MarkLook {
  readonly role: MarkRole;
  /** Hue of a mark that represents a mesh axis. */
  readonly hue?: Hue;
  /** Percentage of the axis' colour in a tint or ruler, before the theme's own addition. */
  readonly tint?: number;
  /** Texture step of the axis. */
  readonly step?: TextureStep;
  /** Set for strips, which lie over the block fills and are drawn after them. */
  readonly isStrip?: true;
  readonly opacity?: number;
}

/** One mark of a drawing: geometry and meaning. Painters choose the colours. */
export type Mark =
  | (MarkLook & Rect & { readonly kind: "rect" })
  | (MarkLook & { readonly kind: "path"; readonly points: readonly Point[] })
  | (MarkLook & {
      readonly kind: "line";
      readonly from: Point;
      readonly to: Point;
      readonly thickness: number;
      /** Alternating lengths of dashes and gaps. */
      readonly dash?: readonly number[];
    })
  | (MarkLook & { readonly kind: "circle"; readonly center: Point; readonly radius: number })
  | (MarkLook & {
      readonly kind: "text";
      readonly at: Point;
      readonly text: string;
      readonly anchor: "start" | "middle" | "end";
      /** Device ids are bold with a halo; dim names are plain, beside the drawing. */
      readonly style: "id" | "name";
    });

/**
 * One distinct block of a tensor, with the devices that hold it and the areas where it is drawn.
 */
export interface Cell {
  readonly box: Box;
  readonly devices: readonly DeviceId[];
  readonly areas: readonly Rect[];
}

/** Words beside a drawing: `×4 dp sp` or `Σ mp`. */
export interface Badge {
  readonly kind: "copies" | "partial";
  /** Number of copies, or of partial values to reduce. */
  readonly count: number;
  readonly text: string;
  readonly axes: readonly AxisTag[];
}

/**
 * A tensor drawn as a whole. All marks lie inside `width` by `height`; strokes extend half a pixel
 * beyond. `cells` is empty at detail `bars`, which draws only axis bars and one part.
 */
export interface Glyph extends Size {
  readonly detail: "cells" | "bars";
  readonly marks: readonly Mark[];
  readonly cells: readonly Cell[];
  readonly badges: readonly Badge[];
}

/**
 * The drawing of one device: the ghost of the whole tensor with the device's own parts filled in.
 */
export interface DeviceTile extends Size {
  readonly device: DeviceId;
  readonly marks: readonly Mark[];
  readonly areas: readonly Rect[];
}

/** A tensor drawn as one tile per device, all of one size, in the mesh's row-major order. */
export interface DeviceGlyphs {
  readonly tile: Size;
  readonly tiles: readonly DeviceTile[];
}
