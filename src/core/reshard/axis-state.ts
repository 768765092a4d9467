import type { Layout } from "#core/mesh";

/**
 * A layout of whole mesh axes as numbers: per dim the axes that cut it, outermost first, and the
 * axes over which the tensor is partial. Axes are named by their place in the mesh.
 */
export interface AxisState {
  readonly dims: readonly (readonly number[])[];
  readonly partials: readonly number[];
}

/** A key of a state: equal only for equal states. */
export function stateKey({ dims, partials }: AxisState): string {
  return `${dims.map((axes) => axes.join("*")).join(",")}|${partials.join(",")}`;
}

/**
 * The state of a layout; axes of size 1 cut nothing. `undefined` for a layout with sub-axes or
 * pieces.
 */
export function stateOf({ mesh, dims, partials }: Layout): AxisState | undefined {
  const places = new Map(mesh.axes.map(({ name }, at) => [name, at]));
  let isPlain = true;
  const axisAt = (part: Layout["partials"][number]["part"]): readonly number[] => {
    const at = part.kind === "axis" ? places.get(part.axis) : undefined;
    const axis = at === undefined ? undefined : mesh.axes[at];
    if (part.kind !== "axis" || at === undefined || axis?.size !== part.size) isPlain = false;
    return at === undefined || axis?.size === 1 ? [] : [at];
  };
  const state = {
    dims: dims.map(({ parts, sizes }) => {
      if (sizes !== undefined) isPlain = false;
      return parts.flatMap(axisAt);
    }),
    partials: partials.flatMap(({ part }) => axisAt(part)).sort((a, b) => a - b),
  };
  return isPlain ? state : undefined;
}

/** The layout of a state; partials are sums. */
export function layoutOf({ dims, partials }: AxisState, mesh: Layout["mesh"]): Layout {
  const whole = (at: number) => {
    const { name = "", size = 1 } = mesh.axes[at] ?? {};
    return { kind: "axis", axis: name, before: 1, size } as const;
  };
  return {
    mesh,
    dims: dims.map((axes) => ({ parts: axes.map(whole), chunks: "flat" })),
    partials: partials.map((at) => ({ part: whole(at), reduce: "sum" })),
  };
}
