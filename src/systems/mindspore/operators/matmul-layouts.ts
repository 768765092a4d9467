import { type Checked, type Diagnostic, passed } from "#core/diagnostics";
import type { MapEntry } from "../layout.ts";
import { axisSizeOf } from "../redistribution/flat-layout.ts";
import { wrongNumbers } from "../wrong-numbers.ts";
import {
  entryList,
  type ForwardStep,
  type Inferred,
  isSameEntry,
  type LayoutCall,
  refused,
} from "./call.ts";
import { matmulRoles, type Roles } from "./matmul-roles.ts";
import { isTensorParallel, tensorParallel } from "./tensor-parallel.ts";

/**
 * A matrix product with Layouts: both contraction dims must have the same axis list, and the result
 * keeps the others. An output layout must equal that map, or that map with the list appended to dim
 * 0 (§5.1).
 */
export function matmulLayouts(call: LayoutCall): Checked<Inferred> {
  const roles = matmulRoles(call);
  if (!roles.ok) return roles;
  if (isTensorParallel(call)) return tensorParallel(call, roles.value);
  const [a = [], b = []] = call.maps;
  const contracted = a[roles.value.a.contracted];
  const other = b[roles.value.b.contracted];
  if (!isSameEntry(contracted, other)) {
    return refused(`${call.op} needs the same axes in the same order on both contraction dims`);
  }
  const virtual = call.isInterleaved === true && [
    ...entryList(contracted),
    ...b.flatMap(entryList),
  ];
  if (virtual !== false && virtual.includes(0)) {
    return refused(`${call.op} takes interleaved_parallel on rows and batch dims of input 0 only`);
  }
  const [rows, columns] = [a[roles.value.a.free], b[roles.value.b.free]];
  const shared = entryList(rows).filter((axis) => axis >= 0 && entryList(columns).includes(axis));
  if (shared.some((axis) => axis > 0)) {
    return refused(`${call.op} splits rows and columns of its result by one axis`);
  }
  const batch = batchEntries(call, roles.value);
  if (!batch.ok) return batch;
  const map = [...batch.value, rows ?? -1, columns ?? -1];
  const axes = entryList(contracted).filter((axis) => axis >= 0);
  const step = forwardStep(call, map, entryList(contracted), axes);
  if (!step.ok) return step;
  const inferred = {
    deviceMatrix: call.deviceMatrix,
    inputMaps: call.maps,
    outputs: [{ shape: roles.value.output, map: call.outMap ?? map }],
    forward: axes.length === 0 ? [] : [step.value],
  };
  return passed(inferred, [...warningsOf(shared, step.value)]);
}

/**
 * The result's batch entries are those of input 0, which must have all batch dims in full; where
 * input 1 has one too, both entries must be equal.
 */
function batchEntries({ op, maps }: LayoutCall, roles: Roles): Checked<readonly MapEntry[]> {
  const [a = [], b = []] = maps;
  const entries: MapEntry[] = [];
  for (const [at, pair] of roles.batch.entries()) {
    if (pair.sizes[0] !== roles.output[at]) {
      return refused(`with Layouts input 0 of ${op} must have the batch dims of the result`);
    }
    const [left, right] = [a[pair.a ?? -1] ?? -1, b[pair.b ?? -1] ?? -1];
    if (pair.sizes[1] !== 1 && !isSameEntry(left, right)) {
      return refused(`${op} needs the same axes in the same order on both batch dims`);
    }
    entries.push(left);
  }
  return passed(entries);
}

/**
 * The collective of an output layout. Maps are compared by the placement of data, ignoring `None`
 * in tuples and axes of size 1.
 */
function forwardStep(
  { op, outMap, deviceMatrix }: LayoutCall,
  map: readonly MapEntry[],
  contracted: readonly number[],
  axes: readonly number[],
): Checked<ForwardStep> {
  const isLike = (wanted: readonly MapEntry[]) =>
    wanted.length === outMap?.length &&
    wanted.every((entry, dim) => cutting(entry).join() === cutting(outMap[dim]).join());
  const cutting = (entry: MapEntry | undefined) =>
    entryList(entry).filter((value) => axisSizeOf(deviceMatrix, value) > 1);
  if (outMap === undefined || isLike(map)) return passed({ primitive: "AllReduce", axes });
  const scattered = map.with(0, [...entryList(map[0]), ...contracted]);
  if (map.length === 2 && isLike(scattered)) return passed({ primitive: "ReduceScatter", axes });
  return refused(
    `the output layout of ${op} must have the map ${printed(map)} or ${printed(scattered)}`,
  );
}

function warningsOf(shared: readonly number[], step: ForwardStep): readonly Diagnostic[] {
  const isUnsorted = step.axes.some((axis, at) => axis > (step.axes[at - 1] ?? Infinity));
  const isScattered = isUnsorted && step.primitive === "ReduceScatter";
  return [
    ...(shared.length > 0 ? [wrongNumbers("mindspore/shares-last-axis")] : []),
    ...(isScattered ? [wrongNumbers("mindspore/scatters-out-of-order")] : []),
  ];
}

function printed(map: readonly MapEntry[]): string {
  const entries = map.map((entry) =>
    typeof entry === "number" ? String(entry) : `(${entry.join(", ")})`,
  );
  return `(${entries.join(", ")})`;
}
