import type { Diagnostic } from "#core/diagnostics";

/**
 * Policies that nnScaler 0.8 accepts without an error although the generated program computes wrong
 * numbers, by warning code. Each was found by running the generated code (engine-nnscaler.md §3).
 */
const wrongForms = {
  "nnscaler/partial-outside-cut":
    "is summed over a cut outside of another one: nnScaler 0.8 scatters the sums and then gathers the pieces in a wrong order",
  "nnscaler/pieces-out-of-order":
    "lies on the devices in another order than their numbers: nnScaler 0.8 puts its pieces together in the order of the numbers",
  "nnscaler/copied-weight":
    "is replicated and then cut: nnScaler 0.8 adds up the gradient of its weight over the copies too, which makes it too large",
} as const;

/** The warning code of a policy with which nnScaler computes wrong numbers. */
export type WrongForm = keyof typeof wrongForms;

/**
 * All warning codes of policies that nnScaler computes wrongly.
 *
 * @internal
 */
export const wrongCodes: readonly string[] = Object.keys(wrongForms);

/** Why the numbers are wrong, as a sentence about `subject` without a full stop. */
export function wrongSentence(code: WrongForm, subject: string): string {
  return `${subject} ${wrongForms[code]}`;
}

/**
 * The warning diagnostic for such a policy; `subject` is a name of the text and begins the
 * sentence.
 */
export function wrongNumbers(code: WrongForm, subject: string): Diagnostic {
  return { code, severity: "warning", message: wrongSentence(code, subject) };
}
