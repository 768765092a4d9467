import { type DeviceMesh, type Part, partsOfMatrix, wholeAxis } from "#core/mesh";

/**
 * A mesh and its parts per axis of an arrangement: the document's mesh, or one made for the
 * arrangement.
 */
export interface Arranged {
  readonly mesh: DeviceMesh;
  readonly parts: readonly (readonly Part[])[];
}

/**
 * Expresses an arrangement of a mesh's devices by parts of that mesh where possible, else by the
 * axes of a new mesh.
 *
 * @param sizes axis sizes, outermost first, whose product is the number of devices
 * @param devices devices in row-major order of the sizes; by default the mesh's own order
 */
export function arrange(
  mesh: DeviceMesh,
  sizes: readonly number[],
  devices: readonly number[] = mesh.devices,
): Arranged {
  const isOwnOrder = devices.every((device, index) => device === mesh.devices[index]);
  const shared = isOwnOrder ? partsOfMatrix(mesh, sizes) : permutedAxes(mesh, sizes, devices);
  if (shared !== undefined) return { mesh, parts: shared };
  const axes = sizes.map((size, index) => ({ name: `own${index}`, size }));
  const own: DeviceMesh = { axes, devices };
  return {
    mesh: own,
    parts: axes.map(({ name, size }) => (size === 1 ? [] : [wholeAxis(own, name)])),
  };
}

/**
 * Whole mesh axes of an arrangement in another device order; `undefined` when its axes are not
 * whole mesh axes.
 */
function permutedAxes(
  mesh: DeviceMesh,
  sizes: readonly number[],
  devices: readonly number[],
): readonly (readonly Part[])[] | undefined {
  const places = devices.map((device) => mesh.devices.indexOf(device));
  let inner = devices.length;
  const parts = sizes.map((size): readonly Part[] | undefined => {
    inner /= size;
    if (size === 1) return [];
    const digitAt = new Map(
      places.map((place, index) => [place, Math.floor(index / inner) % size]),
    );
    const axis = mesh.axes.find((candidate) => isDigitOf(mesh, candidate.name, digitAt));
    return axis && [wholeAxis(mesh, axis.name)];
  });
  return parts.every((list) => list !== undefined) ? parts : undefined;
}

function isDigitOf(mesh: DeviceMesh, name: string, digitAt: ReadonlyMap<number, number>): boolean {
  const at = mesh.axes.findIndex((axis) => axis.name === name);
  const size = mesh.axes[at]?.size ?? 1;
  const stride = mesh.axes.slice(at + 1).reduce((product, axis) => product * axis.size, 1);
  return [...digitAt].every(([place, digit]) => Math.floor(place / stride) % size === digit);
}
