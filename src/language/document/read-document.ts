import type { Platform } from "#core/cost";
import type { Diagnostic } from "#core/diagnostics";
import type { Graph, OperatorId, TraceBody } from "#core/ir";
import type { Requests } from "#core/plan";
import type { Training } from "#core/training";
import { readPage } from "#language/pages";
import { asGivenGradients } from "./as-given-gradients.ts";
import { assumedShapes } from "./assume.ts";
import type { BuiltGraph } from "./build-graph.ts";
import { type DocumentMesh, documentMesh } from "./document-mesh.ts";
import { listOfNodes } from "./list-of-nodes.ts";
import { nothingKnown } from "./memory.ts";
import { mindsporePlans, readTuples } from "./mindspore-plans.ts";
import { pageFound } from "./page-found.ts";
import { missingAutoParallel } from "./parallel-mode.ts";
import { policyFanOuts } from "./policy-fan-outs.ts";
import { policyPlans } from "./policy-plans.ts";
import { type Pins, readPins } from "./read-pins.ts";
import { readTraining } from "./read-training.ts";
import { readRequests } from "./requests.ts";
import { reshapeFaults } from "./reshape-size.ts";
import { type ProgramRun, runProgram } from "./run-program.ts";
import { searchNotes } from "./search-notes.ts";
import { createShared, type Shared } from "./shared.ts";
import type { StrategyCall, Trace, TracedTensor } from "./trace.ts";

/** A program text as a graph with what it asks for: the reading of design.md §2. */
export interface Document {
  readonly source: string;
  readonly graph: Graph;
  readonly mesh: DocumentMesh;
  readonly requests: Requests;
  /** Where the text says `train(…)`. */
  readonly training?: Training;
  /** What the planner leaves as it is. */
  readonly pins: Pins;
  readonly diagnostics: readonly Diagnostic[];
  /** Where the text says what: for edits. */
  readonly trace: Trace;
  readonly built: BuiltGraph;
  readonly strategyCalls: ReadonlyMap<OperatorId, StrategyCall>;
  /** Runs the body of a registered function on operands of given shapes, when it is asked. */
  readonly traceBody: TraceBody;
  /** Tensors that a name of the module still holds at the end. */
  readonly variables: ReadonlyMap<string, TracedTensor>;
  /** Every name that the module binds. */
  readonly boundNames: ReadonlySet<string>;
  /** Reads another text in place of this one, in the same language and for the same platform. */
  readonly reread: (source: string) => Document;
}

/**
 * Reads a program text leniently: what is well formed stands, what is missing is assumed and said,
 * and every fault is a diagnostic at its place.
 *
 * A text that leaves sizes open is read twice: the first reading finds what they have to be, so
 * that in the second one every size is a number.
 *
 * @param platform what it runs on, instead of what the text says or leaves open
 */
export function readDocument(source: string, platform?: Platform): Document {
  return pageOf(source, platform) ?? documentOf(source, runTwice(source, createShared()), platform);
}

/** A page of documentation is no program: nothing of it is read but its blocks of code. */
function pageOf(source: string, platform: Platform | undefined): Document | undefined {
  const page = readPage(source);
  if (page === undefined) return undefined;
  const nothing = documentOf("", runTwice("", createShared()), platform);
  return { ...nothing, source, diagnostics: [pageFound(source, page)] };
}

/**
 * `readDocument` for one text that is being edited: what an edit leaves as it was is not parsed and
 * bound again.
 */
export function createDocumentReader(): (source: string) => Document {
  const shared = createShared();
  return (source) =>
    pageOf(source, undefined) ?? documentOf(source, runTwice(source, shared), undefined);
}

function runTwice(source: string, shared: Shared): ProgramRun {
  const first = runProgram(source, nothingKnown, shared);
  return first.memory === undefined ? first : runProgram(source, first.memory, shared);
}

function documentOf(source: string, run: ProgramRun, platform: Platform | undefined): Document {
  const { trace, built, names, variables, boundNames } = run;
  const tuples = readTuples(built);
  const mesh = documentMesh(trace, tuples.cuts, platform);
  const placed = mindsporePlans(built, tuples.cuts, mesh.mesh, trace);
  const policies = policyPlans(trace, built, mesh.mesh);
  const set = new Map([...placed.plans, ...policies.plans]);
  const read = readRequests(trace, built, mesh.mesh, names, set);
  const trained = readTraining(trace, built, names);
  const pinned = readPins(trace, built.graph, mesh.mesh, names);
  return {
    source,
    graph: built.graph,
    mesh,
    requests: {
      ...read.requests,
      placements: new Map([...placed.placements, ...read.requests.placements]),
    },
    ...(trained.training !== undefined && { training: trained.training }),
    pins: pinned.pins,
    strategyCalls: read.strategyCalls,
    trace,
    built,
    variables,
    boundNames,
    reread: (text) => readDocument(text, platform),
    traceBody: run.traceBody,
    diagnostics: withoutEchoes(run, [
      ...listOfNodes(source),
      ...run.diagnostics,
      ...trace.diagnostics,
      ...built.diagnostics,
      ...reshapeFaults(built.operatorOf.keys(), names, source),
      ...tuples.diagnostics,
      ...mesh.diagnostics,
      ...placed.diagnostics,
      ...searchNotes(trace, built, mesh.mesh),
      ...policies.diagnostics(read.strategyCalls),
      ...policyFanOuts(trace, built, policies.plans),
      ...read.diagnostics,
      ...trained.diagnostics,
      ...pinned.diagnostics,
      ...(trained.training === undefined ? [] : asGivenGradients(built, placed.plans)),
      ...missingAutoParallel(trace, built, source, boundNames),
      ...assumedShapes(built, source),
    ]),
  };
}

/** Where a statement failed, what it would have made is missing: that is said once. */
function withoutEchoes(
  { isBroken }: ProgramRun,
  diagnostics: readonly Diagnostic[],
): readonly Diagnostic[] {
  const echoes = ["document/no-such-tensor", "document/no-such-operator"];
  return isBroken ? diagnostics.filter(({ code }) => !echoes.includes(code)) : diagnostics;
}
