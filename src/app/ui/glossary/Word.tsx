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
  /** Term as the glossary's key. */
  readonly term: string;
  readonly children: ReactNode;
}

/** Word with its explanation on hover, focus or tap. */
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

/** Explanation of a term, loaded after the page; `undefined` until then, when the word is plain. */
function useExplained(term: string): Tip | undefined {
  const [explained, explain] = useState<Tip>();
  useEffect(() => {
    let isCurrent = true;
    // If the glossary's code cannot be loaded, the word stays plain.
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

/**
 * Distance in CSS pixels from a word to its explanation, and from there to the edge of the page.
 */
const space = 6;

/** Places the explanation below its word, or above if there is no room, within the page. */
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
