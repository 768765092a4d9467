import * as monaco from "monaco-editor/editor";
import "monaco-editor/features/bracketMatching/register";
import "monaco-editor/features/clipboard/register";
import "monaco-editor/features/codeAction/register";
import "monaco-editor/features/codicon/register";
import "monaco-editor/features/comment/register";
import "monaco-editor/features/find/register";
import "monaco-editor/features/folding/register";
import "monaco-editor/features/hover/register";
import "monaco-editor/features/linesOperations/register";
import "monaco-editor/features/multicursor/register";
import "monaco-editor/features/parameterHints/register";
import "monaco-editor/features/toggleTabFocusMode/register";
import "monaco-editor/features/wordOperations/register";
// The feature named "suggest" registers inline completions only; the list is behind this path.
import "monaco-editor/editor/contrib/suggest/browser/suggestController";
import EditorWorker from "monaco-editor/editor/editor.worker?worker";
import type { Span } from "#core/diagnostics";
import { changeBetween } from "./change-between.ts";
import type { EditorEvents, EditorHandle } from "./editor.ts";
import { editorColours, graphRules } from "./editor-colours.ts";
import { offerActions } from "./monaco-actions.ts";
import { assistModel } from "./monaco-assist.ts";
import { colourModel } from "./monaco-colours.ts";
import { hintModel } from "./monaco-hints.ts";
import {
  graphLanguageId,
  languageId,
  markerOf,
  offerFixes,
  registerLanguage,
} from "./monaco-language.ts";
import { followPlaces, placeMarks } from "./monaco-links.ts";
import { wroteMarks } from "./monaco-wrote.ts";

self.MonacoEnvironment = { getWorker: () => new EditorWorker() };

/** Opens an editor inside an element. */
export function openEditor(host: HTMLElement, source: string, events: EditorEvents): EditorHandle {
  registerLanguage();
  paint(document.documentElement.dataset["theme"] === "dark" ? "dark" : "light");
  const model = monaco.editor.createModel(
    source,
    events.part === "json" ? graphLanguageId : languageId,
  );
  model.updateOptions({
    bracketColorizationOptions: { enabled: false, independentColorPoolPerBracketType: false },
  });
  model.setEOL(monaco.editor.EndOfLineSequence.LF);
  const editor = monaco.editor.create(host, { ...options(events.part), model });
  const colours = colourModel(model);
  const hints = hintModel(model, editor.createDecorationsCollection());
  const wrote = wroteMarks(editor, model, events.onUndo);
  const fixes = offerFixes(model, events.onFix);
  const assisted = assistModel(model, events.ask);
  const acting = offerActions(model, events);
  let isWriting = false;
  model.onDidChangeContent(({ changes }) => {
    hints.move(changes);
    wrote.clear();
    if (isWriting) return;
    events.onType(model.getValue());
  });
  addKeys(editor, events);
  followPlaces(editor, events);
  return {
    write: (next) => {
      const change = changeBetween(model.getValue(), next);
      if (change === undefined) return;
      isWriting = true;
      const range = rangeOf(model, change);
      model.pushEditOperations(editor.getSelections(), [{ range, text: change.text }], () => null);
      isWriting = false;
    },
    colour: events.part === "json" ? () => {} : colours.show,
    hint: hints.show,
    mark: (diagnostics) => {
      fixes.offer(diagnostics);
      const markers = diagnostics.flatMap((diagnostic) => markerOf(model, diagnostic));
      monaco.editor.setModelMarkers(model, languageId, markers);
    },
    flash: wrote.show,
    point: placeMarks(editor, model),
    reveal: (span) => reveal(editor, span),
    show: (span) => editor.revealRangeInCenterIfOutsideViewport(rangeOf(model, span)),
    paint,
    dispose: () => {
      fixes.dispose();
      assisted.dispose();
      acting.dispose();
      editor.dispose();
      model.dispose();
    },
  };
}

