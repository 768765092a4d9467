import type { Answer, Arguments } from "./answer.ts";
import { compileRequest } from "./compile-request.ts";

/** `check`: everything that can be said against a program. */
export function checkAnswer(args: Arguments): Answer {
  const request = compileRequest(args);
  if (!("compiled" in request)) return request;
  return { ok: request.ok, diagnostics: request.diagnostics };
}
