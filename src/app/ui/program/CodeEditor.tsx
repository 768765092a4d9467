import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { Notation } from "#app/scene/text";
import { diagnosticsOf, type OpenDocument, shown } from "#app/state";
import type { Compiled } from "#compile";
import { createTokenizer, jsonTokens } from "#language/tokens";
import { afterPaint } from "../after-paint.ts";
import { useActions, useApp, useAppStore } from "../store-context.tsx";
import { useResolvedTheme } from "../theme.ts";
import { usePainted } from "../use-painted.ts";
import {
  askOfPart,
  type DocumentPart,
  diagnosticsInPart,
  spanInPart,
  startOfPart,
  textOfPart,
  withPart,
} from "./document-part.ts";
import type { EditorHandle, OpenEditor, TakeOver } from "./editor.ts";
import { keepLineEnds } from "./keep-line-ends.ts";
import { keepShown } from "./keep-shown.ts";
import { type LayoutHint, layoutHints } from "./layout-hints.ts";
import { tabLeaves } from "./tab-leaves.ts";
import { type ColouredRun, runsOf } from "./token-lines.ts";
import { pointedPlaces, pointing, selectedPlaces, useLinks, wroteNoteOf } from "./use-links.ts";
import { useWords, type Words } from "./use-words.ts";

interface CodeEditorProps {
  readonly open: OpenEditor;
  readonly className: string;
  readonly part: DocumentPart;
  /** Whether it replaces an editor in which the reader was typing. */
  readonly goesOn: boolean;
  /** Asks to rename the name at an offset of the document. */
  readonly onRename: (offset: number) => void;
  readonly takeOver: TakeOver;
}

/** An editor, kept equal to its part of the document. */
export function CodeEditor({ open, className, ...props }: CodeEditorProps) {
  const { part } = props;
  const host = useRef<HTMLDivElement>(null);
  const editor = useOpened(host, { open, ...props });
  const document = useApp((state) => state.document);
  const { source, wrote } = document;
  const text = textOfPart(document, part);
  const compiled = useApp(shown);
  const diagnostics = useApp(diagnosticsOf);
  const notation = useApp((state) => state.settings.notation);
  const revealed = useApp((state) => state.revealed);
  const theme = useResolvedTheme();
  const store = useAppStore();
  const coloured = useRuns(part);
  useEffect(() => {
    const newest = textOfPart(store.getState().document, part);
    // An older text that is drawn late must not overwrite newer input; the newest text follows.
    if (text === newest) editor.current?.write(text);
  }, [text, editor, store, part]);
  useEffect(() => {
    editor.current?.colour(coloured.runs, coloured.text);
  }, [coloured, editor]);
  // The drawing of a new text comes first, the editor's notes one frame later.
  useEffect(() => {
    if (compiled?.source !== source) return;
    return afterPaint(() => {
      const { document: newest } = store.getState();
      if (newest.source !== source) return;
      editor.current?.hint(hintsOf(newest, part, { compiled, notation }));
    });
  }, [source, compiled, notation, editor, store, part]);
  useEffect(
    () =>
      afterPaint(() => {
        editor.current?.mark(diagnosticsInPart(store.getState().document, part, diagnostics));
      }),
    [diagnostics, editor, store, part],
  );
  // The room for a note is measured in a laid out page, so the drawing is painted first.
  useEffect(
    () =>
      afterPaint(() => {
        const state = store.getState();
        const spans = (wrote ?? []).flatMap((span) => spanInPart(state.document, part, span) ?? []);
        editor.current?.flash(spans, wroteNoteOf(state));
      }),
    [wrote, editor, store, part],
  );
  useLinks(editor, part);
  useEffect(() => {
    const span = revealed && spanInPart(store.getState().document, part, revealed.span);
    if (span !== undefined) editor.current?.reveal(span);
  }, [revealed, editor, store, part]);
  useEffect(() => {
    const handle = requestAnimationFrame(() => editor.current?.paint(theme));
    return () => cancelAnimationFrame(handle);
  }, [theme, editor]);
  return <div className={className} ref={host} />;
}

/**
 * Layouts at the ends of lines; in a graph's JSON where its tensors stand, unless they are too
 * many.
 */
function hintsOf(
  document: OpenDocument,
  part: DocumentPart,
  { compiled, notation }: { readonly compiled: Compiled; readonly notation: Notation },
): readonly LayoutHint[] {
  if (part === "program") return layoutHints(compiled, notation);
  const isShort = part === "json" && textOfPart(document, part).length <= mostColoured;
  return isShort ? layoutHints(compiled, notation) : [];
}

