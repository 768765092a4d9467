/** Gives the focus to what the open lesson says. */
export function goToLesson(): void {
  document.querySelector<HTMLElement>(".lesson-say")?.focus();
}
