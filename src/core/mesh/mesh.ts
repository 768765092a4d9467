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
  readonly fabric?: "switch" | "ring" | "line" | "two-level";
  /** Of an axis that spans nodes (`two-level`): how the devices of a node are joined. */
  readonly inner?: InnerLink;
}

/** The links inside the nodes of an axis; the axis has `devices` · `nodes` places. */
export interface InnerLink extends Pick<Link, "latency" | "bandwidth"> {
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
