import type { Diagnostic } from "#core/diagnostics";

/**
 * Strategies that MindSpore 2.10 compiles without an error although the program computes wrong
 * numbers, by warning code. Each was found by replaying the compiled graphs of all ranks
 * (mindspore.md §5.1).
 */
const wrongForms = {
  "mindspore/scatters-out-of-order":
    "MindSpore 2.10 emits this group in ascending order, which puts blocks in wrong places",
  "mindspore/scatters-dim-0":
    "MindSpore 2.10 scatters dim 0 of the result, not the rows that the out_strategy names: the data lands in wrong places",
  "mindspore/shares-last-axis":
    "MindSpore 2.10 misses that rows and columns share the last axis: every rank returns the block where its rows and columns meet, and no rank has the others",
} as const;

/** The warning code of a strategy with which MindSpore computes wrong numbers. */
export type WrongForm = keyof typeof wrongForms;

/**
 * All warning codes of strategies that MindSpore computes wrongly.
 *
 * @internal
 */
export const wrongCodes: readonly string[] = Object.keys(wrongForms);

/** The message that says why the numbers are wrong. */
export function wrongCause(code: WrongForm): string {
  return wrongForms[code];
}

/** The warning diagnostic for such a strategy. */
export function wrongNumbers(code: WrongForm): Diagnostic {
  return { code, severity: "warning", message: wrongForms[code] };
}

/**
 * The error at an operator that reads such a result: its layout is no map of axes, so the compiler
 * stops there.
 */
export function refusedReader(warning: Diagnostic): Diagnostic {
  const message =
    "MindSpore 2.10 misses that rows and columns share the last axis, and refuses the operator that reads the result";
  return { ...warning, message, upstream: "RuntimeError" };
}
