/** Letter (A to C) of a pinned plan by its index; empty for other indices. */
export function letterOf(at: number): string {
  return "ABC".charAt(at);
}
