import type { Diagnostic } from "#core/diagnostics";

/**
 * Policies that nnScaler 0.8 takes without an error to programs that compute something else, by the
 * code of the warning, each found by running what it generates (engine-nnscaler.md §3).
 */
const wrongForms = {
  "nnscaler/partial-outside-cut":
    "is summed over a cut outside of another one: nnScaler 0.8 scatters the sums and then gathers the pieces in a wrong order",
  "nnscaler/pieces-out-of-order":
    "lies on the devices in another order than their numbers: nnScaler 0.8 puts its pieces together in the order of the numbers",
  "nnscaler/copied-weight":
    "is replicated and then cut: nnScaler 0.8 adds up the gradient of its weight over the copies too, which makes it too large",
} as const;

/** The code of a form with which nnScaler computes wrong numbers. */
export type WrongForm = keyof typeof wrongForms;

/**
 * Every form that nnScaler computes wrongly.
 *
 * @internal
 */
export const wrongCodes: readonly string[] = Object.keys(wrongForms);

/** Why its numbers are wrong, as a sentence without a stop about a name of the text. */
export function wrongSentence(code: WrongForm, subject: string): string {
  return `${subject} ${wrongForms[code]}`;
}

/** The warning of such a form; `subject` is a name of the text, as half of its sentence. */
export function wrongNumbers(code: WrongForm, subject: string): Diagnostic {
  return { code, severity: "warning", message: wrongSentence(code, subject) };
}
