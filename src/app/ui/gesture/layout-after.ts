import { type Layout, type Part, wholeAxis } from "#core/mesh";
import type { DimGesture } from "#edit";

/** Layout of a tensor after a gesture on one of its dims, for a preview drawing. */
export function layoutAfter(layout: Layout, gesture: DimGesture): Layout {
  const { mesh } = layout;
  const takesAway = gesture.kind === "move" || gesture.kind === "scatter";
  const has = (name: string) => mesh.axes.some((axis) => axis.name === name);
  const put = (names: readonly string[]): readonly Part[] =>
    names.filter(has).map((name) => wholeAxis(mesh, name));
  const without = (parts: readonly Part[], axis: string | undefined) =>
    parts.filter((part) => part.kind !== "axis" || part.axis !== axis);
  const partsAfter = (parts: readonly Part[], dim: number): readonly Part[] => {
    if (dim !== gesture.dim) {
      return takesAway ? without(parts, gesture.axis) : parts;
    }
    switch (gesture.kind) {
      case "split":
      case "move":
      case "scatter":
        return [...without(parts, gesture.axis), ...put([gesture.axis ?? ""])];
      case "unsplit":
        return without(parts, gesture.axis);
      case "set":
        return put(gesture.axes ?? []);
      case "whole":
        return [];
      case "cycle":
        return parts;
    }
  };
  const stillParts = ({ part }: Layout["partials"][number]) =>
    gesture.kind !== "scatter" || part.kind !== "axis" || part.axis !== gesture.axis;
  return {
    ...layout,
    partials: layout.partials.filter(stillParts),
    dims: layout.dims.map((dim, at) => ({ ...dim, parts: partsAfter(dim.parts, at) })),
  };
}

/** Axes of more than one device that split a dim, outermost first. */
export function axesOn(layout: Layout, dim: number): readonly string[] {
  return (layout.dims[dim]?.parts ?? []).flatMap((part) =>
    part.kind === "axis" && part.size > 1 ? [part.axis] : [],
  );
}
