import type { DeviceMesh, Part } from "#core/mesh";
import type { MeshDims, RootMesh } from "../record.ts";

/** Axes of the board's mesh, or parts of axes, behind the dims of the text's meshes. */
export class MeshParts {
  /** Meshes of the text that the board's mesh cannot tell. */
  readonly strangers = new Set<RootMesh>();
  private readonly mesh: DeviceMesh;
  private readonly known = new Map<RootMesh, readonly (readonly Part[])[] | undefined>();

  constructor(mesh: DeviceMesh) {
    this.mesh = mesh;
  }

  /** The parts behind some dims, outermost first; empty if their mesh does not fit the board's. */
  of(over: MeshDims): readonly Part[] {
    if (!this.known.has(over.root)) this.known.set(over.root, partsOfDims(over.root, this.mesh));
    const dims = this.known.get(over.root);
    if (dims === undefined) this.strangers.add(over.root);
    return over.dims.flatMap((at) => dims?.[at] ?? []).filter((part) => sizeOf(part) > 1);
  }

  /** All devices. */
  get all(): readonly Part[] {
    return this.mesh.axes
      .filter(({ size }) => size > 1)
      .map(({ name, size }) => ({ kind: "axis", axis: name, before: 1, size }));
  }

  /** Parts in the order of the mesh, each once. */
  inOrder(parts: readonly Part[]): readonly Part[] {
    const keyed = new Map(parts.map((part) => [JSON.stringify(part), part]));
    const place = (part: Part) =>
      part.kind === "axis"
        ? this.mesh.axes.findIndex(({ name }) => name === part.axis) + part.before / 1e6
        : 0;
    return [...keyed.values()].sort((a, b) => place(a) - place(b));
  }
}

function sizeOf(part: Part): number {
  return part.kind === "axis" ? part.size : part.count;
}

/** The parts of every dim: axes of the same names and sizes, else runs of axes, and pieces of them. */
function partsOfDims(
  { dims }: RootMesh,
  { axes }: DeviceMesh,
): readonly (readonly Part[])[] | undefined {
  const named = dims.map(({ name, size }): readonly Part[] | undefined => {
    const axis = axes.find((each) => each.name === name);
    return axis?.size === size ? [{ kind: "axis", axis: name, before: 1, size }] : undefined;
  });
  const isNamed = named.every((parts) => parts !== undefined);
  return isNamed ? named : alignedParts(dims, axes);
}

/** Goes through the devices of both from the outermost on; nothing where they do not fit. */
function alignedParts(
  dims: RootMesh["dims"],
  axes: DeviceMesh["axes"],
): readonly (readonly Part[])[] | undefined {
  let [at, before] = [0, 1];
  const found: (readonly Part[])[] = [];
  for (const { size } of dims) {
    const parts: Part[] = [];
    let rest = size;
    while (rest > 1) {
      const axis = axes[at];
      if (axis === undefined) return undefined;
      const left = axis.size / before;
      const piece = Math.min(left, rest);
      if (rest % piece !== 0 || left % piece !== 0) return undefined;
      if (piece > 1) parts.push({ kind: "axis", axis: axis.name, before, size: piece });
      rest /= piece;
      before *= piece;
      if (before === axis.size) [at, before] = [at + 1, 1];
    }
    found.push(parts);
  }
  const isWhole = axes
    .slice(at)
    .every(({ size }, index) => (index > 0 ? size === 1 : size === before));
  return isWhole || at >= axes.length ? found : undefined;
}
