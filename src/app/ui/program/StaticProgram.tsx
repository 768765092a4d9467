import { useMemo } from "react";
import { shown } from "#app/state";
import { useApp } from "../store-context.tsx";
import { type Line, linesOf } from "./token-lines.ts";

/** The text in its colours, before an editor is there and below the plain one. */
export function StaticProgram() {
  const lines = useProgramLines();
  return (
    <div className="code-scroll">
      <ProgramLines lines={lines} />
    </div>
  );
}

/** The lines of the document as they are coloured now. */
function useProgramLines(): readonly Line[] {
  const source = useApp((state) => state.document.source);
  const compiled = useApp(shown);
  return useMemo(() => linesOf(source, compiled), [source, compiled]);
}

function ProgramLines({ lines }: { readonly lines: readonly Line[] }) {
  return lines.map((line) => (
    <div className="ln" key={line.number} data-ln={line.number}>
      <span>
        {line.pieces.map((piece) => (
          <span key={piece.key} className={piece.className}>
            {piece.text}
          </span>
        ))}
      </span>
    </div>
  ));
}
