import type { ReactNode } from "react";

interface Props {
  /** The whole sentence that stands for the drawing. */
  readonly sentence: string;
  readonly children: ReactNode;
}

/** What is drawn for the eye, with one plain sentence for assistive technology in its place. */
export function Spoken({ sentence, children }: Props) {
  return (
    <>
      <span className="vh">{sentence}</span>
      <span className="as-drawn" aria-hidden="true">
        {children}
      </span>
    </>
  );
}
