import {
  type AxisName,
  type DeviceMesh,
  type Layout,
  parseLayout,
  printLayout,
  sameBlocks,
} from "#core/mesh";

/** Layout of a tensor, or of one identifier of an operator, with the shape it cuts. */
export interface Lying {
  readonly layout: Layout;
  readonly shape: readonly number[];
}

/**
 * Whether two layouts place the same indices on each device, by the device's position in the mesh.
 * Names of axes, their arrangement and device ids are ignored.
 */
export function liesLike(a: Lying, b: Lying): boolean {
  if (a.shape.join() !== b.shape.join() || a.layout.dims.length !== b.layout.dims.length) {
    return false;
  }
  const isAsMany = a.layout.mesh.devices.length === b.layout.mesh.devices.length;
  return isAsMany && sameBlocks(byPlace(a.layout), byPlace(b.layout), a.shape);
}

/**
 * Whether a layout equals a layout literal on the axes of `mesh`: it prints the same on axes of
 * equal sizes, or it has the same blocks.
 */
export function liesAsWritten({ layout, shape }: Lying, text: string, mesh: DeviceMesh): boolean {
  const lengths = new Map(mesh.axes.map(({ name, size }) => [name, size]));
  const isNamedSo = layout.mesh.axes.every(
    ({ name, size }) => !namesAxis(layout, name) || lengths.get(name) === size,
  );
  if (isNamedSo && printLayout(layout) === text) return true;
  const written = parseLayout(text, mesh);
  return written.ok && liesLike({ layout, shape }, { layout: written.value, shape });
}

function namesAxis({ dims, partials }: Layout, name: AxisName): boolean {
  const parts = [...dims.flatMap((dim) => dim.parts), ...partials.map(({ part }) => part)];
  return parts.some((part) => part.kind === "axis" && part.axis === name);
}

function byPlace(layout: Layout): Layout {
  const devices = layout.mesh.devices.map((_, at) => at);
  return { ...layout, mesh: { axes: layout.mesh.axes, devices } };
}
