import type { AxisName, DeviceMesh } from "./mesh.ts";

/**
 * What cuts a dim at one level.
 *
 * `axis`: the mesh axis, or the sub-axis of `size` that stands behind `before` more major parts
 * (`before` = 1 and `size` = the axis' size for the whole axis). `pieces`: a cut inside each
 * device, which then holds every piece (interleaved layouts; positions that a plan holds locally).
 */
export type Part =
  | {
      readonly kind: "axis";
      readonly axis: AxisName;
      readonly before: number;
      readonly size: number;
    }
  | { readonly kind: "pieces"; readonly count: number };

/** How the devices along partial parts have to be combined. */
export type ReduceKind = "sum" | "max" | "min" | "prod" | "avg";

/** A part of the mesh over which a tensor is not yet combined. */
export interface Partial {
  readonly part: Part;
  readonly reduce: ReduceKind;
}

/**
 * How one dim is cut: parts outermost (most major) first, none when it is whole.
 *
 * `chunks` says what an uneven dim does: `flat` cuts it into blocks of the ceiling, the last ones
 * short or empty; `nested` cuts part by part (DTensor's rule). `sizes` gives explicit pieces.
 */
export interface DimLayout {
  readonly parts: readonly Part[];
  readonly sizes?: readonly number[];
  readonly chunks: "flat" | "nested";
}

/** How a tensor lies on a mesh: one entry per dim, and the parts over which it is partial. */
export interface Layout {
  readonly mesh: DeviceMesh;
  readonly dims: readonly DimLayout[];
  readonly partials: readonly Partial[];
}
