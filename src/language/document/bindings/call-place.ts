import type { Span } from "#core/diagnostics";
import type { Context } from "#language/python";

/** Position of a call in the text, with the context that runs it. */
export interface At {
  readonly context: Context;
  readonly span: Span;
}
