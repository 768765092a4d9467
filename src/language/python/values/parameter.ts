import type { Span } from "#core/diagnostics";
import type { SpanTree } from "./tree.ts";

export type ParameterKind =
  | "positional-only"
  | "positional"
  | "keyword-only"
  | "var-positional"
  | "var-keyword";

/** One parameter of a `def` or `lambda`. Spans are absent for generated functions. */
export interface Parameter {
  readonly name: string;
  readonly kind: ParameterKind;
  readonly span: Span;
  readonly nameSpan: Span;
  /** Where the annotation after `:` stands; it is never evaluated. */
  readonly annotationSpan?: Span;
  /** Where the default after `=` stands, and the shape of its text. */
  readonly defaultTree?: SpanTree;
}
