import type * as monaco from "monaco-editor/editor";

type Editor = monaco.editor.IStandaloneCodeEditor;
type Model = monaco.editor.ITextModel;

/** Editor methods that placing a note needs. */
type NoteEditor = Pick<
  Editor,
  "getScrolledVisiblePosition" | "getTopForLineNumber" | "getScrollTop"
> & {
  readonly getLayoutInfo: () => Pick<
    monaco.editor.EditorLayoutInfo,
    "contentLeft" | "contentWidth" | "verticalScrollbarWidth"
  >;
};

/** Element of the note. */
type NoteElement = Pick<HTMLElement, "offsetWidth"> & {
  readonly style: Pick<CSSStyleDeclaration, "visibility" | "top" | "left">;
};

/** Most lines of a written range that are tried. */
const mostTried = 8;

/** Lines on which the note may be placed: the written lines, then the line after them. */
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
 * Places the note at the right of the first line with room for it; hides it if no line has room.
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
    // An editor whose text became shorter scrolls before its change event, so a line may not exist
    // any more.
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
