import { hasErrors } from "#core/diagnostics";
import { checkBodies } from "#execute/verify";
import { bodyDiagnostics, readDocument } from "#language/document";
import type { Answer, Arguments } from "./answer.ts";
import { checkLoomAnswer, isLoomText } from "./check-loom.ts";
import { compileRequest } from "./compile-request.ts";

/** `check`: everything that can be said against a program, in either language. */
export function checkAnswer(args: Arguments): Answer {
  if (isLoomText(args.program)) return checkLoomAnswer(args);
  const compiled = compileRequest(args);
  if (!compiled.ok) return { ok: false, diagnostics: compiled.diagnostics };
  const { source, graph } = compiled.value;
  const isRegistered = graph.operators.some(({ entry }) => entry === undefined);
  const diagnostics = [
    ...compiled.value.diagnostics,
    ...(isRegistered ? bodyWarnings(source) : []),
  ];
  return { ok: !hasErrors(diagnostics), diagnostics };
}

/** Where registered functions compute something else than their annotations say. */
function bodyWarnings(source: string): Answer["diagnostics"] {
  const document = readDocument(source);
  return bodyDiagnostics(document, checkBodies(document.graph, document.traceBody));
}
