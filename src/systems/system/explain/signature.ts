import type { LibraryEntry } from "#core/ir";
import type { Signature } from "./explain.ts";

/**
 * A callable's name and meaning, then its parameters: each with its name, display text and meaning.
 */
export type SignatureRow = readonly [
  name: string,
  meaning: string,
  ...parameters: (readonly [name: string, shown: string, meaning: string])[],
];

/** Signatures by name, from rows of a table. */
export function signatureTable(rows: readonly SignatureRow[]): ReadonlyMap<string, Signature> {
  return new Map(
    rows.map(([name, meaning, ...parameters]) => [
      name,
      {
        name,
        meaning,
        parameters: parameters.map(([own, shown, words]) => ({ name: own, shown, meaning: words })),
      },
    ]),
  );
}

/** The annotation of a call of a library operator with typical ranks: `b m k+, k+ n -> b m n`. */
export function sampleAnnotation(entry: LibraryEntry): string {
  const sizes = (_name: string, multipleOf = 1) => 4 * multipleOf;
  return entry.annotate(entry.sample(sizes));
}
