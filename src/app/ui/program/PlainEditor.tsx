import { type KeyboardEvent, type RefObject, useEffect, useRef } from "react";
import type { Span } from "#core/diagnostics";
import { useApp, useAppStore } from "../store-context.tsx";
import { type DocumentPart, textOfPart, withPart } from "./document-part.ts";
import { edited, lineEndsOf, toSource } from "./line-ends.ts";
import { mostShown, StaticProgram } from "./StaticProgram.tsx";
import { tabLeaves } from "./tab-leaves.ts";

interface Props {
  readonly part: DocumentPart;
  /** A function that returns this field's selection, set while it has the focus. */
  readonly selection: RefObject<() => Span | undefined>;
}

/**
 * The longest text that can be typed in here. A browser lays out a field as a whole, about a second
 * per megabyte: of a longer text the field shows the beginning, read-only, until its editor is
 * loaded.
 */
const mostTyped = 200_000;

/** A text as its field shows it. */
function fieldText(text: string): string {
  return lineEndsOf(text.length > mostTyped ? text.slice(0, mostShown) : text).shown;
}

/**
 * The input before an editor is loaded: the coloured text, and over it an invisible text area with
 * the caret. Each letter goes into the document at once, so that the editor continues from there.
 */
export function PlainEditor({ part, selection }: Props) {
  const store = useAppStore();
  const isLong = useApp((state) => textOfPart(state.document, part).length > mostShown);
  const isRead = useApp((state) => textOfPart(state.document, part).length > mostTyped);
  const area = useRef<HTMLTextAreaElement>(null);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => (place.current === null ? undefined : tabLeaves(place.current, false)), []);
  const textNow = () => textOfPart(store.getState().document, part);
  useEffect(() => {
    const follow = () => {
      const shown = fieldText(textOfPart(store.getState().document, part));
      const field = area.current;
      if (field !== null && field.value !== shown) field.value = shown;
    };
    follow();
    return store.subscribe(follow);
  }, [store, part]);
  useEffect(() => {
    selection.current = () =>
      selectionIn(area.current, textOfPart(store.getState().document, part));
  }, [selection, store, part]);
  const type = (shown: string) => {
    const next = edited(lineEndsOf(textNow()), shown, undefined);
    const { document, type } = store.getState();
    type(withPart(document, part, next), performance.now());
  };
  return (
    <div ref={place} className={`code-scroll plain-editor ${isLong ? "is-long" : ""}`}>
      <StaticProgram part={part} />
      <textarea
        ref={area}
        aria-label={part === "plan" ? "Plan" : "Program"}
        data-testid="plain-editor"
        defaultValue={fieldText(textNow())}
        readOnly={isRead}
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        onInput={(event) => type(event.currentTarget.value)}
        onKeyDown={indent}
      />
    </div>
  );
}

/** The selection in the focused field, as offsets of the source. */
function selectionIn(field: HTMLTextAreaElement | null, source: string): Span | undefined {
  if (field === null || document.activeElement !== field) return undefined;
  const ends = lineEndsOf(source);
  const { selectionStart, selectionEnd } = field;
  return { from: toSource(ends, selectionStart), to: toSource(ends, selectionEnd) };
}

/** Tab inserts an indent, as it will in the editor. */
function indent(event: KeyboardEvent<HTMLTextAreaElement>): void {
  const { key, shiftKey, ctrlKey, altKey, metaKey, currentTarget } = event;
  if (key !== "Tab" || shiftKey || ctrlKey || altKey || metaKey || currentTarget.readOnly) return;
  event.preventDefault();
  const { selectionStart, selectionEnd } = currentTarget;
  currentTarget.setRangeText("    ", selectionStart, selectionEnd, "end");
  currentTarget.dispatchEvent(new Event("input", { bubbles: true }));
}
