/** Text with a capital first letter, for a diagnostic or reason at the start of a sentence. */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
