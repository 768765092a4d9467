import type { Compiled } from "#compile";
import { applyEdits } from "#core/diagnostics";
import { axisNames, type Layout } from "#core/mesh";
import type { Redistribution } from "#core/program";
import type { Document } from "#language/document";
import { placeEdits } from "#language/document/edit";
import type { Change } from "./alternative-edits.ts";
import {
  carried,
  edgeOf,
  layoutWords,
  makerFollows,
  placed,
  readersFollow,
  takingPart,
  type Work,
  withoutAnAxis,
} from "./alternatives.ts";

/**
 * Small edits at a redistribution, each named by its effect: both sides are split alike, the tensor
 * is gathered once and rests whole, a sum is scattered or passed on, one axis less takes part.
 * Whether an edit is legal or cheaper is only known once it is tried.
 */
export function redistributionChanges(
  document: Document,
  compiled: Compiled,
  redistribution: Redistribution,
): readonly Change[] {
  const edge = edgeOf(compiled, redistribution);
  if (edge === undefined) return [];
  const work: Work = { document, compiled, edge };
  const isSum = edge.from.partials.length > 0;
  const changes = [
    ...(isSum ? [] : called(alike(work, edge.from), readersFollow(work))),
    ...called(alike(work, edge.to), makerFollows(work)),
    ...called(isSum ? "Use reduce-scatter" : "", placed(work)),
    ...gathered(work),
    ...carried(work),
    ...withoutAnAxis(work),
  ];
  const { source } = document;
  const texts = changes.map((change) => [applyEdits(source, change.edits), change] as const);
  const distinct = new Map(texts.filter(([text]) => text !== source).toReversed());
  return [...distinct.values()].toReversed();
}

/** Label for a change after which both ends hold the tensor in one layout. */
function alike({ edge }: Work, { dims }: Layout): string {
  const axes = takingPart(edge);
  const isSplit = dims.some(({ parts }) =>
    parts.some((part) => part.kind === "axis" && axes.includes(part.axis)),
  );
  return isSplit ? "Split both sides" : "Leave both sides whole";
}

function called(how: string, changes: readonly Change[]): readonly Change[] {
  if (how === "") return changes;
  return changes.map(({ label, edits }) => ({
    label: `${how}: ${label.slice(0, 1).toLowerCase()}${label.slice(1)}`,
    edits,
  }));
}

/** Changes that gather the tensor at rest over the axes that its readers use elsewhere. */
function gathered({ document, compiled, edge }: Work): readonly Change[] {
  const tensor = compiled.graph.tensors.find(({ id }) => id === edge.tensor);
  const [from, to] = [edge.from, edge.to].map(({ dims }) =>
    dims.map(({ parts }) => axisNames(parts, compiled.mesh.mesh)),
  );
  if (tensor === undefined || from === undefined || edge.from.partials.length > 0) return [];
  if (from.some((axes) => axes === undefined)) return [];
  const lists = from.map((axes) => axes ?? []);
  const stays = (axis: string, dim: number) => to?.[dim]?.includes(axis) ?? false;
  const gone = lists.flatMap((axes, dim) => axes.filter((axis) => !stays(axis, dim)));
  if (gone.length === 0) return [];
  const kept = lists.map((axes) => axes.filter((axis) => !gone.includes(axis)));
  const label = `Gather ${tensor.name} over ${gone.join(", ")}: place it as ${layoutWords(kept, tensor.dimNames)}`;
  return [{ label, edits: placeEdits(document, tensor, kept) }];
}
