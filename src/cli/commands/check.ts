import { hasErrors } from "#core/diagnostics";
import type { Graph } from "#core/ir";
import { checkBodies } from "#execute/verify";
import { checkWeights } from "#execute/weights";
import type { Document } from "#language/document";
import { bodyDiagnostics } from "#language/document/graph";
import { type Answer, type Arguments, badRequest } from "./answer.ts";
import { checkGraphAnswer, isGraphText } from "./check-graph.ts";
import { openRequest } from "./compile-request.ts";
import { publishedOf } from "./published.ts";

/**
 * `check`: all diagnostics of a program or graph. With `weights`, the path of a `.safetensors` file
 * or an index of such files, also the tensors that do not fit.
 */
export function checkAnswer(args: Arguments): Answer {
  if (isGraphText(args.program)) return checkGraphAnswer(args);
  const opened = openRequest(args);
  if (!opened.ok) return { ok: false, diagnostics: opened.diagnostics };
  const { compiled, document } = opened.value;
  const diagnostics = [
    ...compiled.diagnostics,
    ...(document === undefined ? [] : bodyWarnings(document)),
  ];
  if (args.weights === undefined) return { ok: !hasErrors(diagnostics), diagnostics };
  return withWeights(args.weights, compiled.graph, diagnostics);
}

function withWeights(path: unknown, graph: Graph, diagnostics: Answer["diagnostics"]): Answer {
  if (typeof path !== "string") return badRequest('"weights" must be the path of a file');
  const read = publishedOf({ file: path });
  if (read?.ok === false) return { ok: false, diagnostics: read.diagnostics };
  if (read?.value.weights === undefined) return badRequest(`"${path}" is no file of weights`);
  const { fitting, parameters, notes } = checkWeights(read.value.title, graph, read.value.weights);
  const all = [...diagnostics, ...notes];
  const weights = `${fitting} of ${parameters} parameters`;
  return { ok: !hasErrors(all), weights, diagnostics: all };
}

/** Warnings about registered functions whose bodies contradict their annotations. */
function bodyWarnings(document: Document): Answer["diagnostics"] {
  const isRegistered = document.graph.operators.some(({ entry }) => entry === undefined);
  if (!isRegistered) return [];
  return bodyDiagnostics(document, checkBodies(document.graph, document.traceBody));
}
