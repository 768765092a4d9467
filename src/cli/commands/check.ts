import { hasErrors } from "#core/diagnostics";
import type { Answer, Arguments } from "./answer.ts";
import { checkLoomAnswer, isLoomText } from "./check-loom.ts";
import { compileRequest } from "./compile-request.ts";

/** `check`: everything that can be said against a program, in either language. */
export function checkAnswer(args: Arguments): Answer {
  if (isLoomText(args.program)) return checkLoomAnswer(args);
  const compiled = compileRequest(args);
  const { diagnostics } = compiled.ok ? compiled.value : compiled;
  return { ok: compiled.ok && !hasErrors(diagnostics), diagnostics };
}
