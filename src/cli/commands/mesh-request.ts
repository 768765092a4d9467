import { type Checked, failed, passed } from "#core/diagnostics";
import { createMesh, type DeviceMesh } from "#core/mesh";
import { type Arguments, badRequest } from "./answer.ts";

/** The mesh of a request: `mesh` as `[["dp", 2], …]`, outermost first, and optional `devices`. */
export function readMesh(args: Arguments): Checked<DeviceMesh> {
  const { mesh, devices } = args;
  if (!Array.isArray(mesh) || !mesh.every(isAxis)) {
    return refuse('"mesh" must be a list of [name, size], outermost first');
  }
  const axes = mesh.map(([name, size]) => ({ name, size }));
  if (devices === undefined) return createMesh(axes);
  if (!isSizes(devices)) return refuse('"devices" must be a list of device ids');
  return createMesh(axes, devices);
}

/** The shape of a request: a list of sizes, empty for rank 0. */
export function readShape(args: Arguments): Checked<readonly number[]> {
  const { shape } = args;
  return isSizes(shape) ? passed(shape) : refuse('"shape" must be a list of whole numbers');
}

function refuse<T>(message: string): Checked<T> {
  return failed(...badRequest(message).diagnostics);
}

function isAxis(value: unknown): value is readonly [string, number] {
  if (!Array.isArray(value) || value.length !== 2) return false;
  return typeof value[0] === "string" && typeof value[1] === "number";
}

function isSizes(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every((size) => Number.isSafeInteger(size) && size >= 0);
}
