import * as monaco from "monaco-editor/editor";
import type { Diagnostic, Fix } from "#core/diagnostics";
import { helpAddress } from "./help-address.ts";

export const languageId = "shardboard";

/** The JSON of graphs; it is tokenised line by line, so that a long text opens at once. */
export const graphLanguageId = "graph-json";

/** Registers the language with the editor, once. */
export function registerLanguage(): void {
  if (monaco.languages.getLanguages().some(({ id }) => id === languageId)) return;
  monaco.languages.register({ id: languageId });
  registerLoom();
  monaco.languages.setLanguageConfiguration(languageId, {
    comments: { lineComment: "#" },
    brackets: [
      ["(", ")"],
      ["[", "]"],
      ["{", "}"],
    ],
    ...closing("()", "[]", "{}", '""', "''"),
    onEnterRules: [
      {
        beforeText: /:\s*(#.*)?$/,
        action: { indentAction: monaco.languages.IndentAction.Indent },
      },
    ],
  });
}

/** Brackets and quotes that close themselves, and that surround a selection. */
function closing(
  ...pairs: readonly string[]
): Pick<monaco.languages.LanguageConfiguration, "autoClosingPairs" | "surroundingPairs"> {
  const all = pairs.map(([open = "", close = ""]) => ({ open, close }));
  return { autoClosingPairs: all, surroundingPairs: all };
}

function registerLoom(): void {
  monaco.languages.register({ id: graphLanguageId });
  monaco.languages.setLanguageConfiguration(graphLanguageId, {
    brackets: [
      ["[", "]"],
      ["{", "}"],
    ],
    ...closing("[]", "{}", '""'),
  });
  monaco.languages.setMonarchTokensProvider(graphLanguageId, {
    tokenizer: {
      root: [
        [/"(?:[^"\\]|\\.)*"(?=\s*:)/, "name"],
        [/"(?:[^"\\]|\\.)*"?/, "text"],
        [/\b(?:true|false|null)\b/, "word"],
      ],
    },
  });
}

const severities = {
  error: monaco.MarkerSeverity.Error,
  warning: monaco.MarkerSeverity.Warning,
  info: monaco.MarkerSeverity.Info,
} as const;

/** A diagnostic as a squiggle; without a place it has none. */
export function markerOf(
  model: monaco.editor.ITextModel,
  { span, severity, message, code }: Diagnostic,
): monaco.editor.IMarkerData[] {
  if (span === undefined) return [];
  const start = model.getPositionAt(span.from);
  const end = model.getPositionAt(Math.max(span.to, span.from + 1));
  return [
    {
      severity: severities[severity],
      message,
      code: {
        value: code,
        target: monaco.Uri.parse(new URL(helpAddress(code), document.baseURI).href),
      },
      startLineNumber: start.lineNumber,
      startColumn: start.column,
      endLineNumber: end.lineNumber,
      endColumn: end.column,
    },
  ];
}

/** Offers the fixes of diagnostics as code actions for one text. */
export function offerFixes(model: monaco.editor.ITextModel, apply: (fix: Fix) => void) {
  let offered: readonly Diagnostic[] = [];
  const command = `shardboard.fix.${model.id}`;
  const registered = monaco.editor.registerCommand(command, (_services, fix: Fix) => apply(fix));
  const provider = monaco.languages.registerCodeActionProvider([languageId, graphLanguageId], {
    provideCodeActions: (asked, range) => {
      const actions = asked === model ? actionsIn(model, offered, range, command) : [];
      return { actions, dispose: () => {} };
    },
  });
  return {
    offer: (diagnostics: readonly Diagnostic[]) => {
      offered = diagnostics;
    },
    dispose: () => {
      provider.dispose();
      registered.dispose();
    },
  };
}

function actionsIn(
  model: monaco.editor.ITextModel,
  diagnostics: readonly Diagnostic[],
  range: monaco.Range,
  command: string,
): monaco.languages.CodeAction[] {
  const from = model.getOffsetAt(range.getStartPosition());
  const to = model.getOffsetAt(range.getEndPosition());
  return diagnostics.flatMap((diagnostic) => {
    const { span, fixes = [], code } = diagnostic;
    // A diagnostic of the whole text applies at every place.
    const isHere = code === "document/page" || (span && span.from <= to && span.to >= from);
    if (span === undefined || isHere !== true) return [];
    return fixes.map((fix) => ({
      title: fix.title,
      kind: "quickfix",
      diagnostics: markerOf(model, diagnostic),
      command: { id: command, title: fix.title, arguments: [fix] },
    }));
  });
}
