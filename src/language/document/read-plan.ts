import type { Platform } from "#core/cost";
import type { Diagnostic, Span } from "#core/diagnostics";
import type { Graph } from "#core/ir";
import type { BuiltGraph } from "./build-graph.ts";
import { documentMesh } from "./document-mesh.ts";
import { nothingKnown } from "./memory.ts";
import type { Document } from "./read-document.ts";
import { readRequests } from "./requests.ts";
import { runProgram } from "./run-program.ts";
import type { Trace } from "./trace.ts";

/**
 * Reads a plan that stands beside a graph: a text of the native words `Mesh`, `strategy` and
 * `place`, which name operators and tensors by texts. It makes no tensors of its own.
 */
export function readPlan(source: string, graph: Graph, platform?: Platform): Document {
  const run = runProgram(source, nothingKnown);
  const { trace, names } = run;
  const built: BuiltGraph = {
    graph,
    diagnostics: [],
    operatorOf: new Map(),
    tracedBy: new Map(),
  };
  const mesh = documentMesh(trace, [], platform);
  const read = readRequests(trace, built, mesh.mesh, names, new Map());
  return {
    source,
    graph,
    mesh,
    requests: read.requests,
    strategyCalls: read.strategyCalls,
    trace,
    built,
    variables: run.variables,
    boundNames: run.boundNames,
    reread: (text) => readPlan(text, graph, platform),
    traceBody: run.traceBody,
    diagnostics: [
      ...run.diagnostics,
      ...trace.diagnostics,
      ...strangers(trace),
      ...mesh.diagnostics,
      ...read.diagnostics,
    ],
  };
}

/** Words that belong to a program and mean nothing beside a graph. */
function strangers(trace: Trace): readonly Diagnostic[] {
  return [
    ...trace.tensors.slice(0, 1).map(({ span }) => stranger("makes no tensors", span)),
    ...trace.training.map(({ span }) =>
      stranger("cannot train: a LoomGraph has no gradients", span),
    ),
  ];
}

function stranger(what: string, span: Span): Diagnostic {
  return {
    code: "document/not-in-a-plan",
    severity: "error",
    message: `the plan beside a graph ${what}`,
    span,
  };
}
