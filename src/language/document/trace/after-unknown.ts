import type { Diagnostic } from "#core/diagnostics";

/** Where a run went on without knowing what it asked: a way was taken, or a count read as 0. */
const undecided: ReadonlySet<string> = new Set([
  "document/unknown-value",
  "document/branch-on-data",
]);

/**
 * Exceptions of Python that a run meets after it had to decide something that nobody knows are no
 * faults of the text for certain: the real program may never come there. They are warnings, which
 * name the cause.
 *
 * @param diagnostics in the order in which the run met them
 */
export function afterUnknown(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const at = diagnostics.findIndex(
    ({ code, severity }) => undecided.has(code) && severity === "warning",
  );
  const cause = diagnostics[at];
  if (cause === undefined) return diagnostics;
  return diagnostics.map((each, index) => {
    const isException = each.upstream !== undefined && each.code.startsWith("python/");
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
