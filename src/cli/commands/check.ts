import { hasErrors } from "#core/diagnostics";
import type { Answer, Arguments } from "./answer.ts";
import { compileRequest } from "./compile-request.ts";

/** `check`: everything that can be said against a program. */
export function checkAnswer(args: Arguments): Answer {
  const compiled = compileRequest(args);
  const { diagnostics } = compiled.ok ? compiled.value : compiled;
  return { ok: compiled.ok && !hasErrors(diagnostics), diagnostics };
}
