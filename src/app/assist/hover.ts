import type { Span } from "#core/diagnostics";

/** What is said of a place of the text: one line of code, then plain sentences. */
export interface Hover {
  readonly span: Span;
  readonly title: string;
  readonly lines: readonly string[];
}
