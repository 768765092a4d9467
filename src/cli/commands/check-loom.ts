import { hasErrors } from "#core/diagnostics";
import { type CheckOptions, checkLoom, type Dialect } from "#systems/loom";
import { type Answer, type Arguments, badRequest } from "./answer.ts";

/** Whether a program is a LoomGraph: its first character that is not blank opens an object. */
export function isLoomText(program: unknown): program is string {
  return typeof program === "string" && /^[\s\ufeff]*\{/.test(program);
}

/** `check` of a LoomGraph: its issues in Loom's own form beside the diagnostics. */
export function checkLoomAnswer(args: Arguments): Answer {
  const { program } = args;
  if (typeof program !== "string") return badRequest('"program" must be a text');
  const options = optionsOf(args);
  if (typeof options === "string") return badRequest(options);
  const { issues, diagnostics, dialect, stages } = checkLoom(program, options);
  const plain = issues.map(({ span: _span, ...issue }) => issue);
  return { ok: !hasErrors(diagnostics), diagnostics, issues: plain, dialect, stages };
}

/** The options of a request, or what is wrong with them. */
function optionsOf({ dialect, dtypes }: Arguments): CheckOptions | string {
  if (dialect !== undefined && !isDialect(dialect)) return '"dialect" must be "op" or "app"';
  if (dtypes !== undefined && !isTextList(dtypes)) return '"dtypes" must be a list of texts';
  return { ...(dialect !== undefined && { dialect }), ...(dtypes !== undefined && { dtypes }) };
}

function isDialect(value: unknown): value is Dialect {
  return value === "op" || value === "app";
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
