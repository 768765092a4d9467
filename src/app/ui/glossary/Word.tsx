import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import { createPortal } from "react-dom";
import { fieldOf } from "#core/records";

interface Props {
  /** The word as the glossary spells it. */
  readonly term: string;
  readonly children: ReactNode;
}

/** A word on screen whose meaning shows under the pointer, in focus, or at a tap. */
export function Word({ term, children }: Props) {
  const id = useId();
  const explained = useExplained(term);
  const word = useRef<HTMLButtonElement>(null);
  const tip = useRef<HTMLSpanElement>(null);
  const show = () => {
    if (word.current !== null && tip.current !== null) place(tip.current, word.current);
  };
  const hide = () => tip.current?.hidePopover();
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || tip.current?.matches(":popover-open") !== true) return;
    event.stopPropagation();
    hide();
  };
  const onPointer = (act: () => void) => (event: PointerEvent) => {
    if (event.pointerType === "mouse") act();
  };
  if (explained === undefined) return children;
  return (
    <>
      <button
        type="button"
        className="word"
        ref={word}
        aria-describedby={id}
        onPointerEnter={onPointer(show)}
        onPointerLeave={onPointer(hide)}
        onFocus={show}
        onBlur={hide}
        onClick={show}
        onKeyDown={onKeyDown}
      >
        {children}
      </button>
      {createPortal(
        <span className="word-tip" role="tooltip" popover="manual" id={id} ref={tip}>
          {explained.means}
          <small> {explained.names}</small>
        </span>,
        document.body,
      )}
    </>
  );
}

interface Tip {
  readonly means: string;
  readonly names: string;
}

/** The sentence of a word, loaded after the page; until then the word is plain text. */
function useExplained(term: string): Tip | undefined {
  const [explained, explain] = useState<Tip>();
  useEffect(() => {
    let isCurrent = true;
    // Without the code of the glossary the word stays plain.
    import("./glossary.ts").then(
      ({ glossary, namesIn }) => {
        const word = fieldOf(glossary, term);
        if (isCurrent) explain(word && { means: word.means, names: namesIn(word).join(" ") });
      },
      () => {},
    );
    return () => {
      isCurrent = false;
    };
  }, [term]);
  return explained;
}

/** Pixels between a word and its sentence, and from there to the edge of the page. */
const space = 6;

/** Places the sentence below its word, or above where there is no room, inside the page. */
function place(tip: HTMLElement, word: HTMLElement): void {
  tip.showPopover();
  const at = word.getBoundingClientRect();
  const { width, height } = tip.getBoundingClientRect();
  const below = at.bottom + space;
  const top = below + height + space > innerHeight ? at.top - space - height : below;
  const left = Math.min(at.left, innerWidth - width - space);
  tip.style.top = `${Math.max(space, top)}px`;
  tip.style.left = `${Math.max(space, left)}px`;
}
