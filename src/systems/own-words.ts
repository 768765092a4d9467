import type { TextEdit } from "#core/diagnostics";
import type { OperatorId } from "#core/ir";
import type { Document } from "#language/document";
import type { OwnPassage } from "#language/document/bindings";
import type { AxisLists } from "#language/document/trace";
import { systems } from "./systems.ts";

/** Statements of operators' cuts in the systems' own words. */
export interface SystemsWords {
  readonly passages: readonly OwnPassage[];
  /** Operators that no passage covers: the system of each, and the reason. */
  readonly unsaid: ReadonlyMap<OperatorId, { readonly system: string; readonly reason: string }>;
}

/**
 * Edits that place tensors in the words of some system, each a trial; `wanted` are mesh axes per
 * dim.
 */
export function ownPlaces(
  { source, trace, built, boundNames, mesh }: Document,
  tensors: readonly string[],
  wanted: readonly (readonly string[])[],
): readonly (readonly TextEdit[])[] {
  const writing = { source, trace, built, boundNames, mesh: mesh.mesh, tensors, wanted };
  return systems.flatMap(({ places }) => places?.(writing) ?? []);
}

/** Passages for operators' cuts, from systems that can also place tensors in their own words. */
export function ownCuts(
  { source, trace, built, boundNames, mesh }: Document,
  planned: ReadonlyMap<OperatorId, AxisLists>,
  wanted: ReadonlySet<OperatorId>,
): readonly OwnPassage[] {
  const writing = { source, trace, built, boundNames, mesh: mesh.mesh, planned, wanted };
  return systems.flatMap(({ places, says }) =>
    places === undefined ? [] : (says?.(writing).passages ?? []),
  );
}

/**
 * The edits by which each system expresses the operators' cuts in its own words.
 *
 * @param planned mesh axes per identifier of every operator
 * @param wanted the operators that still need a statement
 */
export function ownWords(
  { source, trace, built, boundNames, mesh }: Document,
  planned: ReadonlyMap<OperatorId, AxisLists>,
  wanted: ReadonlySet<OperatorId>,
): SystemsWords {
  const writing = { source, trace, built, boundNames, mesh: mesh.mesh, planned, wanted };
  const all = systems.flatMap(({ title, says }) =>
    says === undefined ? [] : [{ system: title, words: says(writing) }],
  );
  const unsaid = all.flatMap(({ system, words }) =>
    [...words.unsaid].map(([id, reason]) => [id, { system, reason }] as const),
  );
  return { passages: all.flatMap(({ words }) => words.passages), unsaid: new Map(unsaid) };
}
