import { compile } from "#compile";
import { hasErrors } from "#core/diagnostics";
import { isLoomText as opensObject } from "#systems/loom";
import { type Answer, type Arguments, badRequest } from "./answer.ts";
import { readLoomOptions, requestTexts } from "./loom-request.ts";

/** Whether a program is a LoomGraph: its first character that is not blank opens an object. */
export function isLoomText(program: unknown): program is string {
  return typeof program === "string" && opensObject(program);
}

/**
 * `check` of a LoomGraph: its issues in Loom's own form beside the diagnostics, with those of the
 * plan beside it.
 */
export function checkLoomAnswer(args: Arguments): Answer {
  const { program } = args;
  if (typeof program !== "string") return badRequest('"program" must be a text');
  const options = readLoomOptions(args);
  if (!options.ok) return { ok: false, diagnostics: options.diagnostics };
  const texts = requestTexts(args);
  const { planText } = texts;
  const { loom, diagnostics } = compile(texts.program, {
    ...options.value,
    ...(planText !== undefined && { planText }),
  });
  const { issues = [], dialect, stages } = loom ?? {};
  const plain = issues.map(({ span: _span, ...issue }) => issue);
  return { ok: !hasErrors(diagnostics), diagnostics, issues: plain, dialect, stages };
}
