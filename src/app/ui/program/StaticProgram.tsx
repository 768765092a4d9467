import { type CSSProperties, useMemo } from "react";
import { shown } from "#app/state";
import { useApp } from "../store-context.tsx";
import { type DocumentPart, textOfPart } from "./document-part.ts";
import { type Line, linesOf } from "./token-lines.ts";

/** The digits of the longest line number, for the style sheet. */
type Digits = CSSProperties & Record<`--${string}`, number>;

/** Longer texts are cut until their editor is there. */
export const mostShown = 20_000;

/** The coloured text below the input that is there before an editor. */
export function StaticProgram({ part }: { readonly part: DocumentPart }) {
  const lines = useProgramLines(part);
  const style: Digits = { "--digits": `${lines.length}`.length };
  return (
    <div className="plain-lines" style={style} aria-hidden="true">
      <ProgramLines lines={lines} />
    </div>
  );
}

/** The lines of the document as they are coloured now. */
function useProgramLines(part: DocumentPart): readonly Line[] {
  const text = useApp((state) => textOfPart(state.document, part).slice(0, mostShown));
  const compiled = useApp(shown);
  return useMemo(() => linesOf(text, compiled), [text, compiled]);
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
