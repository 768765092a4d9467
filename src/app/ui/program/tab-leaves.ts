/**
 * Lets the key Tab leave an editor in which nothing was typed since it got the focus: a walk through
 * the page by Tab changes no text. After a typed character or Enter it indents, and after Escape it
 * leaves again.
 *
 * @param isTyped whether the reader was typing when the editor came
 * @returns takes it away
 */
export function tabLeaves(host: HTMLElement, isTyped: boolean): () => void {
  let indents = isTyped;
  const onFocus = ({ relatedTarget }: FocusEvent) => {
    const isInside = relatedTarget instanceof Node && host.contains(relatedTarget);
    if (!isInside && relatedTarget !== null) indents = false;
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === "Tab") {
      // The editor does not get the event, so that the browser moves the focus.
      if (!indents && !hasModifier(event)) event.stopPropagation();
    } else if (event.key === "Escape") indents = false;
    else if (types(event)) indents = true;
  };
  const onPaste = () => {
    indents = true;
  };
  const options = { capture: true };
  host.addEventListener("focusin", onFocus, options);
  host.addEventListener("keydown", onKey, options);
  host.addEventListener("paste", onPaste, options);
  return () => {
    host.removeEventListener("focusin", onFocus, options);
    host.removeEventListener("keydown", onKey, options);
    host.removeEventListener("paste", onPaste, options);
  };
}

function hasModifier({ ctrlKey, altKey, metaKey }: KeyboardEvent): boolean {
  return ctrlKey || altKey || metaKey;
}

/** Whether a key writes, or asks for completions. */
function types(event: KeyboardEvent): boolean {
  if (event.key === " " && event.ctrlKey) return true;
  if (hasModifier(event)) return false;
  return [...event.key].length === 1 || /^(Enter|Backspace|Delete|Process|Dead)$/.test(event.key);
}
