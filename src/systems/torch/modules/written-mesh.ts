import type { DeviceMesh, MeshAxis } from "#core/mesh";
import type { MeshRoles } from "./mesh-roles.ts";
import type { Sharding } from "./sharding.ts";

/** The mesh that a file is for, and which of its axes does what. */
export interface WrittenMesh {
  /** Axes that do the same are one here, and that of the styles is last. */
  readonly mesh: DeviceMesh;
  readonly tensor?: string;
  /** The axes over which the batch is shared out, outermost first. */
  readonly data: readonly string[];
  /** The axis over which parameters rest in pieces, and that over which they are copied. */
  readonly cut?: string;
  readonly copied?: string;
}

/**
 * The mesh of the exported file. fully_shard takes one axis that cuts parameters and one that copies
 * them, both outside of the axis of the styles.
 */
export function writtenMesh(
  { axes, devices }: DeviceMesh,
  { tensor, data }: MeshRoles,
  { cut = [], copied = [] }: Pick<Sharding, "cut" | "copied">,
): WrittenMesh {
  const groups = [copied, cut].filter(({ length }) => length > 0);
  const alone = axes.filter(({ name }) => !data.includes(name) && name !== tensor);
  const inOrder = [
    ...alone.map(({ name }) => [name]),
    ...groups,
    ...(tensor === undefined ? [] : [[tensor]]),
  ];
  const sizes = new Map(axes.map(({ name, size }) => [name, size]));
  const joined = inOrder.map((group): MeshAxis => {
    const size = group.reduce((product, name) => product * (sizes.get(name) ?? 1), 1);
    return { name: nameOf(group, axes), size };
  });
  const named = (group: readonly string[]) =>
    group.length === 0 ? undefined : nameOf(group, axes);
  const [cutName, copiedName] = [named(cut), named(copied)];
  return {
    mesh: { axes: joined, devices: reordered({ axes, devices }, inOrder.flat()) },
    ...(tensor !== undefined && { tensor }),
    data: groups.map((group) => nameOf(group, axes)),
    ...(cutName !== undefined && { cut: cutName }),
    ...(copiedName !== undefined && { copied: copiedName }),
  };
}

/** The name of axes as one; none that another axis has. */
function nameOf(group: readonly string[], axes: readonly MeshAxis[]): string {
  let name = group.join("_");
  while (group.length > 1 && axes.some((axis) => axis.name === name)) name += "_";
  return name;
}

/** The devices of a mesh whose axes stand in another order. */
function reordered({ axes, devices }: DeviceMesh, order: readonly string[]): DeviceMesh["devices"] {
  const strides = new Map<string, readonly [size: number, stride: number]>();
  let stride = devices.length;
  for (const { name, size } of axes) {
    stride /= size;
    strides.set(name, [size, stride]);
  }
  return devices.map((device, rank) => {
    let [place, rest] = [0, rank];
    for (const name of [...order].reverse()) {
      const [size, own] = strides.get(name) ?? [1, 0];
      place += (rest % size) * own;
      rest = Math.floor(rest / size);
    }
    return devices[place] ?? device;
  });
}
