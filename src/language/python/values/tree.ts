import type { Span } from "#core/diagnostics";

/**
 * Span tree of an expression: `(4, 1)` has kind "tuple" and two items with their own spans.
 *
 * Items of a "call" are its arguments, of a "dict" its values; `key` is a keyword's name or a dict
 * key that is a plain string. `name` is the text of a "name" or of a call's dotted callee.
 */
export interface SpanTree {
  readonly kind: "tuple" | "list" | "dict" | "call" | "name" | "literal" | "other";
  readonly span: Span;
  readonly items: readonly SpanTree[];
  readonly name?: string;
  readonly key?: string;
  readonly keySpan?: Span;
}
