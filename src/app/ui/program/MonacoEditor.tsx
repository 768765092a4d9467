import { useEffect, useRef } from "react";
import { diagnosticsOf, shown } from "#app/state";
import { useActions, useApp, useAppStore } from "../store-context.tsx";
import { useResolvedTheme } from "../theme.ts";
import { layoutHints } from "./layout-hints.ts";
import { type EditorHandle, openEditor } from "./monaco.ts";
import { runsOf } from "./token-lines.ts";

/** The editor of large screens, kept equal to the document. */
export function MonacoEditor() {
  const host = useRef<HTMLDivElement>(null);
  const editor = useEditor(host);
  const source = useApp((state) => state.document.source);
  const wrote = useApp((state) => state.document.wrote);
  const compiled = useApp(shown);
  const diagnostics = useApp(diagnosticsOf);
  const revealed = useApp((state) => state.revealed);
  const theme = useResolvedTheme();
  useEffect(() => {
    editor.current?.write(source);
  }, [source, editor]);
  useEffect(() => {
    editor.current?.colour(runsOf(source, compiled));
  }, [source, compiled, editor]);
  useEffect(() => {
    if (compiled?.source === source) editor.current?.hint(layoutHints(compiled));
  }, [source, compiled, editor]);
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
  return <div className="monaco-host" ref={host} />;
}

function useEditor(host: React.RefObject<HTMLDivElement | null>) {
  const store = useAppStore();
  const { applyFix } = useActions();
  const handle = useRef<EditorHandle | undefined>(undefined);
  useEffect(() => {
    if (host.current === null) return;
    const opened = openEditor(host.current, store.getState().document.source, {
      onType: (text) => store.getState().type(text, performance.now()),
      onUndo: () => store.getState().undo(),
      onRedo: () => store.getState().redo(),
      onFix: applyFix,
    });
    handle.current = opened;
    const state = store.getState();
    opened.colour(runsOf(state.document.source, shown(state)));
    const current = shown(state);
    if (current?.source === state.document.source) opened.hint(layoutHints(current));
    opened.mark(diagnosticsOf(state));
    if (state.revealed !== undefined) opened.reveal(state.revealed.span);
    return () => {
      opened.dispose();
      handle.current = undefined;
    };
  }, [host, store, applyFix]);
  return handle;
}
