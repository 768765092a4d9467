import type { Span } from "#core/diagnostics";
import type { Context } from "#language/python";

/** Where a call stands. */
export interface At {
  readonly context: Context;
  readonly span: Span;
}
