/** Whether a document is a LoomGraph: its first character that is not blank opens an object. */
export function isLoomText(text: string): boolean {
  return /^[\s\ufeff]*\{/.test(text);
}
