/** A text with a capital letter in front: a diagnostic or a reason where it begins a sentence. */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
