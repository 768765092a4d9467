import type { Range } from "@codemirror/state";
import { Decoration, type DecorationSet, type EditorView, ViewPlugin } from "@codemirror/view";
import { hangOf } from "./hang-of.ts";

/** The indent of wrapped lines, so that Python's blocks can be seen on a phone. */
export const hangingLines = ViewPlugin.define<{ marks: DecorationSet }>(
  (view) => {
    const value = { marks: marksIn(view) };
    return Object.assign(value, {
      update: (change: { docChanged: boolean; viewportChanged: boolean; view: EditorView }) => {
        if (change.docChanged || change.viewportChanged) value.marks = marksIn(change.view);
      },
    });
  },
  { decorations: ({ marks }) => marks },
);

function marksIn({ state, visibleRanges }: EditorView): DecorationSet {
  const marks: Range<Decoration>[] = [];
  for (const { from, to } of visibleRanges) {
    for (let at = from; at <= to; ) {
      const line = state.doc.lineAt(at);
      const hang = hangOf(line.text);
      if (hang > 0) {
        const style = `--hang: ${hang}ch`;
        const attributes = { style, class: "cm-hang" };
        marks.push(Decoration.line({ attributes }).range(line.from));
      }
      at = line.to + 1;
    }
  }
  return Decoration.set(marks, true);
}
