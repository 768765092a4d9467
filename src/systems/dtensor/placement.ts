import type { DimLayout, Layout, Part, ReduceKind } from "#core/mesh";

/** Placement of a tensor on one mesh dim, in DTensor's words. */
export type Placement =
  | { readonly kind: "replicate" }
  | { readonly kind: "shard"; readonly dim: number }
  | { readonly kind: "partial"; readonly reduce: ReduceKind };

/**
 * One placement per mesh dim (redistribution.md §1.3). `undefined` for layouts without such a form:
 * sub-axes, pieces, explicit sizes, or a dim whose axes are not in mesh order, for which DTensor
 * needs a shard order and another planner.
 */
export function placementsOf(layout: Layout): readonly Placement[] | undefined {
  const names = layout.mesh.axes.map((axis) => axis.name);
  const isPlain = layout.dims.every((dim) => {
    const places = dim.parts.map((part) => meshAxisIndex(layout, part));
    const isOrdered = places.every((place, at) => at === 0 || place > (places[at - 1] ?? 0));
    return dim.sizes === undefined && !places.includes(-1) && isOrdered;
  });
  if (!isPlain || layout.partials.some(({ part }) => meshAxisIndex(layout, part) === -1)) {
    return undefined;
  }
  return names.map((name): Placement => {
    const isHere = (part: Part) => part.kind === "axis" && part.axis === name;
    const dim = layout.dims.findIndex(({ parts }) => parts.some(isHere));
    if (dim !== -1) return { kind: "shard", dim };
    const partial = layout.partials.find(({ part }) => isHere(part));
    return partial === undefined
      ? { kind: "replicate" }
      : { kind: "partial", reduce: partial.reduce };
  });
}

/** The layout of placements: whole axes in mesh order, uneven dims in nested chunks. */
export function layoutOf(mesh: Layout["mesh"], placements: readonly Placement[], rank: number) {
  const partOf = (at: number): Part => {
    const axis = mesh.axes[at];
    return { kind: "axis", axis: axis?.name ?? "", before: 1, size: axis?.size ?? 1 };
  };
  const dims = Array.from({ length: rank }, (_, dim): DimLayout => {
    const parts = placements.flatMap((placement, at) =>
      placement.kind === "shard" && placement.dim === dim ? [partOf(at)] : [],
    );
    return { parts, chunks: "nested" };
  });
  const partials = placements.flatMap((placement, at) =>
    placement.kind === "partial" ? [{ part: partOf(at), reduce: placement.reduce }] : [],
  );
  return { mesh, dims, partials } satisfies Layout;
}

/** Whether two placements are equal. */
export function samePlacement(a: Placement, b: Placement): boolean {
  if (a.kind === "shard") return b.kind === "shard" && a.dim === b.dim;
  if (a.kind === "partial") return b.kind === "partial" && a.reduce === b.reduce;
  return b.kind === "replicate";
}

/** Mesh position of a part that is a whole axis, else -1. */
function meshAxisIndex({ mesh }: Layout, part: Part): number {
  return mesh.axes.findIndex(
    ({ name, size }) => part.kind === "axis" && part.axis === name && part.size === size,
  );
}
