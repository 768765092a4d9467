import { type LanguageReply, type LanguageRequest, movedReply } from "#app/language-service";
import type { OpenDocument } from "#app/state";
import type { Diagnostic, Span } from "#core/diagnostics";
import { joinTexts } from "#language/texts";

/** The part of a document that an editor shows: a program, a graph's JSON, or a graph's plan. */
export type DocumentPart = "program" | "json" | "plan";

/** The text of a part, and its place in the text of the document. */
export function textOfPart({ source, texts }: OpenDocument, part: DocumentPart): string {
  if (texts === undefined) return part === "plan" ? "" : source;
  return part === "plan" ? texts.plan : texts.json;
}

/** The offset at which a part begins. */
export function startOfPart({ texts }: OpenDocument, part: DocumentPart): number {
  return part === "plan" ? (texts?.planFrom ?? 0) : 0;
}

/**
 * The document's text after an edit of one part; a part that is no JSON any more replaces the whole
 * graph, without its plan.
 */
export function withPart({ texts }: OpenDocument, part: DocumentPart, text: string): string {
  if (texts === undefined || part === "program") return text;
  if (part === "plan") return joinTexts(texts.json, text);
  return /^[\s\ufeff]*\{/.test(text) ? joinTexts(text, texts.plan) : text;
}

/** A span of the document as offsets of the part; absent where it lies in the other part. */
export function spanInPart(
  { source, texts }: OpenDocument,
  part: DocumentPart,
  span: Span,
): Span | undefined {
  const from = part === "plan" ? (texts?.planFrom ?? 0) : 0;
  const to = part === "json" ? (texts?.json.length ?? 0) : source.length;
  if (span.from < from || span.from > to) return undefined;
  if (part === "json" && texts?.plan !== "" && span.from >= (texts?.planFrom ?? 0))
    return undefined;
  return { from: span.from - from, to: Math.min(span.to, to) - from };
}

/** The diagnostics of a part; their fixes stay edits of the document. */
export function diagnosticsInPart(
  document: OpenDocument,
  part: DocumentPart,
  diagnostics: readonly Diagnostic[],
): readonly Diagnostic[] {
  if (part === "program") return diagnostics;
  return diagnostics.flatMap((diagnostic) => {
    const span = diagnostic.span && spanInPart(document, part, diagnostic.span);
    return span === undefined ? [] : [{ ...diagnostic, span }];
  });
}

/** Translates a question about a part to the document, and its answer back. */
export function askOfPart(
  start: number,
  part: DocumentPart,
  ask: (request: LanguageRequest) => Promise<LanguageReply | undefined>,
): (request: LanguageRequest) => Promise<LanguageReply | undefined> {
  if (part !== "plan") return ask;
  return async (request) => {
    const reply = await ask(asked(request, start));
    // Actions are edits of the document, as fixes are.
    if (reply === undefined || reply.kind === "actions") return reply;
    return movedReply(reply, (offset) => offset - start);
  };
}

function asked(request: LanguageRequest, start: number): LanguageRequest {
  if (request.kind === "folds") return { ...request, of: "plan" };
  return "offset" in request ? { ...request, offset: request.offset + start } : request;
}
