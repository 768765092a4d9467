import { applyEdits, type TextEdit } from "#core/diagnostics";
import type { Operator } from "#core/ir";
import { axisNames } from "#core/mesh";
import { isCutAs } from "#core/plan";
import type { Document } from "#language/document";
import { entryEdits } from "./gesture-entries.ts";
import { cutLists, type PlannedProgram } from "./planned-words.ts";

/**
 * Edits that write a plan into a system's own calls: tuples and Layouts of `.shard(…)`, a
 * `graph.partition(…)`. Only edits that give the operator its planned cuts and keep the mesh; other
 * operators need other statements.
 */
export function plannedEntries(document: Document, planned: PlannedProgram): readonly TextEdit[] {
  const wishes = document.graph.operators.flatMap((operator) => {
    const edits = editsOf(document, planned, operator);
    return edits.length === 0 ? [] : [{ operator, edits }];
  });
  const all = agreeing(wishes.map(({ edits }) => edits));
  if (all.length === 0) return [];
  const after = document.reread(applyEdits(document.source, all));
  const reached = wishes.filter(({ operator }) => isReached(after, planned, operator));
  if (reached.length === wishes.length && isSameMesh(document, after)) return all;
  const fewer = agreeing(reached.map(({ edits }) => edits));
  const again = document.reread(applyEdits(document.source, fewer));
  const isRight = reached.every(({ operator }) => isReached(again, planned, operator));
  return isRight && isSameMesh(document, again) ? fewer : [];
}

function editsOf(
  document: Document,
  { strategies }: PlannedProgram,
  operator: Operator,
): readonly TextEdit[] {
  const { mesh } = document.mesh;
  const [asked, wanted] = [
    document.requests.operators.get(operator.id),
    strategies.get(operator.id),
  ];
  if (asked === undefined || wanted === undefined || wanted.carry.length > 0) return [];
  if (isCutAs(asked, wanted, mesh)) return [];
  const lists = Object.values(asked.strategy.cuts).map((parts) => axisNames(parts, mesh));
  if (lists.includes(undefined)) return [];
  return entryEdits(document, mesh, operator, cutLists(asked.strategy), cutLists(wanted)) ?? [];
}

/** Edits of all groups that do not overlap earlier ones; equal edits are merged. */
export function agreeing(groups: readonly (readonly TextEdit[])[]): readonly TextEdit[] {
  const kept: TextEdit[] = [];
  for (const edits of groups) {
    const isSame = (a: TextEdit, b: TextEdit) =>
      a.from === b.from && a.to === b.to && a.text === b.text;
    const fresh = edits.filter((edit) => !kept.some((other) => isSame(edit, other)));
    const clashes = fresh.some((edit) =>
      kept.some((other) => edit.from < other.to && other.from < edit.to),
    );
    if (!clashes) kept.push(...fresh);
  }
  return kept;
}

/** Whether a text requests the planned strategy for an operator. */
export function isReached(
  after: Document,
  { strategies }: PlannedProgram,
  { id }: Pick<Operator, "id">,
): boolean {
  const [plan, wanted] = [after.requests.operators.get(id), strategies.get(id)];
  return plan !== undefined && wanted !== undefined && isCutAs(plan, wanted, after.mesh.mesh);
}

/** Whether two texts have the same mesh: names, sizes and devices of its axes. */
export function isSameMesh(before: Document, after: Document): boolean {
  return meshText(before) === meshText(after);
}

/** The mesh as text, without spans, which earlier edits shift. */
function meshText({ mesh: { mesh } }: Document): string {
  const axes = mesh.axes.map(({ name, size, link }) => ({ name, size, link }));
  return JSON.stringify({ axes, devices: mesh.devices });
}
