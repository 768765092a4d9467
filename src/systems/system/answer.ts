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

/** What a system's command may use of those that are everybody's. */
export interface CommandTools {
  /** The answer to `evaluate`: the value of a program's last expression. */
  readonly evaluate: (program: string) => Answer;
}

/** A command that only one system has. */
export type SystemCommand = (args: Arguments, tools: CommandTools) => Answer;
