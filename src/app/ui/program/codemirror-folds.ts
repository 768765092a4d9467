import { codeFolding, foldGutter, foldKeymap, foldService } from "@codemirror/language";
import { type ChangeDesc, type Extension, StateEffect, StateField } from "@codemirror/state";
import { type EditorView, keymap, ViewPlugin, type ViewUpdate } from "@codemirror/view";
import type { Span } from "#core/diagnostics";
import type { EditorEvents } from "./editor.ts";

const setFolds = StateEffect.define<readonly Span[]>();

/**
 * The ranges that can be folded, from the end of their first line to the end of their last; they
 * move with the text.
 */
const foldField = StateField.define<readonly Span[]>({
  create: () => [],
  update: (folds, { effects, changes, docChanged }) => {
    const told = effects.find((effect) => effect.is(setFolds));
    if (told !== undefined) return told.value;
    return docChanged ? folds.flatMap((fold) => moved(fold, changes)) : folds;
  },
});

function moved({ from, to }: Span, changes: ChangeDesc): readonly Span[] {
  const span = { from: changes.mapPos(from, 1), to: changes.mapPos(to, -1) };
  return span.from < span.to ? [span] : [];
}

/** Milliseconds without input after which the folds are requested anew. */
const pauseMilliseconds = 250;

/** Folding of blocks, comments and imports by a tap beside their first line. */
export function offerFolds(ask: EditorEvents["ask"]): Extension {
  return [
    foldField,
    ViewPlugin.define((view) => follow(view, ask)),
    foldService.of((state, start, end) => {
      const { length } = state.doc;
      const inside = state.field(foldField).filter(({ to }) => to <= length);
      return inside.find(({ from, to }) => start <= from && from <= end && to > end) ?? null;
    }),
    codeFolding({ placeholderText: "…" }),
    foldGutter({
      markerDOM: marker,
      foldingChanged: ({ transactions }) =>
        transactions.some(({ effects }) => effects.some((effect) => effect.is(setFolds))),
    }),
    keymap.of(foldKeymap),
  ];
}

/** Requests the folds of the present text, once the input rests. */
function follow(view: EditorView, ask: EditorEvents["ask"]) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const read = async () => {
    const { doc } = view.state;
    const reply = await ask({ kind: "folds" });
    if (reply?.kind !== "folds" || view.state.doc !== doc) return;
    const folds = reply.folds.filter(({ to }) => to <= doc.length);
    view.dispatch({ effects: setFolds.of(folds.map(({ from, to }) => ({ from, to }))) });
  };
  const later = (milliseconds: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => void read(), milliseconds);
  };
  later(0);
  return {
    update: ({ docChanged }: ViewUpdate) => {
      if (docChanged) later(pauseMilliseconds);
    },
    destroy: () => clearTimeout(timer),
  };
}

function marker(isOpen: boolean): HTMLElement {
  const element = document.createElement("span");
  element.className = "fold-mark";
  element.textContent = isOpen ? "⌄" : "›";
  element.title = isOpen ? "Fold these lines" : "Unfold these lines";
  return element;
}
