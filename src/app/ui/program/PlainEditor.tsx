import { type KeyboardEvent, useEffect, useRef } from "react";
import { useApp, useAppStore } from "../store-context.tsx";
import { ProgramLines, useProgramLines } from "./StaticProgram.tsx";

/** An editor for fingers: the browser's own text field over the coloured text. */
export function PlainEditor() {
  const store = useAppStore();
  const source = useApp((state) => state.document.source);
  const type = useApp((state) => state.type);
  const revealed = useApp((state) => state.revealed);
  const lines = useProgramLines();
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (revealed === undefined || field.current === null) return;
    field.current.focus();
    field.current.setSelectionRange(revealed.span.from, revealed.span.to);
  }, [revealed]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z") return;
    event.preventDefault();
    if (event.shiftKey) store.getState().redo();
    else store.getState().undo();
  };
  return (
    <div className="code-scroll">
      <div className="plain-editor">
        <div aria-hidden="true">
          <ProgramLines lines={lines} />
        </div>
        <textarea
          ref={field}
          aria-label="Program"
          value={source}
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
          autoCorrect="off"
          onChange={(event) => type(event.currentTarget.value, performance.now())}
          onKeyDown={onKeyDown}
        />
      </div>
    </div>
  );
}
