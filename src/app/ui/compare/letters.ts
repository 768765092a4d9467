/** The letter of a pinned plan in the head of a column. */
export function letterOf(at: number): string {
  return "ABC".charAt(at);
}
