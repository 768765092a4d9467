import { product } from "#core/arithmetic";
import { type Checked, type Diagnostic, failed, passed } from "#core/diagnostics";

/** Name of a mesh axis, as the user writes it. */
export type AxisName = string;

/** Number of a device in its cluster. */
export type DeviceId = number;

/** How the devices along one axis are connected. */
export interface Link {
  /** Seconds per hop. */
  readonly latency: number;
  /** Bytes per second that one device sends. */
  readonly bandwidth: number;
  /** Share of the bandwidth that large collectives reach; 1 if absent. */
  readonly reached?: number;
  readonly fabric?: "switch" | "ring" | "line" | "two-level";
  /** Links inside a node, for an axis that spans nodes (`two-level`). */
  readonly inner?: InnerLink;
}

/** The links inside the nodes of an axis; the axis has `devices` · `nodes` places. */
export interface InnerLink extends Pick<Link, "latency" | "bandwidth" | "reached"> {
  readonly fabric?: "switch" | "ring" | "line";
  readonly devices: number;
  readonly nodes: number;
}

/** One named axis of a mesh; `size` is at least 1. */
export interface MeshAxis {
  readonly name: AxisName;
  readonly size: number;
  readonly link?: Link;
}

/**
 * An arrangement of devices: named axes outermost first, and the device ids in row-major order.
 *
 * `devices.length` is the product of the axis sizes (1 without axes). Two meshes may arrange the
 * same devices differently.
 */
export interface DeviceMesh {
  readonly axes: readonly MeshAxis[];
  readonly devices: readonly DeviceId[];
}

/** Whether two meshes name the same axes over the same devices. */
export function sameMesh(a: DeviceMesh, b: DeviceMesh): boolean {
  if (a === b) return true;
  return (
    a.axes.length === b.axes.length &&
    a.axes.every((axis, at) => axis.name === b.axes[at]?.name && axis.size === b.axes[at]?.size) &&
    a.devices.length === b.devices.length &&
    a.devices.every((device, at) => device === b.devices[at])
  );
}

/** Limit on devices, so that a text from a stranger cannot fill the memory. */
const maxDevices = 65_536;

/**
 * Limit on axes. Every axis of two or more devices doubles their number, so only axes of size 1
 * could exceed it.
 */
const maxAxes = 64;

/** The fault of a mesh with too many axes, or too many devices to be drawn; by its axis sizes. */
export function meshLimit(sizes: readonly number[]): Diagnostic | undefined {
  if (sizes.length > maxAxes) {
    return fault("mesh/too-many-axes", `${sizes.length} mesh axes; at most ${maxAxes} are drawn`);
  }
  const count = product(sizes);
  if (count <= maxDevices) return undefined;
  const exact = sizes.every(Number.isInteger)
    ? sizes.reduce((n, size) => n * BigInt(size), 1n)
    : count;
  return fault("mesh/too-many-devices", `${exact} devices; at most ${maxDevices} are drawn`);
}

/**
 * Creates a mesh of named axes, outermost first; without axes it is one device.
 *
 * `devices` lists the ids in row-major order; the default is 0, 1, 2, … Names must be unique and
 * free of the signs of the layout text, sizes at least 1, ids distinct and as many as the product
 * of the sizes.
 */
export function createMesh(
  axes: readonly MeshAxis[],
  devices?: readonly DeviceId[],
): Checked<DeviceMesh> {
  const count = axes.reduce((product, axis) => product * axis.size, 1);
  const limit = meshLimit(axes.map(({ size }) => size));
  if (limit?.code === "mesh/too-many-axes") return failed(limit);
  const faults = [...axisFaults(axes), ...(devices ? deviceFaults(devices) : [])];
  if (faults.length > 0) return failed(...faults);
  if (limit !== undefined) return failed(limit);
  if (devices !== undefined && devices.length !== count) {
    const sizes = axes.map((axis) => `${axis.name}=${axis.size}`).join(",");
    return failed(
      fault(
        "mesh/device-count",
        `"${sizes}" has ${count} devices, but ${devices.length} are listed`,
      ),
    );
  }
  return passed({ axes, devices: devices ?? Array.from({ length: count }, (_, id) => id) });
}

/** Number of devices of a mesh. */
export function deviceCount(mesh: DeviceMesh): number {
  return mesh.devices.length;
}

/** Coordinate along every axis of the device at an index of the mesh (not its id), by name. */
export function coordinatesOf(
  mesh: DeviceMesh,
  deviceIndex: number,
): Readonly<Record<AxisName, number>> {
  let rest = deviceIndex;
  const coordinates = [...mesh.axes].reverse().map((axis): [AxisName, number] => {
    const digit = rest % axis.size;
    rest = Math.floor(rest / axis.size);
    return [axis.name, digit];
  });
  return Object.fromEntries(coordinates.reverse());
}

function axisFaults(axes: readonly MeshAxis[]): Diagnostic[] {
  return axes.flatMap((axis, at) => {
    const faults: Diagnostic[] = [];
    if (axis.name === "_" || !/^[^\s,*|:(){}~=@]+$/u.test(axis.name)) {
      faults.push(fault("mesh/bad-axis-name", `"${axis.name}" cannot name a mesh axis`));
    }
    if (axes.findIndex((other) => other.name === axis.name) < at) {
      faults.push(fault("mesh/duplicate-axis", `mesh axis "${axis.name}" is named twice`));
    }
    const isWhole = Number.isInteger(axis.size);
    if (!isWhole || axis.size < 1) {
      faults.push(
        fault("mesh/bad-axis-size", `mesh axis "${axis.name}" has size ${axis.size}; at least 1`),
      );
    }
    return faults;
  });
}

function deviceFaults(devices: readonly DeviceId[]): Diagnostic[] {
  const bad = devices.filter((id) => !Number.isSafeInteger(id) || id < 0);
  const seen = new Set<DeviceId>();
  const twice = devices.filter((id) => seen.size === seen.add(id).size);
  return [
    ...bad.map((id) => fault("mesh/bad-device", `${id} is no device id`)),
    ...[...new Set(twice)].map((id) =>
      fault("mesh/duplicate-device", `device ${id} is listed twice`),
    ),
  ];
}

function fault(code: DiagnosticCode, message: string): Diagnostic {
  return { code, severity: "error", message };
}
