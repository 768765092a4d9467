import * as monaco from "monaco-editor/editor";
import type { Span } from "#core/diagnostics";
import type { EditorEvents, PointedPlaces } from "./editor.ts";
import { restingPointer } from "./resting-pointer.ts";

type Editor = monaco.editor.IStandaloneCodeEditor;
type Model = monaco.editor.ITextModel;

/** Reports the place of the resting pointer, and of the caret. */
export function followPlaces(editor: Editor, { onPoint }: Pick<EditorEvents, "onPoint">): void {
  const pointer = restingPointer((offset) => onPoint("pointer", offset));
  editor.onMouseMove(({ target }) => {
    const offset = target.position && editor.getModel()?.getOffsetAt(target.position);
    pointer.over(typeof offset === "number" ? offset : undefined);
  });
  editor.onMouseLeave(() => pointer.over(undefined));
  const tellCaret = () => {
    const position = editor.getPosition();
    if (editor.hasTextFocus() && position !== null)
      onPoint("caret", editor.getModel()?.getOffsetAt(position));
  };
  editor.onDidChangeCursorPosition(tellCaret);
  editor.onDidFocusEditorText(tellCaret);
  editor.onDidBlurEditorText(() => onPoint("caret", undefined));
  editor.onKeyDown(({ keyCode }) => {
    if (keyCode === monaco.KeyCode.Escape) onPoint("caret", undefined);
  });
  editor.onDidDispose(() => pointer.over(undefined));
}

/** Marks lines and words in ink: those of the canvas selection, and of the part pointed at. */
export function placeMarks(editor: Editor, model: Model) {
  const drawn = editor.createDecorationsCollection();
  const rangeOf = ({ from, to }: Span) =>
    monaco.Range.fromPositions(model.getPositionAt(from), model.getPositionAt(to));
  const lineOf = (name: string) => (span: Span) => ({
    range: rangeOf(span),
    options: {
      isWholeLine: true,
      className: `line-${name}`,
      linesDecorationsClassName: `bar-${name}`,
      lineNumberClassName: `number-${name}`,
    },
  });
  return ({ selected, pointed, word }: PointedPlaces) => {
    drawn.set([
      ...selected.map(lineOf("selected")),
      ...pointed.map(lineOf("pointed")),
      ...(word === undefined
        ? []
        : [{ range: rangeOf(word), options: { className: "word-pointed" } }]),
    ]);
  };
}
