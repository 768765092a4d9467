import type { Diagnostic } from "#core/diagnostics";
import type { Document } from "./read-document.ts";

/**
 * Notes on input generators of registered functions (`input_gen_fn`, dimops.md §4) that a run does
 * not call: it draws all inputs from its seed, the same on every device.
 */
export function uncalledInputGenerators({ trace }: Pick<Document, "trace">): readonly Diagnostic[] {
  const labels = trace.operators.flatMap(({ function: called }) =>
    called?.generatesInputs === true ? [called.label] : [],
  );
  return [...new Set(labels)].map((label) => ({
    code: "document/inputs-drawn",
    severity: "info",
    message: `the input_gen_fn of "${label}" is not called: its inputs are drawn from the seed, or are your own numbers`,
  }));
}
