import { Word } from "./Word.tsx";

interface Props {
  readonly text: string;
  /** Marks the words of the glossary at their first place in a text. */
  readonly terms: readonly string[];
}

/** A text in which some words explain themselves. */
export function MarkedWords({ text, terms }: Props) {
  const [term, ...rest] = terms;
  if (term === undefined) return text;
  const at = text.indexOf(term);
  if (at === -1) return <MarkedWords text={text} terms={rest} />;
  return (
    <>
      <MarkedWords text={text.slice(0, at)} terms={rest} />
      <Word term={term}>{term}</Word>
      <MarkedWords text={text.slice(at + term.length)} terms={rest} />
    </>
  );
}
