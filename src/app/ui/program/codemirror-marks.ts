import { type Range, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, WidgetType } from "@codemirror/view";
import type { Span } from "#core/diagnostics";
import type { LayoutHint } from "./layout-hints.ts";
import { classOf, type Run } from "./token-lines.ts";

/** The colours of a text; they move along with edits until the next ones come. */
export const setRuns = StateEffect.define<readonly Run[]>();
export const runField = markField(setRuns, (runs) =>
  runs.map((run) => Decoration.mark({ class: classOf(run) }).range(run.from, run.to)),
);

/** The line that an edit by hand wrote, until the text changes. */
export const setFlash = StateEffect.define<Span>();
export const flashField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (set, { effects, docChanged, state }) => {
    const asked = effects.find((effect) => effect.is(setFlash));
    if (asked === undefined) return docChanged ? Decoration.none : set;
    const { from } = state.doc.lineAt(Math.min(asked.value.from, state.doc.length));
    return Decoration.set(Decoration.line({ class: "line-wrote" }).range(from));
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** Layouts at the ends of lines. */
export const setHints = StateEffect.define<readonly LayoutHint[]>();
export const hintField = markField(setHints, (hints, lineEnd) =>
  hints
    .map((hint) => Decoration.widget({ widget: new Hint(hint), side: 1 }).range(lineEnd(hint.at)))
    .sort((a, b) => a.from - b.from),
);

function markField<T>(
  effect: ReturnType<typeof StateEffect.define<T>>,
  marks: (value: T, lineEnd: (at: number) => number) => Range<Decoration>[],
): StateField<DecorationSet> {
  return StateField.define<DecorationSet>({
    create: () => Decoration.none,
    update: (set, { effects, changes, state }) => {
      const moved = set.map(changes);
      const asked = effects.find((each) => each.is(effect));
      if (asked === undefined) return moved;
      const { length } = state.doc;
      const lineEnd = (at: number) => state.doc.lineAt(Math.min(at, length)).to;
      const inside = marks(asked.value, lineEnd).filter(({ to }) => to <= length);
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
