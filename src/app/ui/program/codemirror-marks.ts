import { type ChangeSet, type Range, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, WidgetType } from "@codemirror/view";
import type { TextEdit } from "#core/diagnostics";
import { type AnchoredHint, anchored, movedHints } from "./hint-anchors.ts";
import type { LayoutHint } from "./layout-hints.ts";
import { type ColouredRun, classOf } from "./token-lines.ts";

/** The colours of a text; they move with edits until new ones come. */
export const setRuns = StateEffect.define<readonly ColouredRun[]>();
export const runField = markField(setRuns, (runs) =>
  runs.map((run) => Decoration.mark({ class: classOf(run) }).range(run.from, run.to)),
);

/** Layouts at the ends of lines; each moves with its line, or is removed with it. */
export const setHints = StateEffect.define<readonly LayoutHint[]>();
export const hintField = StateField.define<Hints>({
  create: () => ({ anchors: [], marks: Decoration.none }),
  update: ({ anchors, marks }, { effects, changes, docChanged, startState, state }) => {
    const asked = effects.find((each) => each.is(setHints));
    if (asked !== undefined) return hintsAt(anchored(state.doc.toString(), asked.value));
    if (!docChanged) return { anchors, marks };
    const moved = movedHints(anchors, editsOf(changes), startState.doc.toString());
    if (moved.isTouched) return hintsAt(moved.hints);
    return { anchors: moved.hints, marks: marks.map(changes) };
  },
  provide: (field) => EditorView.decorations.from(field, ({ marks }) => marks),
});

interface Hints {
  readonly anchors: readonly AnchoredHint[];
  readonly marks: DecorationSet;
}

function hintsAt(anchors: readonly AnchoredHint[]): Hints {
  const marks = anchors.map(({ hint, to }) =>
    Decoration.widget({ widget: new Hint(hint), side: 1 }).range(to),
  );
  return { anchors, marks: Decoration.set(marks, true) };
}

function editsOf(changes: ChangeSet): readonly TextEdit[] {
  const edits: TextEdit[] = [];
  changes.iterChanges((from, to, _from, _to, inserted) => {
    edits.push({ from, to, text: inserted.toString() });
  });
  return edits;
}

function markField<T>(
  effect: ReturnType<typeof StateEffect.define<T>>,
  marks: (value: T) => Range<Decoration>[],
): StateField<DecorationSet> {
  return StateField.define<DecorationSet>({
    create: () => Decoration.none,
    update: (set, { effects, changes, state }) => {
      const moved = set.map(changes);
      const asked = effects.find((each) => each.is(effect));
      if (asked === undefined) return moved;
      const inside = marks(asked.value).filter(({ to }) => to <= state.doc.length);
      return Decoration.set(inside);
    },
    provide: (field) => EditorView.decorations.from(field),
  });
}

class Hint extends WidgetType {
  private readonly hint: LayoutHint;

  constructor(hint: LayoutHint) {
    super();
    this.hint = hint;
  }

  override eq({ hint }: Hint): boolean {
    return JSON.stringify(hint.runs) === JSON.stringify(this.hint.runs);
  }

  override toDOM(): HTMLElement {
    const label = document.createElement("span");
    label.className = "inl";
    label.setAttribute("aria-hidden", "true");
    for (const { text, hue } of this.hint.runs) {
      const piece = document.createElement("span");
      piece.textContent = text;
      if (hue !== undefined) piece.className = `inl-axis a${hue}`;
      label.append(piece);
    }
    return label;
  }
}
