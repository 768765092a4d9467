import type { LibraryEntry } from "#core/ir";
import type { Signature } from "./explain.ts";

/** A word, what it does, and its parameters: each with how it is shown and what it means. */
export type SignatureRow = readonly [
  name: string,
  meaning: string,
  ...parameters: (readonly [name: string, shown: string, meaning: string])[],
];

/** Signatures by name, of a table of them. */
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

/** `b m k+, k+ n -> b m n`: the annotation of a call with usual ranks. */
export function sampleAnnotation(entry: LibraryEntry): string {
  const sizes = (_name: string, multipleOf = 1) => 4 * multipleOf;
  return entry.annotate(entry.sample(sizes));
}
