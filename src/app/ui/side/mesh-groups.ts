import { coordinatesOf, type DeviceId, type DeviceMesh } from "#core/mesh";

/** The group of a device along an axis: devices of one group differ along that axis only. */
export function groupNumber(mesh: DeviceMesh, axis: string, index: number): number {
  const { size, stride } = sizeAndStride(mesh, axis);
  return Math.floor(index / (stride * size)) * stride + (index % stride);
}

/**
 * The devices of one group along an axis, in the order of their coordinates.
 * @internal
 */
export function groupOf(mesh: DeviceMesh, axis: string, index: number): readonly DeviceId[] {
  const { size, stride } = sizeAndStride(mesh, axis);
  const first = index - (Math.floor(index / stride) % size) * stride;
  return Array.from({ length: size }, (_, at) => mesh.devices[first + at * stride]).flatMap(
    (device) => (device === undefined ? [] : [device]),
  );
}

/** The number of groups that an axis makes of the devices. */
export function groupCount(mesh: DeviceMesh, axis: string): number {
  return mesh.devices.length / sizeAndStride(mesh, axis).size;
}

/** The first groups along an axis, as texts. */
export function groupTexts(mesh: DeviceMesh, axis: string, limit: number): readonly string[] {
  const { size, stride } = sizeAndStride(mesh, axis);
  const count = Math.min(limit, groupCount(mesh, axis));
  return Array.from({ length: count }, (_, at) => {
    const first = Math.floor(at / stride) * stride * size + (at % stride);
    return idsText(groupOf(mesh, axis, first));
  });
}

/** `{0, 1}`, `{0…7}`, `{0, 4, …, 28 (+4)}`: a long list of even steps is written by its ends. */
export function idsText(ids: readonly DeviceId[]): string {
  const [first = 0, second = 0] = ids;
  const step = second - first;
  const isEven = ids.every((id, at) => id === first + at * step);
  if (ids.length <= 4 || !isEven) {
    const shown = ids.length <= 8 ? ids : ids.slice(0, 6);
    return `{${shown.join(", ")}${ids.length > shown.length ? ", …" : ""}}`;
  }
  const last = ids.at(-1) ?? first;
  return step === 1 ? `{${first}…${last}}` : `{${first}, ${second}, …, ${last} (+${step})}`;
}

/** `dp 0, mp 1`: the coordinates of the device at an index of the mesh. */
export function coordinatesText(mesh: DeviceMesh, index: number): string {
  return Object.entries(coordinatesOf(mesh, index))
    .map(([name, at]) => `${name} ${at}`)
    .join(", ");
}

/** The innermost axis of more than one device, whose neighbours have adjacent ranks. */
export function innermostAxis(mesh: DeviceMesh): string | undefined {
  return mesh.axes.findLast(({ size }) => size > 1)?.name;
}

function sizeAndStride(mesh: DeviceMesh, axis: string): { size: number; stride: number } {
  const at = mesh.axes.findIndex(({ name }) => name === axis);
  const stride = mesh.axes.slice(at + 1).reduce((product, { size }) => product * size, 1);
  return { size: mesh.axes[at]?.size ?? 1, stride };
}
