import type { Platform } from "#core/cost/machines";
import type { Diagnostic } from "#core/diagnostics";
import type { Graph, OperatorId } from "#core/ir";
import type { TraceBody } from "#core/ir/body";
import type { Requests } from "#core/plan";
import type { Training } from "#core/training";
import { readPage } from "#language/pages";
import { fittingRun } from "./fitting-run.ts";
import type { BuiltGraph } from "./graph/build-graph.ts";
import { type DocumentMesh, documentMesh } from "./graph/document-mesh.ts";
import { type Pins, readPins } from "./graph/read-pins.ts";
import { type ReadTraining, readTraining } from "./graph/read-training.ts";
import { readRequests } from "./graph/requests.ts";
import { pageFound } from "./page-found.ts";
import type { ProgramLines } from "./program-lines.ts";
import { type ProgramRun, runProgram } from "./run-program.ts";
import type { ReadingSystem } from "./system.ts";
import { plansOf } from "./system-plans.ts";
import { assumedShapes } from "./trace/assume.ts";
import { emptyWindows } from "./trace/empty-windows.ts";
import { createShared, type Memory, nothingKnown, type Shared } from "./trace/memory.ts";
import { reshapeFaults } from "./trace/reshape-size.ts";
import type { StrategyCall, Trace } from "./trace/trace.ts";
import type { TracedTensor } from "./trace/traced.ts";

/** Program text read as a graph, with mesh and requests (architecture.md §2). */
export interface Document {
  readonly source: string;
  readonly graph: Graph;
  readonly mesh: DocumentMesh;
  readonly requests: Requests;
  /** Training request of the text's `train(…)`; absent without one. */
  readonly training?: Training;
  /** Operators and tensors that the planner must not change. */
  readonly pins: Pins;
  readonly diagnostics: readonly Diagnostic[];
  /** Recorded run of the program, with spans for edits. */
  readonly trace: Trace;
  readonly built: BuiltGraph;
  readonly strategyCalls: ReadonlyMap<OperatorId, StrategyCall>;
  /** Runs the body of a registered function on operands of given shapes, on demand. */
  readonly traceBody: TraceBody;
  /** Tensors that module-level names still hold at the end. */
  readonly variables: ReadonlyMap<string, TracedTensor>;
  /**
   * Number of parameter elements of each module that a name of the text holds; `undefined` when not
   * all are known.
   */
  readonly modules: ReadonlyMap<string, number | undefined>;
  /** Every name that the text binds at module level. */
  readonly boundNames: ReadonlySet<string>;
  /** Tensors and operators of each line, computed on demand; absent for a plan beside a graph. */
  readonly lines?: () => ProgramLines;
  /** Names of the systems that the program uses. */
  readonly systems: readonly string[];
  /** Whether the host launches operators one by one, as in eager systems. */
  readonly isEager?: true;
  /**
   * Reads another text in place of this one, in the same language and for the same platform.
   * Unchanged parts are not parsed and bound again, and an equal text returns this document.
   */
  readonly reread: (source: string) => Document;
}

/**
 * Reads a program text leniently: well-formed statements count, missing values are assumed and
 * reported, and every fault is a diagnostic with its span.
 *
 * A text with open sizes is read twice: the first reading finds their values, so that in the second
 * every size is a number.
 *
 * @param systems systems whose modules the text may import
 * @param platform hardware that replaces the text's own or the default
 * @param as system whose rules apply, whatever system the text is written for
 */
export function readDocument(
  source: string,
  systems: readonly ReadingSystem[],
  platform?: Platform,
  as?: string,
): Document {
  return readWith(source, { systems, shared: createShared(), platform, as });
}

function readWith(source: string, setting: Setting): Document {
  return pageOf(source, setting) ?? documentOf(source, runTwice(source, setting), setting);
}

/** Parameters of a reading. */
interface Setting {
  readonly systems: readonly ReadingSystem[];
  readonly shared: Shared;
  readonly platform: Platform | undefined;
  readonly as?: string | undefined;
}

/**
 * Document of a documentation page: empty, with a diagnostic that offers its code blocks.
 * `undefined` for other texts.
 */
function pageOf(source: string, setting: Setting): Document | undefined {
  const page = readPage(source);
  if (page === undefined) return undefined;
  const own = { ...setting, shared: createShared() };
  const nothing = documentOf("", runTwice("", own), own);
  return { ...nothing, source, diagnostics: [pageFound(source, page)] };
}

