import { activations } from "./activations.ts";
import { attention } from "./attention.ts";
import { backwardEntry } from "./backward.ts";
import { broadcastingOperators } from "./broadcasting.ts";
import { convolutions } from "./convolution.ts";
import { elementWise } from "./element-wise.ts";
import type { LibraryEntry } from "./entry.ts";
import { expertRows } from "./expert-rows.ts";
import { experts } from "./experts.ts";
import { indexing } from "./indexing.ts";
import { joining } from "./joining.ts";
import { knownStatistics } from "./known-statistics.ts";
import { linearAlgebra } from "./linear-algebra.ts";
import { lookups } from "./lookup.ts";
import { losses } from "./loss.ts";
import { movement } from "./movement.ts";
import { normalisation } from "./normalisation.ts";
import { optimizers } from "./optimizers.ts";
import { poolings } from "./pooling.ts";
import { random } from "./random.ts";
import { reductions } from "./reductions.ts";
import { reshapes } from "./reshapes.ts";
import { scans } from "./scans.ts";
import { slicing } from "./slicing.ts";
import { sorting } from "./sorting.ts";

/** Every operator of the library once, family by family. */
export const entries: readonly LibraryEntry[] = [
  ...linearAlgebra,
  ...elementWise,
  ...activations,
  ...broadcastingOperators,
  ...reductions,
  ...normalisation,
  ...knownStatistics,
  ...attention,
  ...reshapes,
  ...movement,
  ...joining,
  ...slicing,
  ...convolutions,
  ...poolings,
  ...indexing,
  ...sorting,
  ...scans,
  ...lookups,
  ...losses,
  ...experts,
  ...expertRows,
  ...random,
];

/** The operators that every program may call, by name and by alias, in listed order. */
export const library: ReadonlyMap<string, LibraryEntry> = new Map(
  entries.flatMap((entry) => [entry.name, ...entry.aliases].map((name) => [name, entry] as const)),
);

/** The operators of backward passes that are no operators of the library themselves, by name. */
const backwardOperators: ReadonlyMap<string, LibraryEntry> = new Map(
  entries.flatMap((entry) => {
    if (entry.backward === undefined) return [];
    const backward = backwardEntry(entry, entry.backward);
    return [[backward.name, backward] as const];
  }),
);

const updates: ReadonlyMap<string, LibraryEntry> = new Map(
  optimizers.map((entry) => [entry.name, entry]),
);

/**
 * The entry that an operator of a graph runs by: of the library, of its backward operators, or of
 * the updates of optimizers.
 */
export function entryOf(name: string): LibraryEntry | undefined {
  return library.get(name) ?? backwardOperators.get(name) ?? updates.get(name);
}
