import { closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap } from "@codemirror/commands";
import { indentService, indentUnit } from "@codemirror/language";
import { type Diagnostic as Lint, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { EditorState, type Extension } from "@codemirror/state";
import { EditorView, type KeyBinding, keymap, lineNumbers, tooltips } from "@codemirror/view";
import type { Diagnostic, Span } from "#core/diagnostics";
import { changeBetween } from "./change-between.ts";
import { offerCompletions } from "./codemirror-completion.ts";
import { offerFolds } from "./codemirror-folds.ts";
import { hangingLines } from "./codemirror-hang.ts";
import { followPlaces, placeField, setPlaces, setWrote, wroteField } from "./codemirror-links.ts";
import { hintField, runField, setHints, setRuns } from "./codemirror-marks.ts";
import { tapCard } from "./codemirror-tap.ts";
import type { EditorEvents, EditorHandle } from "./editor.ts";

/** Opens the touch editor inside an element. */
export function openTouchEditor(
  host: HTMLElement,
  source: string,
  events: EditorEvents,
): EditorHandle {
  let isWriting = false;
  let known: readonly Diagnostic[] = [];
  const typed = EditorView.updateListener.of(({ docChanged, state }) => {
    if (docChanged && !isWriting) events.onType(state.doc.toString());
  });
  const card = tapCard(events, (offset) => known.filter((each) => isAt(each.span, offset)));
  const extensions = [
    typed,
    card,
    offerCompletions(events.ask),
    followPlaces(events),
    ...basics(events),
  ];
  const view = new EditorView({
    parent: host,
    state: EditorState.create({ doc: source, extensions }),
  });
  return {
    write: (next) => {
      const changes = changeBetween(view.state.doc.toString(), next);
      if (changes === undefined) return;
      isWriting = true;
      view.dispatch({ changes: { from: changes.from, to: changes.to, insert: changes.text } });
      isWriting = false;
    },
    colour: (runs) => view.dispatch({ effects: setRuns.of(runs) }),
    hint: (hints) => view.dispatch({ effects: setHints.of(hints) }),
    mark: (diagnostics) => {
      known = diagnostics;
      const lints = diagnostics.flatMap((each) => lintOf(each, view.state, events));
      view.dispatch(setDiagnostics(view.state, lints));
    },
    flash: (spans, note) => {
      const [first] = spans;
      view.dispatch({ effects: setWrote.of({ spans, note, onUndo: events.onUndo }) });
      if (first !== undefined) scrollTo(view, within(view, first.from));
    },
    point: (places) => view.dispatch({ effects: setPlaces.of(places) }),
    reveal: (span) => {
      const [anchor, head] = [within(view, span.from), within(view, span.to)];
      view.dispatch({
        selection: { anchor, head },
        effects: EditorView.scrollIntoView(anchor, { y: "center" }),
      });
      view.focus();
    },
    show: (span) => scrollTo(view, within(view, span.from)),
    paint: () => {},
    dispose: () => view.destroy(),
  };
}

/** Scrolls only the editor; `scrollIntoView` would scroll its ancestors too. */
function scrollTo(view: EditorView, offset: number): void {
  const { top, bottom } = view.lineBlockAt(offset);
  const { scrollDOM } = view;
  const { scrollTop, clientHeight } = scrollDOM;
  if (top >= scrollTop && bottom <= scrollTop + clientHeight) return;
  scrollDOM.scrollTop = (top + bottom - clientHeight) / 2;
}

function isAt(span: Span | undefined, offset: number): boolean {
  return span !== undefined && span.from <= offset && offset <= span.to;
}

function within(view: EditorView, offset: number): number {
  return Math.min(offset, view.state.doc.length);
}

/** Extensions that do not depend on the text: gutters, indentation, marks, history and keys. */
function basics(events: EditorEvents): readonly Extension[] {
  return [
    lineNumbers(),
    offerFolds(events.ask),
    EditorView.lineWrapping,
    hangingLines,
    tooltips({ tooltipSpace: () => roomInside(8) }),
    indentUnit.of("    "),
    closeBrackets(),
    EditorState.tabSize.of(4),
    indentService.of(({ state }, at) => indentAfter(state, at)),
    runField,
    hintField,
    wroteField,
    placeField,
    EditorView.contentAttributes.of({
      "aria-label": events.part === "plan" ? "Plan" : "Program",
      spellcheck: "false",
      autocapitalize: "off",
      autocorrect: "off",
    }),
    historyInput(events),
    keymap.of([
      ...historyKeys(events),
      ...symbolKeys(events),
      ...closeBracketsKeymap,
      ...completionKeymap,
      ...lintKeymap.filter(({ key }) => key !== "F8"),
      ...defaultKeymap,
    ]),
  ];
}

/** Undo and redo of a touch keyboard or a menu, which come as input events instead of keys. */
function historyInput({ onUndo, onRedo }: EditorEvents): Extension {
  return EditorView.domEventHandlers({
    beforeinput: ({ inputType }) => {
      if (inputType === "historyUndo") onUndo();
      else if (inputType === "historyRedo") onRedo();
      else return false;
      return true;
    },
  });
}

/** Key bindings of undo and redo, which are those of the whole document. */
function historyKeys({ onUndo, onRedo }: EditorEvents): readonly KeyBinding[] {
  const run = (act: () => void) => () => {
    act();
    return true;
  };
  return [
    { key: "Mod-z", run: run(onUndo), shift: run(onRedo) },
    { key: "Mod-y", run: run(onRedo) },
  ];
}

/** Key bindings for the name at the caret: F2 renames it, F12 goes to its definition. */
function symbolKeys({ ask, onRename, onReveal }: EditorEvents): readonly KeyBinding[] {
  return [
    {
      key: "F2",
      run: ({ state }) => {
        onRename(state.selection.main.head);
        return true;
      },
    },
    {
      key: "F12",
      run: (view) => {
        void ask({ kind: "definition", offset: view.state.selection.main.head }).then((reply) => {
          if (reply?.kind === "definition" && reply.span !== undefined) onReveal(reply.span);
        });
        return true;
      },
    },
  ];
}

/** Rectangle for cards: the window minus a margin, in CSS pixels. */
function roomInside(margin: number) {
  return { left: margin, top: margin, right: innerWidth - margin, bottom: innerHeight - margin };
}

/** Indentation of a new line in columns: that of the line above, one step deeper after a colon. */
function indentAfter(state: EditorState, at: number): number {
  const line = state.doc.lineAt(Math.max(at - 1, 0));
  const text = state.doc.sliceString(line.from, at);
  const depth = /^ */.exec(line.text)?.[0].length ?? 0;
  return /:\s*(#.*)?$/.test(text) ? depth + 4 : depth;
}

/** Lint mark of a diagnostic with its fixes; none for a diagnostic without a span. */
function lintOf(
  { span, severity, message, fixes = [] }: Diagnostic,
  { doc }: EditorState,
  { onFix }: EditorEvents,
): readonly Lint[] {
  if (span === undefined || span.from > doc.length) return [];
  const actions = fixes.map((fix) => ({ name: fix.title, apply: () => onFix(fix) }));
  const to = Math.min(Math.max(span.to, span.from + 1), doc.length);
  return [{ from: span.from, to: Math.max(to, span.from), severity, message, actions }];
}