/** Keys that the application handles: undo, renaming, go to definition. */
function addKeys(editor: Editor, { onUndo, onRedo, onRename, onReveal, ask }: EditorEvents): void {
  const { KeyMod, KeyCode } = monaco;
  const goTo = async (offset: number) => {
    const reply = await ask({ kind: "definition", offset });
    if (reply?.kind === "definition" && reply.span !== undefined) onReveal(reply.span);
  };
  editor.addCommand(KeyMod.CtrlCmd | KeyCode.KeyZ, onUndo);
  editor.addCommand(KeyMod.CtrlCmd | KeyMod.Shift | KeyCode.KeyZ, onRedo);
  editor.addCommand(KeyMod.CtrlCmd | KeyCode.KeyY, onRedo);
  editor.addCommand(KeyCode.F2, () => onRename(caretOf(editor)));
  editor.addCommand(KeyCode.F12, () => void goTo(caretOf(editor)));
  editor.onMouseDown(({ event, target }) => {
    const offset = target.position && editor.getModel()?.getOffsetAt(target.position);
    if ((event.ctrlKey || event.metaKey) && typeof offset === "number") void goTo(offset);
  });
}

function caretOf(editor: Editor): number {
  const position = editor.getPosition();
  return (position && editor.getModel()?.getOffsetAt(position)) ?? 0;
}

function reveal(editor: Editor, span: Span): void {
  const model = editor.getModel();
  if (model === null) return;
  const range = rangeOf(model, span);
  editor.setSelection(range);
  editor.revealRangeInCenterIfOutsideViewport(range);
  editor.focus();
}

type Editor = monaco.editor.IStandaloneCodeEditor;

type Model = monaco.editor.ITextModel;

function rangeOf(model: Model, span: Span): monaco.Range {
  return monaco.Range.fromPositions(model.getPositionAt(span.from), model.getPositionAt(span.to));
}

function paint(theme: "light" | "dark"): void {
  monaco.editor.defineTheme("shardboard", {
    base: theme === "dark" ? "vs-dark" : "vs",
    inherit: true,
    rules: graphRules(getComputedStyle(document.documentElement)),
    colors: editorColours(getComputedStyle(document.documentElement)),
  });
  monaco.editor.setTheme("shardboard");
}

function options(part: EditorEvents["part"]): monaco.editor.IStandaloneEditorConstructionOptions {
  const style = getComputedStyle(document.documentElement);
  return {
    ariaLabel: part === "plan" ? "Plan" : "Program",
    automaticLayout: true,
    fontFamily: style.getPropertyValue("--font-mono"),
    fontSize: 12,
    lineHeight: 21,
    lineNumbersMinChars: 3,
    renderFinalNewline: "on",
    lineDecorationsWidth: 10,
    padding: { top: 8, bottom: 8 },
    minimap: { enabled: false },
    overviewRulerLanes: 0,
    overviewRulerBorder: false,
    hideCursorInOverviewRuler: true,
    scrollBeyondLastLine: false,
    scrollbar: { verticalScrollbarSize: 10, horizontalScrollbarSize: 10, useShadows: false },
    renderLineHighlight: "line",
    occurrencesHighlight: "off",
    selectionHighlight: false,
    autoClosingBrackets: "languageDefined",
    autoClosingQuotes: "languageDefined",
    autoClosingDelete: "always",
    autoClosingOvertype: "always",
    autoSurround: "languageDefined",
    autoIndent: "keep",
    quickSuggestions: { other: true, strings: false, comments: false },
    quickSuggestionsDelay: 120,
    acceptSuggestionOnCommitCharacter: false,
    acceptSuggestionOnEnter: "smart",
    suggest: { showIcons: false, showWords: false },
    suggestLineHeight: 24,
    suggestFontSize: 12,
    parameterHints: { enabled: true, cycle: false },
    wordBasedSuggestions: "off",
    contextmenu: false,
    fixedOverflowWidgets: true,
    glyphMargin: false,
    folding: true,
    foldingHighlight: false,
    showFoldingControls: "mouseover",
    tabSize: part === "json" ? 2 : 4,
    insertSpaces: true,
    detectIndentation: false,
    unicodeHighlight: { ambiguousCharacters: false },
    stickyScroll: { enabled: false },
    guides: { indentation: false, bracketPairs: false },
    wordWrap: part === "json" ? "off" : "on",
    wrappingIndent: "indent",
    // A layout behind a line has none of these characters, so that it is never broken.
    wordWrapBreakAfterCharacters: " \t.",
    wordWrapBreakBeforeCharacters: "",
    links: false,
  };
}
