import { product } from "#core/arithmetic";
import { append } from "#core/records";
import type { MeshAtoms, SentBox } from "#systems/arrays";

/** The mesh axes that an exchange crosses: its processes are those of a group along them. */
export function exchangeAxes({
  sent,
  mesh,
}: {
  readonly sent: readonly SentBox[];
  readonly mesh: MeshAtoms;
}): readonly string[] {
  return mesh.names.filter((_, axis) =>
    sent.some(({ from, to }) => digit(mesh, from, axis) !== digit(mesh, to, axis)),
  );
}

/** The devices of every group along some axes, in the order of the mesh. */
export function groupsAlong(
  mesh: MeshAtoms,
  axes: readonly string[],
): readonly (readonly number[])[] {
  const groups = new Map<string, number[]>();
  for (const device of mesh.mesh.devices.map(Number)) {
    const others = mesh.names.map((name, axis) =>
      axes.includes(name) ? "" : digit(mesh, device, axis),
    );
    append(groups, others.join(), device);
  }
  return [...groups.values()];
}

function digit({ sizes, positionOf }: MeshAtoms, device: number, axis: number): number {
  const stride = product(sizes.slice(axis + 1));
  return Math.floor(positionOf(device) / stride) % (sizes[axis] ?? 1);
}