/** The colours of the text; the same runs while nothing that they depend on changes. */
function useRuns(part: DocumentPart): {
  readonly text: string;
  readonly runs: readonly ColouredRun[];
} {
  const [tokenize] = useState(createTokenizer);
  // Input is drawn first; until its colours are computed, the others move with the text.
  const text = usePainted(useApp((state) => textOfPart(state.document, part)));
  const start = useApp((state) => startOfPart(state.document, part));
  const mesh = useApp((state) => shown(state)?.mesh);
  const all = useWords();
  const words = useMemo(() => wordsFrom(all, start), [all, start]);
  const axes = useKept(mesh === undefined ? undefined : { mesh });
  return useMemo(() => {
    const runs = part === "json" ? jsonRuns(text) : runsOf(text, axes, { tokenize, words });
    return { text, runs };
  }, [part, text, axes, words, tokenize]);
}

/**
 * The longest JSON text that is coloured by runs; longer ones are coloured line by line where an
 * editor can.
 */
const mostColoured = 200_000;

function jsonRuns(text: string): readonly ColouredRun[] {
  if (text.length > mostColoured) return [];
  return jsonTokens(text).filter(({ kind }) => kind === "string" || kind === "constant");
}

/** The document's words with offsets inside a part. */
function wordsFrom(words: Words | undefined, start: number): Words | undefined {
  if (words === undefined || start === 0) return words;
  const inside = words.words.filter(({ from }) => from >= start);
  return {
    source: words.source.slice(start),
    words: inside.map((word) => ({ ...word, from: word.from - start, to: word.to - start })),
  };
}

/** The former value while the new one is equal to it as JSON. */
function useKept<T>(value: T): T {
  const [kept, setKept] = useState(value);
  if (kept === value || JSON.stringify(kept) === JSON.stringify(value)) return kept;
  setKept(value);
  return value;
}

function useOpened(
  host: React.RefObject<HTMLDivElement | null>,
  { open, part, goesOn, onRename, takeOver }: Omit<CodeEditorProps, "className">,
) {
  const store = useAppStore();
  const { applyFix, assist } = useActions();
  const handle = useRef<EditorHandle | undefined>(undefined);
  // In the task that removes the plain text, so that every key press reaches one of them.
  useLayoutEffect(() => {
    if (host.current === null) return;
    const now = () => store.getState().document;
    const start = () => startOfPart(now(), part);
    const opened = keepLineEnds(keepShown(open))(host.current, textOfPart(now(), part), {
      part,
      onType: (text) => store.getState().type(withPart(now(), part, text), performance.now()),
      onUndo: () => store.getState().undo(),
      onRedo: () => store.getState().redo(),
      onFix: applyFix,
      onRename: (offset) => onRename(offset + start()),
      onPoint: pointing((offset) =>
        store.getState().linkText(offset === undefined ? undefined : offset + start()),
      ),
      onReveal: (span) =>
        store.getState().reveal({ from: span.from + start(), to: span.to + start() }),
      ask: (request) => askOfPart(start(), part, assist)(request),
    });
    handle.current = opened;
    const state = store.getState();
    const stopTab = tabLeaves(host.current, goesOn && state.document.change === "Typing");
    const current = shown(state);
    const first = textOfPart(state.document, part);
    if (part !== "json") opened.colour(runsOf(first, current), first);
    if (current?.source === state.document.source) {
      const { notation } = state.settings;
      opened.hint(hintsOf(state.document, part, { compiled: current, notation }));
    }
    opened.mark(diagnosticsInPart(state.document, part, diagnosticsOf(state)));
    const revealed = state.revealed && spanInPart(state.document, part, state.revealed.span);
    if (revealed !== undefined) opened.reveal(revealed);
    opened.point(pointedPlaces(state, part));
    const [picked] = selectedPlaces(state, part);
    if (picked !== undefined) opened.show(picked);
    const end = first.length;
    if (goesOn && state.document.change === "Typing") opened.reveal({ from: end, to: end });
    const { selected, giveBack } = takeOver();
    if (selected !== undefined) opened.reveal(selected);
    return () => {
      stopTab();
      giveBack();
      store.getState().linkText(undefined);
      opened.dispose();
      handle.current = undefined;
    };
  }, [host, open, store, applyFix, assist, onRename, takeOver, part, goesOn]);
  return handle;
}
