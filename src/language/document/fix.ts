import type { Fix, Span } from "#core/diagnostics";

/** Fix that replaces the text of a span. */
export function writing(span: Span, text: string, title = `Write ${text}`): Fix {
  return { title, edits: [{ from: span.from, to: span.to, text }] };
}
