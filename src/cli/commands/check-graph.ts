import { compile } from "#compile";
import { hasErrors } from "#core/diagnostics";
import { graphFormatOf } from "#systems";
import { type Answer, type Arguments, badRequest } from "./answer.ts";
import { readGraphOptions, requestTexts } from "./graph-request.ts";

/** Whether a program text is a graph in a system's format. */
export function isGraphText(program: unknown): program is string {
  return typeof program === "string" && graphFormatOf(program) !== undefined;
}

/**
 * `check` of a graph: diagnostics of the graph and its plan, and the issues that its format's
 * validator reports.
 */
export function checkGraphAnswer(args: Arguments): Answer {
  const { program } = args;
  if (typeof program !== "string") return badRequest('"program" must be a text');
  const options = readGraphOptions(args);
  if (!options.ok) return { ok: false, diagnostics: options.diagnostics };
  const texts = requestTexts(args);
  const { planText } = texts;
  const { imported, diagnostics } = compile(texts.program, {
    ...options.value,
    ...(planText !== undefined && { planText }),
  });
  const { issues = [], dialect, stages } = imported ?? {};
  const plain = issues.map(({ span: _span, ...issue }) => issue);
  return { ok: !hasErrors(diagnostics), diagnostics, issues: plain, dialect, stages };
}
