import { useMemo } from "react";
import type { DrawnTensor, Halos, Orientation } from "#app/scene/glyph";
import type { Tensor } from "#core/ir";
import type { Layout } from "#core/mesh";

interface Look {
  readonly tensor: Tensor;
  readonly layout: Layout;
  readonly orientation: Orientation;
  readonly unverified: string | undefined;
  readonly halos: Halos | undefined;
}

/** Tensor as its glyph draws it; the object keeps its identity until a part changes. */
export function useDrawnTensor({
  tensor,
  layout,
  orientation,
  unverified,
  halos,
}: Look): DrawnTensor {
  return useMemo(
    () => ({
      layout,
      shape: tensor.shape,
      dimNames: tensor.dimNames,
      orientation,
      ...(unverified !== undefined && { unverified }),
      ...(halos !== undefined && { halos }),
    }),
    [layout, tensor, orientation, unverified, halos],
  );
}
