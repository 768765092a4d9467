import { type Checked, passed } from "#core/diagnostics";
import type { MapEntry } from "../layout.ts";
import { type ForwardStep, type Inferred, isSameEntry, type LayoutCall, refused } from "./call.ts";
import type { Roles } from "./matmul-roles.ts";

/** Whether a product is sharded over two or three axes at once (`enable_nd_tp`). */
export function isTensorParallel({ attributes }: Pick<LayoutCall, "attributes">): boolean {
  return attributes.enable_nd_tp === true;
}

/**
 * A matrix product with `enable_nd_tp`, as recorded from 2.10's compiler.
 * Two axes: the contraction has (p, q) in the first operand and p in the second, whose columns have
 * q. The first operand is gathered along q, and partial sums are scattered along p into columns
 * with (q, p).
 * Three axes: rows (z, y) and contraction x; contraction (x, z) and columns y. Operands are
 * gathered along y and z, and partial sums are scattered along x into rows with (z, x).
 */
export function tensorParallel(call: LayoutCall, roles: Roles): Checked<Inferred> {
  const [a = [], b = []] = call.maps;
  const of = (map: readonly MapEntry[], dim: number) => map[dim] ?? -1;
  const [rows, contracted] = [of(a, roles.a.free), of(a, roles.a.contracted)];
  const [other, columns] = [of(b, roles.b.contracted), of(b, roles.b.free)];
  const batch = a.slice(0, -2);
  const found =
    twoAxes(rows, contracted, other, columns) ?? threeAxes(rows, contracted, other, columns);
  if (found === undefined) {
    return refused(
      `${call.op} with enable_nd_tp takes the layouts (…, (x, y)) and (x, y), or ((z, y), x) and ((x, z), y)`,
    );
  }
  const outputs = [{ shape: roles.output, map: [...batch, ...found.map] }];
  const { deviceMatrix, maps: inputMaps } = call;
  return passed({ deviceMatrix, inputMaps, outputs, forward: found.forward });
}

interface Shared {
  readonly map: readonly [rows: MapEntry, columns: MapEntry];
  readonly forward: readonly ForwardStep[];
}

function twoAxes(
  rows: MapEntry,
  contracted: MapEntry,
  other: MapEntry,
  columns: MapEntry,
): Shared | undefined {
  const pair = pairOf(contracted);
  if (pair === undefined) return undefined;
  const [p, q] = pair;
  if (!isSameEntry(other, p) || !isSameEntry(columns, q)) return undefined;
  return { map: [rows, [q, p]], forward: [gather(q), scatter(p)] };
}

function threeAxes(
  rows: MapEntry,
  contracted: MapEntry,
  other: MapEntry,
  columns: MapEntry,
): Shared | undefined {
  const [z, y] = pairOf(rows) ?? [];
  if (z === undefined || y === undefined || typeof contracted !== "number") return undefined;
  if (!isSameEntry(other, [contracted, z]) || !isSameEntry(columns, y)) return undefined;
  return { map: [[z, contracted], y], forward: [gather(y), gather(z), scatter(contracted)] };
}

function pairOf(entry: MapEntry): readonly [number, number] | undefined {
  const [first, second, ...others] = typeof entry === "number" ? [] : entry;
  if (first === undefined || second === undefined || others.length > 0) return undefined;
  return [first, second];
}

function gather(axis: number): ForwardStep {
  return { primitive: "AllGather", axes: [axis] };
}

function scatter(axis: number): ForwardStep {
  return { primitive: "ReduceScatter", axes: [axis] };
}
