import { Word } from "./Word.tsx";

interface Props {
  readonly text: string;
  /** Glossary terms to mark at their first occurrence. */
  readonly terms: readonly string[];
}

/** Text with some glossary terms marked. */
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
