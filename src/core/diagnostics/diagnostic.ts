/** A half-open range `[from, to)` of a text in UTF-16 units, as editors count. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The replacement of one span of a text; `from === to` inserts. */
export interface TextEdit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** A change that the reader may apply to mend what a diagnostic says. */
export interface Fix {
  readonly title: string;
  readonly edits: readonly TextEdit[];
}

/** `error`: the text is wrong; `warning`: it may be; `info`: a remark. */
export type Severity = "error" | "warning" | "info";

/**
 * Fault, warning or remark about a text, as a value.
 *
 * `code` is stable and has the form `folder/what-is-wrong`. It is a heading in one of the
 * catalogue's `diagnostics.md` files, from which the type `catalogue/codes.d.ts` is generated.
 * `message` uses the user's own names. `span` is absent if no place in the text is at fault.
 * `upstream` is the error kind that the real system (or Python) would raise, e.g. `ValueError`.
 */
export interface Diagnostic {
  readonly code: DiagnosticCode;
  readonly severity: Severity;
  readonly message: string;
  readonly span?: Span;
  /** Text to which the spans refer, if a document has two: the plan next to a graph in JSON. */
  readonly text?: "plan";
  readonly related?: readonly { readonly message: string; readonly span: Span }[];
  readonly upstream?: string;
  readonly fixes?: readonly Fix[];
}

/** A value with the warnings found on the way, or nothing with the errors that prevented it. */
export type Checked<T> =
  | { readonly ok: true; readonly value: T; readonly diagnostics: readonly Diagnostic[] }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

/** A checked value, with warnings if any. */
export function passed<T>(value: T, diagnostics: readonly Diagnostic[] = []): Checked<T> {
  return { ok: true, value, diagnostics };
}

/** A failed check with its diagnostics. */
export function failed<T>(...diagnostics: readonly Diagnostic[]): Checked<T> {
  return { ok: false, diagnostics };
}

/** Whether a diagnostic of severity "error" is among them. */
export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((diagnostic) => diagnostic.severity === "error");
}

/** Ends a `switch` over a union: a case that was forgotten does not compile. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`);
}
