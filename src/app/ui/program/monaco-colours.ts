import type * as monaco from "monaco-editor/editor";
import { keptRuns, type Touched, touchedBy } from "./changed-runs.ts";
import { type ColouredRun, classOf } from "./token-lines.ts";

type Model = monaco.editor.ITextModel;

/** The colours of a model's text; after an edit only those that differ are drawn anew. */
export interface ModelColours {
  /** Colours the text; does nothing if `runs` are of an older one, since newer ones will follow. */
  show(runs: readonly ColouredRun[], source: string): void;
}

/** Holds a model's colours, and the range edited since they were shown. */
export function colourModel(model: Model): ModelColours {
  let shown: readonly ColouredRun[] = [];
  let ids: readonly string[] = [];
  let touched: Touched | undefined;
  model.onDidChangeContent(({ changes, isFlush }) => {
    if (isFlush) touched = { from: 0, to: model.getValueLength(), grown: 0 };
    for (const { rangeOffset, rangeLength, text } of changes.toSorted(fromTheEnd)) {
      const replaced = { from: rangeOffset, removed: rangeLength, added: text.length };
      touched = touchedBy(touched, replaced);
    }
  });
  return {
    show: (runs, source) => {
      if (model.getValueLength() !== source.length || model.getValue() !== source) return;
      const { first, last } = keptRuns(shown, runs, touched);
      const outdated = ids.slice(first, ids.length - last);
      const added = runs.slice(first, runs.length - last);
      const fresh = model.deltaDecorations(
        [...outdated],
        added.map((run) => decorationOf(model, run)),
      );
      ids = [...ids.slice(0, first), ...fresh, ...ids.slice(ids.length - last)];
      shown = runs;
      touched = undefined;
    },
  };
}

function decorationOf(model: Model, run: ColouredRun): monaco.editor.IModelDeltaDecoration {
  const [start, end] = [model.getPositionAt(run.from), model.getPositionAt(run.to)];
  const range = {
    startLineNumber: start.lineNumber,
    startColumn: start.column,
    endLineNumber: end.lineNumber,
    endColumn: end.column,
  };
  return { range, options: { inlineClassName: classOf(run) } };
}

/** All parts of one change have offsets of the text before the change. */
function fromTheEnd(a: { rangeOffset: number }, b: { rangeOffset: number }): number {
  return b.rangeOffset - a.rangeOffset;
}
