import { type Checked, failed, passed } from "#core/diagnostics";
import { createMesh, type DeviceMesh, type MeshAxis } from "./mesh.ts";

/** `dp=2,mp=4`, with `@` and the ids where they are not 0, 1, 2, …: `dp=2,mp=2@0,2,1,3`. */
export function printMesh(mesh: DeviceMesh): string {
  const axes = mesh.axes.map((axis) => `${axis.name}=${axis.size}`).join(",");
  const plain = mesh.devices.every((id, index) => id === index);
  return plain ? axes : `${axes}@${mesh.devices.join(",")}`;
}

/**
 * Reads what `printMesh` writes; the empty text is the mesh of one device. Links are not in it. Not
 * for texts of people: another spelling throws. @internal
 */
export function parseMesh(text: string): Checked<DeviceMesh> {
  const match = /^([^@]*)(?:@([\d\s,]*))?$/u.exec(text);
  const axes = match ? readAxes(match[1] ?? "") : undefined;
  if (axes === undefined) throw noMesh(text);
  const ids = match?.[2]?.split(",").map((id) => (/^\s*\d+\s*$/u.test(id) ? Number(id) : -1));
  if (ids?.includes(-1)) throw noMesh(text);
  const mesh = createMesh(axes, ids);
  if (mesh.ok) return passed(mesh.value);
  const span = { from: 0, to: text.length };
  return failed(...mesh.diagnostics.map((diagnostic) => ({ ...diagnostic, span })));
}

function readAxes(text: string): readonly MeshAxis[] | undefined {
  if (text.trim() === "") return [];
  const axes = text.split(",").flatMap((item) => {
    const match = /^\s*([^\s=]+)\s*=\s*(\d+)\s*$/u.exec(item);
    return match ? [{ name: match[1] ?? "", size: Number(match[2]) }] : [];
  });
  return axes.length === text.split(",").length ? axes : undefined;
}

function noMesh(text: string): Error {
  return new Error(
    `"${text}" is no mesh; write "dp=2,mp=4", and "@0,2,1,3" behind it for other ids`,
  );
}
