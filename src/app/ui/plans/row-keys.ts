import type { KeyboardEvent } from "react";

/** Arrow keys move between plans; F2 and Delete press the buttons of the row. */
export function moveInRows(event: KeyboardEvent<HTMLElement>): void {
  const { target, key, currentTarget } = event;
  if (!(target instanceof HTMLElement) || target instanceof HTMLInputElement) return;
  const row = target.closest("li");
  const presses = { F2: "[data-does=rename]", Delete: "[data-does=delete]" }[key];
  if (presses !== undefined) {
    event.preventDefault();
    row?.querySelector<HTMLElement>(presses)?.click();
    return;
  }
  const step = { ArrowDown: 1, ArrowUp: -1 }[key];
  if (step === undefined) return;
  event.preventDefault();
  const rows = [...currentTarget.querySelectorAll("li")];
  const next = rows[row === null ? 0 : rows.indexOf(row) + step];
  next?.querySelector<HTMLElement>("[data-does=open]")?.focus();
}
