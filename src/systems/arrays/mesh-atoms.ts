import type { DeviceMesh, Part } from "#core/mesh";
import { NotWritten } from "./not-written.ts";

/**
 * A mesh without sub-axes, which engines lack: an axis of which a layout uses a part is split into
 * several axes, outermost first (`x=4` as `x0=2, x1=2`).
 */
export interface MeshAtoms {
  readonly names: readonly string[];
  readonly sizes: readonly number[];
  /** Device ids by position in the mesh; absent when they are 0, 1, 2, … */
  readonly order?: readonly number[];
  readonly mesh: DeviceMesh;
  /** Axes for a list of parts, outermost first; pieces inside a device have no axis. */
  axesOf(parts: readonly Part[]): readonly string[];
  /** The position of a device in the mesh. */
  positionOf(device: number): number;
}

interface Atom {
  readonly name: string;
  readonly axis: string;
  readonly before: number;
  readonly size: number;
}

/** Splits the axes of a mesh wherever one of the given parts begins or ends. */
export function meshAtoms(mesh: DeviceMesh, parts: readonly Part[]): MeshAtoms {
  const atoms = mesh.axes.flatMap(({ name, size }) => atomsOf(name, size, parts));
  const ids = mesh.devices.map(Number);
  const positions = new Map(ids.map((id, position) => [id, position]));
  const isPlain = ids.every((id, position) => id === position);
  const axesOf = (wanted: readonly Part[]) =>
    wanted.flatMap((part) => {
      if (part.kind === "pieces") return [];
      const inside = ({ axis, before }: Atom) =>
        axis === part.axis && before >= part.before && before < part.before * part.size;
      return atoms.filter(inside).map(({ name }) => name);
    });
  return {
    mesh,
    names: atoms.map(({ name }) => name),
    sizes: atoms.map(({ size }) => size),
    ...(!isPlain && { order: ids }),
    axesOf,
    positionOf: (device) => positions.get(device) ?? -1,
  };
}

function atomsOf(axis: string, size: number, parts: readonly Part[]): readonly Atom[] {
  const ends = new Set([1, size]);
  for (const part of parts) {
    if (part.kind !== "axis" || part.axis !== axis) continue;
    ends.add(part.before).add(part.before * part.size);
  }
  const sorted = [...ends].sort((a, b) => a - b);
  const count = Math.max(1, sorted.length - 1);
  return Array.from({ length: count }, (_, at): Atom => {
    const [before, end] = [sorted[at] ?? 1, sorted[at + 1] ?? size];
    if (end % before !== 0) throw new NotWritten(`parts of the mesh axis ${axis} do not nest`);
    return { name: count === 1 ? axis : `${axis}${at}`, axis, before, size: end / before };
  });
}
