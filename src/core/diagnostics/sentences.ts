import { capitalized } from "./capitalized.ts";
import type { Diagnostic } from "./diagnostic.ts";

/**
 * Messages of diagnostics as sentences in one text; empty without diagnostics. A message that
 * begins with a word gets a capital; one that begins with a name, as `model.layers`, keeps its
 * letters.
 */
export function sentencesOf(diagnostics: readonly Pick<Diagnostic, "message">[]): string {
  const begun = (text: string) => (/^[a-z]+ /.test(text) ? capitalized(text) : text);
  return diagnostics.map(({ message }) => `${begun(message)}.`).join(" ");
}
