import { type Compiled, compile } from "#compile";
import { type Checked, failed, passed } from "#core/diagnostics";
import { type Arguments, badRequest } from "./answer.ts";

/** Compiles the `program` of a request. Faults of the program are the compiled document's own. */
export function compileRequest(args: Arguments): Checked<Compiled> {
  const { program } = args;
  if (typeof program === "string") return passed(compile(program));
  return failed(...badRequest('"program" must be a text').diagnostics);
}
