import * as monaco from "monaco-editor/editor";
import type { Span } from "#core/diagnostics";
import type { WroteNote } from "./editor.ts";
import { linesForNote, placeNote } from "./note-place.ts";
import { wroteNote } from "./wrote-note.ts";

type Editor = monaco.editor.IStandaloneCodeEditor;
type Model = monaco.editor.ITextModel;

/** Marks lines that were just written: a flash, then a bar until the text changes. */
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
