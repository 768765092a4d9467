import * as monaco from "monaco-editor/editor";
import type { CompletionKind, Hover, LanguageReply, LanguageRequest } from "#app/language-service";
import type { Span } from "#core/diagnostics";
import { graphLanguageId, languageId } from "./monaco-language.ts";

const languages = [languageId, graphLanguageId];

type Model = monaco.editor.ITextModel;
type Ask = (request: LanguageRequest) => Promise<LanguageReply | undefined>;

/** Providers for one text that ask the worker: hover, completion, signatures, folds. */
export function assistModel(model: Model, askWorker: Ask): monaco.IDisposable {
  // An answer that comes after the editor is closed has no text.
  const ask: Ask = async (request) => {
    const reply = await askWorker(request);
    return model.isDisposed() ? undefined : reply;
  };
  const of = <T>(asked: Model, answer: () => Promise<T | null>) =>
    asked === model ? answer() : null;
  const offsetOf = (position: monaco.Position) => model.getOffsetAt(position);
  const offered = [
    monaco.languages.registerHoverProvider(languages, {
      provideHover: (asked, position) => of(asked, () => hover(model, ask, offsetOf(position))),
    }),
    monaco.languages.registerCompletionItemProvider(languages, {
      triggerCharacters: ['"', "'", ".", "(", ",", "=", " "],
      provideCompletionItems: (asked, position, context) =>
        of(asked, () => completion(model, ask, offsetOf(position), context.triggerCharacter)),
    }),
    monaco.languages.registerSignatureHelpProvider(languages, {
      signatureHelpTriggerCharacters: ["(", ","],
      signatureHelpRetriggerCharacters: [")"],
      provideSignatureHelp: (asked, position) =>
        of(asked, () => signature(ask, offsetOf(position))),
    }),
    monaco.languages.registerFoldingRangeProvider(languages, {
      provideFoldingRanges: (asked) => of(asked, () => folds(model, ask)),
    }),
  ];
  return {
    dispose: () => {
      for (const each of offered) each.dispose();
    },
  };
}

async function hover(
  model: Model,
  ask: Ask,
  offset: number,
): Promise<monaco.languages.Hover | null> {
  const reply = await ask({ kind: "hover", offset });
  if (reply?.kind !== "hover" || reply.hover === undefined) return null;
  return { range: rangeOf(model, reply.hover.span), contents: contentsOf(reply.hover) };
}

function contentsOf({ title, lines }: Hover): monaco.IMarkdownString[] {
  return [
    { value: `\`\`\`text\n${title}\n\`\`\`` },
    { value: lines.map(withoutMarkup).join("  \n") },
  ];
}

/** A text as Markdown, with its special characters escaped. */
function withoutMarkup(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+\-!|<>~&]/g, "\\$&");
}

/** A list that a character opened holds only what fits behind that character. */
const general: ReadonlySet<CompletionKind> = new Set(["name", "word", "operator"]);

async function completion(
  model: Model,
  ask: Ask,
  offset: number,
  trigger: string | undefined,
): Promise<monaco.languages.CompletionList | null> {
  const isUnasked = trigger !== undefined && /[(,= ]/.test(trigger);
  const before = model.getValue().slice(Math.max(0, offset - 400), offset);
  if (isUnasked && count(before, /[([{]/g) <= count(before, /[)\]}]/g)) return null;
  const reply = await ask({ kind: "complete", offset });
  if (reply?.kind !== "complete") return null;
  const { span, items } = reply.list;
  if (isUnasked && items.some(({ kind }) => general.has(kind))) return { suggestions: [] };
  const range = rangeOf(model, span);
  return {
    suggestions: items.map((item, index) => ({
      label: { label: item.label, description: item.detail },
      kind: kinds[item.kind],
      insertText: item.insert,
      filterText: item.filter ?? item.insert,
      sortText: String(index).padStart(4, "0"),
      range,
      ...(item.insert.endsWith("=") && { command: offerValues }),
      ...(item.meaning !== undefined && { documentation: item.meaning }),
    })),
  };
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

/** Behind `k=` its values are offered at once. */
const offerValues = { id: "editor.action.triggerSuggest", title: "Offer its values" };

const { CompletionItemKind } = monaco.languages;

const kinds: Readonly<Record<CompletionKind, monaco.languages.CompletionItemKind>> = {
  axis: CompletionItemKind.EnumMember,
  count: CompletionItemKind.Value,
  identifier: CompletionItemKind.Property,
  tensor: CompletionItemKind.Variable,
  parameter: CompletionItemKind.Property,
  word: CompletionItemKind.Keyword,
  operator: CompletionItemKind.Function,
  name: CompletionItemKind.Variable,
  dtype: CompletionItemKind.EnumMember,
};

async function signature(
  ask: Ask,
  offset: number,
): Promise<monaco.languages.SignatureHelpResult | null> {
  const reply = await ask({ kind: "signature", offset });
  if (reply?.kind !== "signature" || reply.help === undefined) return null;
  const { label, meaning, parameters, active } = reply.help;
  const shown = parameters.map((each) => ({ label: each.shown, documentation: each.meaning }));
  return {
    value: {
      signatures: [{ label, documentation: meaning, parameters: shown }],
      activeSignature: 0,
      activeParameter: active,
    },
    dispose: () => {},
  };
}

async function folds(model: Model, ask: Ask): Promise<monaco.languages.FoldingRange[] | null> {
  const reply = await ask({ kind: "folds" });
  if (reply?.kind !== "folds") return null;
  return reply.folds.map(({ from, to, kind }) => ({
    start: model.getPositionAt(from).lineNumber,
    end: model.getPositionAt(to).lineNumber,
    ...(kind === "comment" && { kind: monaco.languages.FoldingRangeKind.Comment }),
    ...(kind === "imports" && { kind: monaco.languages.FoldingRangeKind.Imports }),
  }));
}

function rangeOf(model: Model, span: Span): monaco.Range {
  return monaco.Range.fromPositions(model.getPositionAt(span.from), model.getPositionAt(span.to));
}
