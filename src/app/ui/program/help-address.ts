/** Where a diagnostic is explained: its entry on the page of the catalogue, beside the app. */
export function helpAddress(code: string): string {
  return `diagnostics.html#${code}`;
}
