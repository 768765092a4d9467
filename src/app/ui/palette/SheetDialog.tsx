import type { MouseEvent, ReactNode } from "react";
import { useApp } from "../store-context.tsx";
import { useModal } from "../use-modal.ts";

interface Props {
  readonly className: string;
  readonly label: string;
  readonly children: ReactNode;
}

/** Modal sheet over the page; Escape or a press outside closes it. */
export function SheetDialog({ className, label, children }: Props) {
  const openSheet = useApp((state) => state.openSheet);
  const dialog = useModal((opened) => {
    const first = opened.querySelector("[data-first]");
    if (first instanceof HTMLElement) first.focus();
  });
  const onClick = (event: MouseEvent) => {
    if (event.target === dialog.current) openSheet(undefined);
  };
  return (
    <dialog
      ref={dialog}
      className={`sheet-dialog ${className}`}
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault();
        openSheet(undefined);
      }}
      onClick={onClick}
      onKeyDown={(event) => event.stopPropagation()}
    >
      <div className="sheet-inside">{children}</div>
    </dialog>
  );
}
