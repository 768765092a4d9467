import { createContext } from "react";
import type { CardSource } from "#app/scene/card";
import type { Compiled } from "#compile";
import type { CollectiveStep, Redistribution, SpmdProgram } from "#core/program";
import { groupedBy, sameItems } from "#core/records";

/** Parts of a compiled plan by their ids. */
export interface Lookup extends CardSource {
  readonly redistributions: ReadonlyMap<number, Redistribution>;
  /** Collectives of each redistribution, in order. */
  readonly collectives: ReadonlyMap<number, readonly CollectiveStep[]>;
}

/**
 * Indexes the parts of successive plans by id; lists that are equal to before keep their identity.
 */
export function createLookup(): (compiled: Compiled) => Lookup {
  let last: Lookup | undefined;
  return (compiled) => {
    last = lookupOf(compiled, last);
    return last;
  };
}

function lookupOf(compiled: Compiled, before: Lookup | undefined): Lookup {
  const { program, tensors } = compiled;
  const { graph } = program;
  return {
    compiled,
    operators: new Map(graph.operators.map((operator) => [operator.id, operator])),
    tensors: new Map(graph.tensors.map((tensor) => [tensor.id, tensor])),
    views: new Map(tensors.map((view) => [view.tensor, view])),
    redistributions: new Map(program.redistributions.map((each) => [each.index, each])),
    collectives: collectivesOf(program, before?.collectives),
  };
}

function collectivesOf(
  { stages }: SpmdProgram,
  before: Lookup["collectives"] = new Map(),
): Lookup["collectives"] {
  const collectives = stages
    .flatMap(({ steps }) => steps)
    .filter((step): step is CollectiveStep => step.kind === "collective");
  const all = groupedBy(collectives, ({ reshard }) => reshard);
  return new Map([...all].map(([index, steps]) => [index, kept(before.get(index), steps)]));
}

/** The earlier list if its items are identical, else the new one. */
function kept<T>(before: readonly T[] | undefined, now: readonly T[]): readonly T[] {
  return before !== undefined && sameItems(before, now) ? before : now;
}

export const LookupContext = createContext<Lookup>({
  compiled: undefined,
  operators: new Map(),
  tensors: new Map(),
  views: new Map(),
  redistributions: new Map(),
  collectives: new Map(),
});
