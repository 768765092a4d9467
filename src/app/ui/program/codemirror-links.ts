import {
  type EditorState,
  type Extension,
  type Range,
  StateEffect,
  StateField,
} from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, WidgetType } from "@codemirror/view";
import type { Span } from "#core/diagnostics";
import type { EditorEvents, PointedPlaces, WroteNote } from "./editor.ts";
import { restingPointer } from "./resting-pointer.ts";
import { wroteNote } from "./wrote-note.ts";

/** Marks the lines of the canvas selection, and the words of the part pointed at. */
export const setPlaces = StateEffect.define<PointedPlaces>();
export const placeField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (set, { effects, changes, state }) => {
    const asked = effects.find((effect) => effect.is(setPlaces));
    return asked === undefined ? set.map(changes) : placesIn(state, asked.value);
  },
  provide: (field) => EditorView.decorations.from(field),
});

function placesIn(state: EditorState, { selected, pointed, word }: PointedPlaces): DecorationSet {
  const { length } = state.doc;
  const words =
    word === undefined || word.to > length || word.from >= word.to
      ? []
      : [Decoration.mark({ class: "word-pointed" }).range(word.from, word.to)];
  const marks = [
    ...selected.flatMap((span) => lineMarks(state, span, "line-selected")),
    ...pointed.flatMap((span) => lineMarks(state, span, "line-pointed")),
    ...words,
  ];
  return Decoration.set(marks, true);
}

/** Lines that were just written, until the text changes. */
export const setWrote = StateEffect.define<{
  readonly spans: readonly Span[];
  readonly note: WroteNote;
  readonly onUndo: () => void;
}>();
export const wroteField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (set, { effects, docChanged, state }) => {
    const asked = effects.find((effect) => effect.is(setWrote));
    if (asked === undefined) return docChanged ? Decoration.none : set;
    const { spans, note, onUndo } = asked.value;
    const [first] = spans;
    if (first === undefined) return Decoration.none;
    const end = state.doc.lineAt(Math.min(first.from, state.doc.length)).to;
    const widget = new Note(note, onUndo);
    const marks = spans.flatMap((span) => lineMarks(state, span, "line-wrote"));
    return Decoration.set([...marks, Decoration.widget({ widget, side: 2 }).range(end)], true);
  },
  provide: (field) => EditorView.decorations.from(field),
});

function lineMarks(state: EditorState, span: Span, name: string): readonly Range<Decoration>[] {
  const { length } = state.doc;
  if (span.from > length) return [];
  const first = state.doc.lineAt(span.from).number;
  const last = state.doc.lineAt(Math.min(span.to, length)).number;
  return Array.from({ length: last - first + 1 }, (_, at) =>
    Decoration.line({ class: name }).range(state.doc.line(first + at).from),
  );
}

class Note extends WidgetType {
  private readonly note: WroteNote;
  private readonly onUndo: () => void;

  constructor(note: WroteNote, onUndo: () => void) {
    super();
    this.note = note;
    this.onUndo = onUndo;
  }

  override eq({ note }: Note): boolean {
    return note.text === this.note.text && note.undo === this.note.undo;
  }

  override toDOM(): HTMLElement {
    return wroteNote(this.note, this.onUndo);
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

/** Reports the place of the caret, and of a hovering pointer that rests. */
export function followPlaces({ onPoint }: Pick<EditorEvents, "onPoint">): Extension {
  const pointer = restingPointer((offset) => onPoint("pointer", offset));
  return [
    EditorView.updateListener.of(({ view, selectionSet, focusChanged, docChanged }) => {
      if (!view.hasFocus && focusChanged) onPoint("caret", undefined);
      if (view.hasFocus && (selectionSet || focusChanged) && !docChanged)
        onPoint("caret", view.state.selection.main.head);
    }),
    EditorView.domEventHandlers({
      pointermove: ({ pointerType, clientX, clientY }, view) => {
        if (pointerType !== "mouse") return;
        pointer.over(view.posAtCoords({ x: clientX, y: clientY }) ?? undefined);
      },
      pointerleave: () => pointer.over(undefined),
      keydown: ({ key }) => {
        if (key === "Escape") onPoint("caret", undefined);
        return false;
      },
    }),
  ];
}
