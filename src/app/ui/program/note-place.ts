import type * as monaco from "monaco-editor/editor";

type Editor = monaco.editor.IStandaloneCodeEditor;
type Model = monaco.editor.ITextModel;

/** The methods of an editor that the placing of a note needs. */
type NoteEditor = Pick<
  Editor,
  "getScrolledVisiblePosition" | "getTopForLineNumber" | "getScrollTop"
> & {
  readonly getLayoutInfo: () => Pick<
    monaco.editor.EditorLayoutInfo,
    "contentLeft" | "contentWidth" | "verticalScrollbarWidth"
  >;
};

/** The element that is placed. */
type NoteElement = Pick<HTMLElement, "offsetWidth"> & {
  readonly style: Pick<CSSStyleDeclaration, "visibility" | "top" | "left">;
};

/** The most lines of a run that are tried. */
const mostTried = 8;

/** The lines on which the note may stand: the written lines, or the line after them. */
export function linesForNote(
  model: Pick<Model, "getLineCount">,
  ranges: readonly Pick<monaco.Range, "startLineNumber" | "endLineNumber">[],
): readonly number[] {
  const written = ranges.flatMap(({ startLineNumber: from, endLineNumber: to }) =>
    Array.from({ length: Math.min(to - from + 1, mostTried) }, (_, at) => from + at),
  );
  const behind = (ranges.at(-1)?.endLineNumber ?? 0) + 1;
  return behind > model.getLineCount() ? written : [...written, behind];
}

/**
 * Puts the note at the right of the first line with room for it, of the written lines and the next
 * one; without any such line it is hidden.
 */
export function placeNote(
  editor: NoteEditor,
  model: Pick<Model, "getLineCount" | "getLineMaxColumn">,
  node: NoteElement,
  lines: readonly number[],
): void {
  const { contentLeft, contentWidth, verticalScrollbarWidth } = editor.getLayoutInfo();
  const right = contentLeft + contentWidth - verticalScrollbarWidth;
  const line = lines.find((lineNumber) => {
    // A text that has become shorter scrolls before its change is reported.
    if (lineNumber > model.getLineCount()) return false;
    const end = editor.getScrolledVisiblePosition({
      lineNumber,
      column: model.getLineMaxColumn(lineNumber),
    });
    const isWrapped =
      end !== null && end.top > editor.getTopForLineNumber(lineNumber) - editor.getScrollTop() + 1;
    return end !== null && !isWrapped && end.left + node.offsetWidth + 16 < right;
  });
  node.style.visibility = line === undefined ? "hidden" : "visible";
  if (line === undefined) return;
  node.style.top = `${editor.getTopForLineNumber(line) - editor.getScrollTop()}px`;
  node.style.left = `${right - node.offsetWidth - 6}px`;
}
