import type { Span } from "#core/diagnostics";
import type { SpanTree } from "./tree.ts";

export type ParameterKind =
  | "positional-only"
  | "positional"
  | "keyword-only"
  | "var-positional"
  | "var-keyword";

/** A parameter of a `def` or `lambda`. */
export interface Parameter {
  readonly name: string;
  readonly kind: ParameterKind;
  readonly span: Span;
  readonly nameSpan: Span;
  /** Span of the annotation after `:`, which is never evaluated. */
  readonly annotationSpan?: Span;
  /** Span tree of the default after `=`. */
  readonly defaultTree?: SpanTree;
}
