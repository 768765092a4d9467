import type { Diagnostic } from "#core/diagnostics";

/** What a command says: plain JSON, except that spans still wait for lines and columns. */
export interface Answer {
  readonly ok: boolean;
  readonly diagnostics: readonly Diagnostic[];
  readonly [key: string]: unknown;
}

/** The fields of a request, as they came in. */
export type Arguments = Readonly<Record<string, unknown>>;

/** The answer to a request that does not have the form of its command. */
export function badRequest(message: string): Answer {
  const fault: Diagnostic = { code: "cli/bad-request", severity: "error", message };
  return { ok: false, diagnostics: [fault] };
}
