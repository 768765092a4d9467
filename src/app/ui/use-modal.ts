import { type RefObject, useLayoutEffect, useRef } from "react";

/**
 * A dialog over the page, opened in the commit that draws it, so that the next key is the dialog's.
 * When it goes, what had the focus before has it again.
 *
 * @param focus gives the focus to a part of the open dialog
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
      // The selection leaves with the dialog, in this very task.
      queueMicrotask(returnCaret);
    };
  }, []);
  return dialog;
}

/**
 * Puts the caret into an editor that got the focus back without it. Such an editor paints its own caret
 * (EditContext), but what is copied from it is asked of where the page's selection is.
 */
function returnCaret(): void {
  const { activeElement } = document;
  if (!(activeElement instanceof HTMLElement)) return;
  if (Reflect.get(activeElement, "editContext") == null) return;
  activeElement.blur();
  activeElement.focus({ preventScroll: true });
}
