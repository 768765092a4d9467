import type { Diagnostic } from "#core/diagnostics";
import type { MatchedWeights } from "./match-weights.ts";
import { listed } from "./weight-names.ts";

/** The number of parameters with numbers from a file, in words: `148 of 149 parameters`. */
export function assignedWeightsText({ taken, parameters }: MatchedWeights): string {
  return `${taken.length} of ${parameters} ${parameters === 1 ? "parameter" : "parameters"}`;
}

/** Notes on unused tensors of a file, and on parameters that are drawn from the seed instead. */
export function weightsNotes(
  file: string,
  { misfits, missing, unused }: MatchedWeights,
): readonly Diagnostic[] {
  const notes = [
    ...misfits.map((why) => `${why}: it is drawn from the seed`),
    ...(missing.length === 0 ? [] : [`"${file}" has no ${listed(missing)}: drawn from the seed`]),
    ...(unused.length === 0
      ? []
      : [`no parameter of the program is called ${listed(unused)}, which "${file}" has`]),
  ];
  return notes.map(
    (message): Diagnostic => ({ code: "execute/weights-apart", severity: "warning", message }),
  );
}
