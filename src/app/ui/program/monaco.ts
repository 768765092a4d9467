import * as monaco from "monaco-editor/editor";
import "monaco-editor/features/bracketMatching/register";
import "monaco-editor/features/clipboard/register";
import "monaco-editor/features/codeAction/register";
import "monaco-editor/features/codicon/register";
import "monaco-editor/features/comment/register";
import "monaco-editor/features/find/register";
import "monaco-editor/features/hover/register";
import "monaco-editor/features/linesOperations/register";
import "monaco-editor/features/multicursor/register";
import "monaco-editor/features/toggleTabFocusMode/register";
import "monaco-editor/features/wordOperations/register";
import EditorWorker from "monaco-editor/editor/editor.worker?worker";
import type { Diagnostic, Fix, Span } from "#core/diagnostics";
import { changeBetween } from "./change-between.ts";
import { editorColours } from "./editor-colours.ts";
import type { LayoutHint } from "./layout-hints.ts";
import { languageId, markerOf, offerFixes, registerLanguage } from "./monaco-language.ts";
import { classOf, type Run } from "./token-lines.ts";

/** What the editor tells the application. */
export interface EditorEvents {
  readonly onType: (source: string) => void;
  readonly onUndo: () => void;
  readonly onRedo: () => void;
  readonly onFix: (fix: Fix) => void;
}

/** The editor of one text. */
export interface EditorHandle {
  /** Makes the text equal to `source` by its smallest change. */
  write(source: string): void;
  colour(runs: readonly Run[]): void;
  /** Shows layouts at the ends of lines. */
  hint(hints: readonly LayoutHint[]): void;
  mark(diagnostics: readonly Diagnostic[]): void;
  /** Shows for a moment what an edit by hand wrote. */
  flash(span: Span): void;
  reveal(span: Span): void;
  paint(theme: "light" | "dark"): void;
  dispose(): void;
}

self.MonacoEnvironment = { getWorker: () => new EditorWorker() };

/** Opens an editor inside an element. */
export function openEditor(host: HTMLElement, source: string, events: EditorEvents): EditorHandle {
  registerLanguage();
  paint(document.documentElement.dataset["theme"] === "dark" ? "dark" : "light");
  const model = monaco.editor.createModel(source, languageId);
  model.updateOptions({
    bracketColorizationOptions: { enabled: false, independentColorPoolPerBracketType: false },
  });
  model.setEOL(monaco.editor.EndOfLineSequence.LF);
  const editor = monaco.editor.create(host, { ...options(), model });
  const colours = editor.createDecorationsCollection();
  const hints = editor.createDecorationsCollection();
  const flashes = editor.createDecorationsCollection();
  const fixes = offerFixes(model, events.onFix);
  let isWriting = false;
  model.onDidChangeContent(() => {
    if (isWriting) return;
    flashes.clear();
    events.onType(model.getValue());
  });
  editor.addCommand(monaco.KeyMod.CtrlCmd | monaco.KeyCode.KeyZ, events.onUndo);
  editor.addCommand(
    monaco.KeyMod.CtrlCmd | monaco.KeyMod.Shift | monaco.KeyCode.KeyZ,
    events.onRedo,
  );
  editor.addCommand(monaco.KeyMod.CtrlCmd | monaco.KeyCode.KeyY, events.onRedo);
  return {
    write: (next) => {
      const change = changeBetween(model.getValue(), next);
      if (change === undefined) return;
      isWriting = true;
      const range = rangeOf(model, change);
      model.pushEditOperations(editor.getSelections(), [{ range, text: change.text }], () => null);
      isWriting = false;
    },
    colour: (runs) => {
      colours.set(runs.map((run) => decorationOf(model, run)));
    },
    hint: (layouts) => {
      hints.set(layouts.flatMap((layout) => hintDecorations(model, layout)));
    },
    mark: (diagnostics) => {
      fixes.offer(diagnostics);
      const markers = diagnostics.flatMap((diagnostic) => markerOf(model, diagnostic));
      monaco.editor.setModelMarkers(model, languageId, markers);
    },
    flash: (span) => {
      const range = rangeOf(model, span);
      flashes.set([{ range, options: { isWholeLine: true, className: "line-wrote" } }]);
      editor.revealRangeInCenterIfOutsideViewport(range);
    },
    reveal: (span) => {
      const range = rangeOf(model, span);
      editor.setSelection(range);
      editor.revealRangeInCenterIfOutsideViewport(range);
      editor.focus();
    },
    paint,
    dispose: () => {
      fixes.dispose();
      editor.dispose();
      model.dispose();
    },
  };
}

type Model = monaco.editor.ITextModel;

function rangeOf(model: Model, span: Span): monaco.Range {
  return monaco.Range.fromPositions(model.getPositionAt(span.from), model.getPositionAt(span.to));
}

function decorationOf(model: Model, run: Run): monaco.editor.IModelDeltaDecoration {
  return { range: rangeOf(model, run), options: { inlineClassName: classOf(run) } };
}

/** One piece of injected text per run, the first with the distance from the line. */
function hintDecorations(model: Model, hint: LayoutHint): monaco.editor.IModelDeltaDecoration[] {
  const { lineNumber } = model.getPositionAt(hint.at);
  const column = model.getLineMaxColumn(lineNumber);
  const range = new monaco.Range(lineNumber, column, lineNumber, column);
  const gap = { text: "\u00a0\u00a0" };
  return [gap, ...hint.runs].map((run) => ({
    range,
    options: {
      showIfCollapsed: true,
      after: {
        content: run.text.replaceAll(" ", "\u00a0"),
        inlineClassName: hintClass(run, run === gap),
        cursorStops: monaco.editor.InjectedTextCursorStops.None,
      },
    },
  }));
}

function hintClass(run: LayoutHint["runs"][number], isGap: boolean): string {
  if (isGap) return "inl-gap";
  return run.hue === undefined ? "inl" : `inl inl-axis a${run.hue}`;
}

function paint(theme: "light" | "dark"): void {
  monaco.editor.defineTheme("shardboard", {
    base: theme === "dark" ? "vs-dark" : "vs",
    inherit: true,
    rules: [],
    colors: editorColours(getComputedStyle(document.documentElement)),
  });
  monaco.editor.setTheme("shardboard");
}

function options(): monaco.editor.IStandaloneEditorConstructionOptions {
  const style = getComputedStyle(document.documentElement);
  return {
    ariaLabel: "Program",
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
    autoClosingBrackets: "never",
    autoClosingQuotes: "never",
    autoSurround: "never",
    autoIndent: "keep",
    quickSuggestions: false,
    wordBasedSuggestions: "off",
    contextmenu: false,
    fixedOverflowWidgets: true,
    glyphMargin: false,
    folding: false,
    tabSize: 4,
    insertSpaces: true,
    detectIndentation: false,
    unicodeHighlight: { ambiguousCharacters: false },
    stickyScroll: { enabled: false },
    guides: { indentation: false, bracketPairs: false },
    wordWrap: "on",
    wrappingIndent: "indent",
    links: false,
  };
}
