import type { Diagnostic } from "#core/diagnostics";

/**
 * Codes of diagnostics of a run that went on without a needed value: it took a branch, or read a
 * count as 0.
 */
const undecided: ReadonlySet<string> = new Set([
  "document/unknown-value",
  "document/branch-on-data",
]);

/** Code suffix of a system's guess of an operator's result shape. */
const guessed = /\/unknown-operator$/u;

/** Exceptions that a wrong guess of a shape can raise. */
const ofShapes: ReadonlySet<string | undefined> = new Set([
  ...["ValueError", "IndexError", "AssertionError", "RuntimeError"],
]);

/**
 * Turns later Python exceptions into warnings that name the cause, if an unknown value had to be
 * decided or a shape guessed before them: the real program may never reach them.
 *
 * @param diagnostics diagnostics in the order of the run
 */
export function afterUnknown(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const at = diagnostics.findIndex(
    ({ code, severity }) => (undecided.has(code) || guessed.test(code)) && severity === "warning",
  );
  const cause = diagnostics[at];
  if (cause === undefined) return diagnostics;
  const open = diagnostics.findIndex(
    ({ code, severity }) => undecided.has(code) && severity === "warning",
  );
  return diagnostics.map((each, index) => {
    const isException = each.upstream !== undefined && each.code.startsWith("python/");
    if ((open < 0 || index < open) && !ofShapes.has(each.upstream)) return each;
    if (index < at || each.severity !== "error" || !isException) return each;
    const related =
      cause.span === undefined ? [] : [{ message: "not known here", span: cause.span }];
    return {
      ...each,
      severity: "warning",
      message: `${each.message} (it may follow from what is not known here)`,
      related: [...(each.related ?? []), ...related],
    };
  });
}
