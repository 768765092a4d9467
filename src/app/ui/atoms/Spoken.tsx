import { createContext, type ReactNode, useContext } from "react";

/**
 * Text appended to the sentences of a card for assistive technology: its difference from a
 * baseline.
 */
export const SpokenBehind = createContext("");

interface Props {
  /** Sentence that stands for the drawing. */
  readonly sentence: string;
  readonly children: ReactNode;
}

/** Drawing hidden from assistive technology, with one sentence in its place. */
export function Spoken({ sentence, children }: Props) {
  const behind = useContext(SpokenBehind);
  return (
    <>
      <span className="vh">{behind === "" ? sentence : `${sentence} ${behind}`}</span>
      <span className="as-drawn" aria-hidden="true">
        {children}
      </span>
    </>
  );
}
