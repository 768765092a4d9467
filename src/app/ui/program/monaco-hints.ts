import * as monaco from "monaco-editor/editor";
import type { TextEdit } from "#core/diagnostics";
import { type AnchoredHint, anchored, movedHints } from "./hint-anchors.ts";
import type { LayoutHint } from "./layout-hints.ts";

type Model = monaco.editor.ITextModel;

/** Layouts at the ends of lines of one text; each moves with its line, or is removed with it. */
export function hintModel(model: Model, drawn: monaco.editor.IEditorDecorationsCollection) {
  let words = "";
  let text = model.getValue();
  let anchors: readonly AnchoredHint[] = [];
  const decorations = () => anchors.flatMap((anchor) => hintDecorations(model, anchor));
  return {
    show: (hints: readonly LayoutHint[]) => {
      text = model.getValue();
      anchors = anchored(text, hints);
      const wanted = decorations();
      const said = JSON.stringify(hints.map(({ runs }) => runs));
      if (said === words && standAt(drawn.getRanges(), wanted)) return;
      words = said;
      drawn.set(wanted);
    },
    move: (changes: readonly monaco.editor.IModelContentChange[]) => {
      if (anchors.length === 0) return;
      const moved = movedHints(anchors, changes.map(editOf), text);
      text = model.getValue();
      anchors = moved.hints;
      if (!moved.isTouched) return;
      words = "";
      drawn.set(decorations());
    },
  };
}

/** Whether the present labels stand at their anchors: labels move with their lines. */
function standAt(
  ranges: readonly monaco.Range[],
  wanted: readonly monaco.editor.IModelDeltaDecoration[],
): boolean {
  return (
    ranges.length === wanted.length &&
    ranges.every(({ endLineNumber, endColumn }, index) => {
      const { startLineNumber, startColumn } = wanted[index]?.range ?? {};
      return endLineNumber === startLineNumber && endColumn === startColumn;
    })
  );
}

function editOf({ rangeOffset, rangeLength, text }: monaco.editor.IModelContentChange): TextEdit {
  return { from: rangeOffset, to: rangeOffset + rangeLength, text };
}

/** The space between a line and its layout; the layout wraps where the line has no room for it. */
const gap = { text: " \u00a0" };

/** One piece of injected text per run; the first begins with the space. */
function hintDecorations(
  model: Model,
  { hint, to }: AnchoredHint,
): monaco.editor.IModelDeltaDecoration[] {
  const range = monaco.Range.fromPositions(model.getPositionAt(to));
  return [gap, ...hint.runs].map((run) => ({
    range,
    options: {
      showIfCollapsed: true,
      after: {
        content: run === gap ? gap.text : run.text.replaceAll(" ", "\u00a0"),
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
