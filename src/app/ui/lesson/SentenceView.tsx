import { useMemo } from "react";
import { figureIn, type Piece, parseSentence, type World } from "#app/lessons";
import { keyed } from "../drawing/keyed.ts";
import { Word } from "../glossary/Word.tsx";

interface Props {
  readonly sentence: string;
  /** Absent until the lesson's texts are compiled, so that figures are not known. */
  readonly world: World | undefined;
}

/** A sentence of a lesson with its code, words of the glossary and present figures. */
export function SentenceView({ sentence, world }: Props) {
  const { pieces } = useMemo(() => parseSentence(sentence), [sentence]);
  return keyed(pieces).map(({ key, item }) => <PieceView key={key} piece={item} world={world} />);
}

function PieceView({ piece, world }: { readonly piece: Piece; readonly world: World | undefined }) {
  switch (piece.kind) {
    case "plain":
      return piece.text;
    case "code":
      return <code className="mono">{piece.text}</code>;
    case "word":
      return <Word term={piece.term}>{piece.text}</Word>;
    case "figure": {
      const figure = world === undefined ? "…" : (figureIn(piece, world) ?? "unknown");
      return <b className="num nowrap">{figure}</b>;
    }
  }
}
