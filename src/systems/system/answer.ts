import type { Diagnostic } from "#core/diagnostics";

/** The answer of a command as JSON; spans are converted to lines and columns afterwards. */
export interface Answer {
  readonly ok: boolean;
  readonly diagnostics: readonly Diagnostic[];
  readonly [key: string]: unknown;
}

/** The fields of a command's request, not validated yet. */
export type Arguments = Readonly<Record<string, unknown>>;

/** The answer to a malformed request. */
export function badRequest(message: string): Answer {
  const fault: Diagnostic = { code: "cli/bad-request", severity: "error", message };
  return { ok: false, diagnostics: [fault] };
}

/** General commands that a system's own command may call. */
export interface CommandTools {
  /** The answer to `evaluate`: the value of a program's last expression. */
  readonly evaluate: (program: string) => Answer;
}

/** A command of one system, beside the general ones. */
export type SystemCommand = (args: Arguments, tools: CommandTools) => Answer;
