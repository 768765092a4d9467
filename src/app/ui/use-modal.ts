import { type RefObject, useLayoutEffect, useRef } from "react";

/**
 * Modal dialog, opened in the commit that mounts it, so that the next key is the dialog's. When it
 * unmounts, the focus returns.
 *
 * @param focus focuses a part of the open dialog
 */
export function useModal(
  focus: (dialog: HTMLDialogElement) => void,
): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null);
  const focused = useRef(focus);
  useLayoutEffect(() => {
    const opened = dialog.current;
    if (opened === null) return;
    opened.showModal();
    focused.current(opened);
    return () => {
      opened.close();
      // The document's selection is removed with the dialog, in this task.
      queueMicrotask(returnCaret);
    };
  }, []);
  return dialog;
}

/**
 * Restores the selection of an editor that got the focus back without it. An editor based on
 * EditContext paints its own caret, but copying uses the page's selection.
 */
function returnCaret(): void {
  const { activeElement } = document;
  if (!(activeElement instanceof HTMLElement)) return;
  if (Reflect.get(activeElement, "editContext") == null) return;
  activeElement.blur();
  activeElement.focus({ preventScroll: true });
}
