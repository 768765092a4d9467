import { hasErrors } from "#core/diagnostics";
import { checkBodies } from "#execute/verify";
import type { Document } from "#language/document";
import { bodyDiagnostics } from "#language/document/graph";
import type { Answer, Arguments } from "./answer.ts";
import { checkGraphAnswer, isGraphText } from "./check-graph.ts";
import { openRequest } from "./compile-request.ts";

/** `check`: everything that can be said against a program, in either language. */
export function checkAnswer(args: Arguments): Answer {
  if (isGraphText(args.program)) return checkGraphAnswer(args);
  const opened = openRequest(args);
  if (!opened.ok) return { ok: false, diagnostics: opened.diagnostics };
  const { compiled, document } = opened.value;
  const diagnostics = [
    ...compiled.diagnostics,
    ...(document === undefined ? [] : bodyWarnings(document)),
  ];
  return { ok: !hasErrors(diagnostics), diagnostics };
}

/** Where registered functions compute something else than their annotations say. */
function bodyWarnings(document: Document): Answer["diagnostics"] {
  const isRegistered = document.graph.operators.some(({ entry }) => entry === undefined);
  if (!isRegistered) return [];
  return bodyDiagnostics(document, checkBodies(document.graph, document.traceBody));
}
