import type { TextEdit } from "#core/diagnostics";
import type { Operator, OperatorId } from "#core/ir";
import type { DeviceMesh } from "#core/mesh";
import { fieldOf } from "#core/records";
import type { Document } from "#language/document";
import { layoutEdits, mergedEdits, partitionEdits, tupleEdits } from "#language/document/edit";
import type { AxisLists } from "#language/document/trace";
import type { Work } from "./gesture-target.ts";

/**
 * Edits that give operators the wanted cuts in a system's own entries, merged if one entry covers
 * several operators; `undefined` if an operator has no entry.
 */
export function mergedEntries(
  { document, compiled }: Work,
  operators: readonly Operator[],
  planned: ReadonlyMap<OperatorId, AxisLists>,
  wanted: AxisLists,
): readonly TextEdit[] | undefined {
  const edits: TextEdit[] = [];
  for (const operator of operators) {
    const before = planned.get(operator.id) ?? {};
    const own = entryEdits(document, compiled.mesh.mesh, operator, before, wanted);
    if (own === undefined) return undefined;
    edits.push(...own);
  }
  return mergedEdits(edits);
}

/**
 * Edits that change an operator's cuts in a system's own calls: entries of a tuple or of Layouts in
 * `.shard(…)`, or the config of a `graph.partition(…)`. `undefined` if the text has no such call,
 * or if it cannot express the cuts.
 */
export function entryEdits(
  document: Document,
  mesh: DeviceMesh,
  operator: Operator,
  before: AxisLists,
  wanted: AxisLists,
): readonly TextEdit[] | undefined {
  if (document.strategyCalls.has(operator.id)) return undefined;
  const traced = [...document.built.operatorOf].find(([, built]) => built.id === operator.id)?.[0];
  if (traced === undefined) return undefined;
  const { strategy } = traced;
  if (strategy?.kind === "layouts")
    return layoutEdits(document, strategy, operator, before, wanted);
  const names = Object.keys({ ...before, ...wanted });
  const edits: TextEdit[] = [];
  if (strategy?.kind === "tuples") {
    for (const name of names) {
      const change = piecesChange(mesh, fieldOf(before, name) ?? [], fieldOf(wanted, name) ?? []);
      const made = tupleEdits(traced, operator, name, change);
      if (!made.ok) return undefined;
      edits.push(...made.value);
    }
    return edits;
  }
  const [only, second] = names.filter((name) => (fieldOf(wanted, name) ?? []).length > 0);
  const [held] = names.filter((name) => (fieldOf(before, name) ?? []).length > 0);
  const identifier = only ?? held;
  if (identifier === undefined || second !== undefined) return undefined;
  const count = devicesOf(mesh, fieldOf(wanted, identifier) ?? []);
  return partitionEdits(document, traced, operator, identifier, count);
}

/** Function that scales a number of pieces when axes are added and removed. */
function piecesChange(
  mesh: DeviceMesh,
  before: readonly string[],
  wanted: readonly string[],
): (pieces: number) => number {
  const added = devicesOf(
    mesh,
    wanted.filter((name) => !before.includes(name)),
  );
  const removed = devicesOf(
    mesh,
    before.filter((name) => !wanted.includes(name)),
  );
  if (wanted.length === 0) return () => 1;
  return (pieces) => Math.max(1, Math.floor(pieces / removed)) * added;
}

function devicesOf(mesh: DeviceMesh, axes: readonly string[]): number {
  return mesh.axes
    .filter(({ name }) => axes.includes(name))
    .reduce((product, { size }) => product * size, 1);
}
