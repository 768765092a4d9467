import * as monaco from "monaco-editor/editor";
import type { Span } from "#core/diagnostics";
import type { WroteNote } from "./editor.ts";
import { wroteNote } from "./wrote-note.ts";

type Editor = monaco.editor.IStandaloneCodeEditor;
type Model = monaco.editor.ITextModel;

/** Lines that were just written: they flash once, and keep a bar until the text changes. */
export function wroteMarks(editor: Editor, model: Model, onUndo: () => void) {
  const drawn = editor.createDecorationsCollection();
  let note: monaco.editor.IOverlayWidget | undefined;
  let follow: readonly monaco.IDisposable[] = [];
  const clear = () => {
    drawn.clear();
    for (const each of follow) each.dispose();
    follow = [];
    if (note !== undefined) editor.removeOverlayWidget(note);
    note = undefined;
  };
  return {
    clear,
    show: (spans: readonly Span[], said: WroteNote) => {
      clear();
      const ranges = spans.map(({ from, to }) =>
        monaco.Range.fromPositions(model.getPositionAt(from), model.getPositionAt(to)),
      );
      const [first] = ranges;
      if (first === undefined) return;
      drawn.set(ranges.map((range) => ({ range, options: look })));
      editor.revealRangeInCenterIfOutsideViewport(first.setEndPosition(first.endLineNumber + 1, 1));
      const node = wroteNote(said, onUndo);
      note = { getId: () => "wrote", getDomNode: () => node, getPosition: () => null };
      editor.addOverlayWidget(note);
      const lines = linesForNote(model, ranges);
      const place = () => placeNote(editor, model, node, lines);
      follow = [editor.onDidScrollChange(place), editor.onDidLayoutChange(place)];
      place();
    },
  };
}

const look = {
  isWholeLine: true,
  className: "line-wrote",
  linesDecorationsClassName: "bar-wrote",
};

/** Lines of a run that are tried for room. */
const mostTried = 8;

/** The lines on which the note may stand: the written lines, or the line after them. */
function linesForNote(model: Model, ranges: readonly monaco.Range[]): readonly number[] {
  const written = ranges.flatMap(({ startLineNumber: from, endLineNumber: to }) =>
    Array.from({ length: Math.min(to - from + 1, mostTried) }, (_, at) => from + at),
  );
  const behind = (ranges.at(-1)?.endLineNumber ?? 0) + 1;
  return behind > model.getLineCount() ? written : [...written, behind];
}

/**
 * Behind the first line with room for it, at the right, of those that were written and the next one;
 * without room on any it is not shown.
 */
function placeNote(
  editor: Editor,
  model: Model,
  node: HTMLElement,
  lines: readonly number[],
): void {
  const { contentLeft, contentWidth, verticalScrollbarWidth } = editor.getLayoutInfo();
  const right = contentLeft + contentWidth - verticalScrollbarWidth;
  const line = lines.find((lineNumber) => {
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
