import type { Platform } from "#core/cost/machines";
import type { Diagnostic, Span } from "#core/diagnostics";
import type { Graph } from "#core/ir";
import type { DeviceMesh } from "#core/mesh";
import type { BuiltGraph } from "./graph/build-graph.ts";
import { type DocumentMesh, documentMesh } from "./graph/document-mesh.ts";
import { readPins } from "./graph/read-pins.ts";
import { readRequests } from "./graph/requests.ts";
import type { Document } from "./read-document.ts";
import { runProgram } from "./run-program.ts";
import type { ReadingSystem } from "./system.ts";
import { nothingKnown } from "./trace/memory.ts";
import type { Trace } from "./trace/trace.ts";
import type { TracedTensor } from "./trace/traced.ts";

/** Context of a plan that belongs to a graph without a text. */
export interface GraphPlanContext {
  /** Name of the graph in messages, with its article; `a graph` by default. */
  readonly title?: string;
  readonly platform?: Platform;
  /** Mesh used when the plan has none. */
  readonly mesh?: DeviceMesh;
  /** Names of operators and tensors by their lower-case aliases. */
  readonly ids?: ReadonlyMap<string, string>;
}

/**
 * Reads the plan of a graph: a text of the native `Mesh`, `strategy` and `place`, which names
 * operators and tensors by strings and makes no tensors itself.
 */
export function readPlan(
  source: string,
  graph: Graph,
  beside: GraphPlanContext,
  systems: readonly ReadingSystem[],
): Document {
  const run = runProgram(source, nothingKnown, systems);
  const { names } = run;
  const trace = withNames(run.trace, beside.ids);
  const built: BuiltGraph = {
    graph,
    diagnostics: [],
    operatorOf: new Map(),
    tracedBy: new Map(),
  };
  const mesh = meshOf(trace, beside);
  const read = readRequests(trace, built, mesh.mesh, names, new Map());
  const pinned = readPins(trace, graph, mesh.mesh, names);
  return {
    source,
    graph,
    mesh,
    requests: read.requests,
    pins: pinned.pins,
    strategyCalls: read.strategyCalls,
    trace,
    built,
    variables: run.variables,
    boundNames: run.boundNames,
    modules: run.modules,
    systems: run.systems.map(({ name }) => name),
    reread: (text) => readPlan(text, graph, beside, systems),
    traceBody: run.traceBody,
    diagnostics: [
      ...run.diagnostics,
      ...trace.diagnostics,
      ...strangers(trace, beside.title),
      ...mesh.diagnostics,
      ...read.diagnostics,
      ...pinned.diagnostics,
    ],
  };
}

/** Mesh of the plan text, else the given one. */
function meshOf(trace: Trace, { platform, mesh }: GraphPlanContext): DocumentMesh {
  const found = documentMesh(trace, [], platform);
  const isWritten = trace.meshes.length + trace.layouts.length + trace.placedPieces.length > 0;
  if (mesh === undefined || isWritten) return found;
  return { ...found, mesh: platform === undefined ? mesh : platform.link(mesh), status: "set" };
}

/** Trace with aliases replaced by names in the targets of its calls. */
function withNames(trace: Trace, ids: GraphPlanContext["ids"]): Trace {
  if (ids === undefined) return trace;
  const named = <Call extends { readonly target: TracedTensor | string }>(call: Call): Call => {
    const { target } = call;
    const name = typeof target === "string" ? ids.get(target.toLowerCase()) : undefined;
    return name === undefined ? call : { ...call, target: name };
  };
  return {
    ...trace,
    strategies: trace.strategies.map(named),
    places: trace.places.map(named),
    pins: trace.pins.map(named),
  };
}

/** Errors for words that belong to a program and mean nothing in the plan of a graph. */
function strangers(trace: Trace, title = "a graph"): readonly Diagnostic[] {
  return [
    ...trace.tensors.slice(0, 1).map(({ span }) => stranger("makes no tensors", span)),
    ...trace.training.map(({ span }) => stranger(`cannot train: ${title} has no gradients`, span)),
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
