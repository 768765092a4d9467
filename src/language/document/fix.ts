import type { Fix, Span } from "#core/diagnostics";

/** The fix that writes a text in place of another. */
export function writing(span: Span, text: string, title = `Write ${text}`): Fix {
  return { title, edits: [{ from: span.from, to: span.to, text }] };
}