/**
 * `readDocument` for a text that is being edited: unchanged statements are not parsed and bound
 * again, and an equal text returns the last document.
 */
export function createDocumentReader(
  systems: readonly ReadingSystem[],
): (source: string) => Document {
  const setting = { systems, shared: createShared(), platform: undefined };
  let last: Document | undefined;
  return (source) => {
    if (last?.source !== source) last = readWith(source, setting);
    return last;
  };
}

function runTwice(source: string, { systems, shared, as }: Setting): ProgramRun {
  const run = (memory: Memory) => runProgram(source, memory, systems, shared, as);
  return fittingRun(run(nothingKnown), source, run);
}

const untrained: ReadTraining = { diagnostics: [] };
const unpinned: ReturnType<typeof readPins> = {
  pins: { operators: new Set(), tensors: new Set(), mesh: false, written: [] },
  diagnostics: [],
};

function documentOf(source: string, run: ProgramRun, setting: Setting): Document {
  const { systems, platform } = setting;
  const { trace, built, names, variables, boundNames, modules } = run;
  const asked = plansOf(run.systems, { trace, built, source, boundNames });
  const traced = [...built.operatorOf.keys()];
  const mesh = documentMesh(trace, asked.matrices, platform);
  const placed = asked.on(mesh.mesh);
  const read = readRequests(trace, built, mesh.mesh, names, placed.plans);
  const trained = trace.training.length === 0 ? untrained : readTraining(run);
  const pinned =
    trace.pins.length === 0 ? unpinned : readPins(trace, built.graph, mesh.mesh, names);
  const document: Document = {
    source,
    graph: built.graph,
    mesh,
    requests: {
      ...read.requests,
      placements: new Map([...placed.placements, ...read.requests.placements]),
      ...gatheringOf(placed, read.requests.placements),
    },
    ...(trained.training !== undefined && { training: trained.training }),
    pins: pinned.pins,
    strategyCalls: read.strategyCalls,
    trace,
    built,
    variables,
    boundNames,
    modules,
    lines: run.lines,
    systems: run.systems.map(({ name }) => name),
    ...(run.systems.some(({ isEager }) => isEager === true) && { isEager: true as const }),
    reread: (text) => (text === source ? document : readWith(text, setting)),
    traceBody: run.traceBody,
    diagnostics: withoutEchoes(run, [
      ...systems.flatMap(({ mistakes }) => mistakes?.(source) ?? []),
      ...run.diagnostics,
      ...(run.nothingDrawn === undefined ? [] : [run.nothingDrawn]),
      ...trace.diagnostics,
      ...built.diagnostics,
      ...(traced.some(({ entry }) => entry === "reshape")
        ? reshapeFaults(traced, names, source)
        : []),
      ...emptyWindows(traced, names),
      ...asked.diagnostics,
      ...mesh.diagnostics,
      ...placed.diagnostics,
      ...placed.notesBeside(read.strategyCalls),
      ...read.diagnostics,
      ...trained.diagnostics,
      ...pinned.diagnostics,
      ...(trained.training === undefined ? [] : placed.trainingNotes),
      ...placed.closingNotes,
      ...assumedShapes(built, source, run.rows?.setting),
    ]),
  };
  return document;
}

/** Systems' requests for parameters stored in shards, except those that the text places itself. */
function gatheringOf(placed: Placed, written: Requests["placements"]): Gathering {
  const { held = new Map(), gatheredAgain = new Set(), keptGathered = new Set() } = placed;
  const own = new Map([...held].filter(([tensor]) => !written.has(tensor)));
  return {
    ...(own.size > 0 && { held: own }),
    ...(gatheredAgain.size > 0 && { gatheredAgain }),
    ...(keptGathered.size > 0 && { keptGathered }),
  };
}

type Gathering = Pick<Requests, "held" | "gatheredAgain" | "keptGathered">;
type Placed = ReturnType<ReturnType<typeof plansOf>["on"]>;

/**
 * Drops diagnostics that follow from a failed statement: its tensors and operators are missing, and
 * its own fault is reported already.
 */
function withoutEchoes(
  { isBroken }: ProgramRun,
  diagnostics: readonly Diagnostic[],
): readonly Diagnostic[] {
  const echoes = ["document/no-such-tensor", "document/no-such-operator"];
  return isBroken ? diagnostics.filter(({ code }) => !echoes.includes(code)) : diagnostics;
}
