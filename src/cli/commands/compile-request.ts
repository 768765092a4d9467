import { type Compiled, compile } from "#compile";
import { hasErrors } from "#core/diagnostics";
import { type Answer, type Arguments, badRequest } from "./answer.ts";

/** A compiled program with what to answer beside it. */
export interface CompiledRequest {
  readonly compiled: Compiled;
  readonly ok: boolean;
  readonly diagnostics: Answer["diagnostics"];
}

/** Compiles the `program` of a request; a request without one is an answer of its own. */
export function compileRequest(args: Arguments): CompiledRequest | Answer {
  const { program } = args;
  if (typeof program !== "string") return badRequest('"program" must be a text');
  const compiled = compile(program);
  const { diagnostics } = compiled;
  return { compiled, ok: !hasErrors(diagnostics), diagnostics };
}
