/** The address of a diagnostic's entry on the page of the catalogue, beside the app. */
export function helpAddress(code: string): string {
  return `diagnostics.html#${code}`;
}
