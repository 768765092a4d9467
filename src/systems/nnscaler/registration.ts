/** What `register_op` refuses, as nnScaler words its kind. */
export interface RegistrationFault {
  readonly kind: string;
  readonly message: string;
}

/** `code_impl_pattern` can only be `import` or `source` (dimops.md §4). */
export function checkPattern(pattern: string): RegistrationFault | undefined {
  if (pattern === "import" || pattern === "source") return undefined;
  const message = `code_impl_pattern must be 'import' or 'source', not '${pattern}'`;
  return { kind: "ValueError", message };
}
