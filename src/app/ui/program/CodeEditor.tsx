import { useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import { diagnosticsOf, shown } from "#app/state";
import { createTokenizer } from "#language/tokens";
import { useActions, useApp, useAppStore } from "../store-context.tsx";
import { useResolvedTheme } from "../theme.ts";
import type { EditorHandle, OpenEditor } from "./editor.ts";
import { layoutHints } from "./layout-hints.ts";
import { type Run, runsOf } from "./token-lines.ts";
import { useWords } from "./use-words.ts";

interface CodeEditorProps {
  readonly open: OpenEditor;
  readonly className: string;
  /** The reader wants to rename what stands at an offset. */
  readonly onRename: (offset: number) => void;
}

/** An editor, kept equal to the document. */
export function CodeEditor({ open, className, onRename }: CodeEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const editor = useOpened(host, open, onRename);
  const source = useApp((state) => state.document.source);
  const wrote = useApp((state) => state.document.wrote);
  const compiled = useApp(shown);
  const diagnostics = useApp(diagnosticsOf);
  const notation = useApp((state) => state.settings.notation);
  const revealed = useApp((state) => state.revealed);
  const theme = useResolvedTheme();
  const coloured = useRuns();
  useEffect(() => {
    editor.current?.write(source);
  }, [source, editor]);
  useEffect(() => {
    editor.current?.colour(coloured.runs, coloured.source);
  }, [coloured, editor]);
  useEffect(() => {
    if (compiled?.source === source) editor.current?.hint(layoutHints(compiled, notation));
  }, [source, compiled, notation, editor]);
  useEffect(() => {
    editor.current?.mark(diagnostics);
  }, [diagnostics, editor]);
  useEffect(() => {
    if (wrote !== undefined) editor.current?.flash(wrote);
  }, [wrote, editor]);
  useEffect(() => {
    if (revealed !== undefined) editor.current?.reveal(revealed.span);
  }, [revealed, editor]);
  useEffect(() => {
    const handle = requestAnimationFrame(() => editor.current?.paint(theme));
    return () => cancelAnimationFrame(handle);
  }, [theme, editor]);
  return <div className={className} ref={host} />;
}

/** The colours of the text; the same ones while nothing that they tell has changed. */
function useRuns(): { readonly source: string; readonly runs: readonly Run[] } {
  const [tokenize] = useState(createTokenizer);
  // What is typed comes first; until its colours follow, the others move with the text.
  const source = useDeferredValue(useApp((state) => state.document.source));
  const mesh = useApp((state) => shown(state)?.mesh);
  const words = useWords();
  const axes = useKept(mesh === undefined ? undefined : { mesh });
  return useMemo(
    () => ({ source, runs: runsOf(source, axes, { tokenize, words }) }),
    [source, axes, words, tokenize],
  );
}

/** A plain value as it was, as long as it says the same. */
function useKept<T>(value: T): T {
  const [kept, setKept] = useState(value);
  if (kept === value || JSON.stringify(kept) === JSON.stringify(value)) return kept;
  setKept(value);
  return value;
}

function useOpened(
  host: React.RefObject<HTMLDivElement | null>,
  open: OpenEditor,
  onRename: (offset: number) => void,
) {
  const store = useAppStore();
  const { applyFix, assist } = useActions();
  const handle = useRef<EditorHandle | undefined>(undefined);
  useEffect(() => {
    if (host.current === null) return;
    const opened = open(host.current, store.getState().document.source, {
      onType: (text) => store.getState().type(text, performance.now()),
      onUndo: () => store.getState().undo(),
      onRedo: () => store.getState().redo(),
      onFix: applyFix,
      onRename,
      ask: assist,
    });
    handle.current = opened;
    const state = store.getState();
    const current = shown(state);
    opened.colour(runsOf(state.document.source, current), state.document.source);
    if (current?.source === state.document.source)
      opened.hint(layoutHints(current, state.settings.notation));
    opened.mark(diagnosticsOf(state));
    if (state.revealed !== undefined) opened.reveal(state.revealed.span);
    return () => {
      opened.dispose();
      handle.current = undefined;
    };
  }, [host, open, store, applyFix, assist, onRename]);
  return handle;
}
