import { createContext, type ReactNode, useContext } from "react";

/** Words after the sentence of the card around it: its difference from a baseline. */
export const SpokenBehind = createContext("");

interface Props {
  /** The whole sentence that stands for the drawing. */
  readonly sentence: string;
  readonly children: ReactNode;
}

/** A drawing for the eye, with one plain sentence for assistive technology in its place. */
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
