/** Relative URL of a diagnostic's entry in the catalogue page beside the app. */
export function helpAddress(code: string): string {
  return `diagnostics.html#${code}`;
}
