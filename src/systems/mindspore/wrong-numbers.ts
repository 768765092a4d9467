import type { Diagnostic } from "#core/diagnostics";

/**
 * Strategies that MindSpore 2.10 compiles without an error to programs that compute something else,
 * by the code of the warning, each found by replaying the compiled graphs of all ranks (mindspore.md
 * §5.1).
 */
const wrongForms = {
  "mindspore/scatters-out-of-order":
    "MindSpore 2.10 emits this group in ascending order, which puts blocks in wrong places",
  "mindspore/scatters-dim-0":
    "MindSpore 2.10 scatters dim 0 of the result, not the rows that the out_strategy names: the data lands in wrong places",
  "mindspore/shares-last-axis":
    "MindSpore 2.10 misses that rows and columns share the last axis: every rank returns the block where its rows and columns meet, and no rank has the others",
} as const;

/** The code of a form with which MindSpore computes wrong numbers. */
export type WrongForm = keyof typeof wrongForms;

/**
 * Every form that MindSpore computes wrongly.
 *
 * @internal
 */
export const wrongCodes: readonly string[] = Object.keys(wrongForms);

/** Why its numbers are wrong. */
export function wrongCause(code: WrongForm): string {
  return wrongForms[code];
}

/** The warning of such a form. */
export function wrongNumbers(code: WrongForm): Diagnostic {
  return { code, severity: "warning", message: wrongForms[code] };
}

/**
 * The diagnostic for a reader of such a result: its layout is no map of axes, so that the compiler
 * stops there.
 */
export function refusedReader(warning: Diagnostic): Diagnostic {
  const message =
    "MindSpore 2.10 misses that rows and columns share the last axis, and refuses the operator that reads the result";
  return { ...warning, message, upstream: "RuntimeError" };
}
