/** Focuses the text of the open lesson's step. */
export function goToLesson(): void {
  document.querySelector<HTMLElement>(".lesson-say")?.focus();
}
