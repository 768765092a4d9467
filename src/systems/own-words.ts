import type { OperatorId } from "#core/ir";
import type { Document } from "#language/document";
import type { AxisLists, OwnPassage } from "#language/document/bindings";
import { systems } from "./systems.ts";

/** What systems can say of the operators of a text. */
export interface SystemsWords {
  readonly passages: readonly OwnPassage[];
  /** The system that an operator belongs to, and why it has no words where no passage reaches it. */
  readonly unsaid: ReadonlyMap<OperatorId, { readonly system: string; readonly reason: string }>;
}

/**
 * What every system can say of the operators of a text, in words of its own.
 *
 * @param planned mesh axes per identifier of every operator
 * @param wanted the operators of which something has to be said yet
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
