import type { Platform } from "#core/cost";
import type { Diagnostic } from "#core/diagnostics";
import type { Graph } from "#core/ir";
import type { Document } from "#language/document";
import { checkLoom, type LoomCheck, type LoomReading, readProgram } from "#systems/loom";
import type { Compiled, CompiledLoom, CompileOptions } from "./compiled.ts";
import { type LoomPlan, readLoomPlan } from "./loom-plan.ts";
import { cutSums } from "./loom-stages.ts";

/** A LoomGraph with the plan beside it. */
export interface LoomDocuments {
  /** The plan over the graph of the JSON: its `source` is the plan text. */
  readonly document: Document;
  readonly written: LoomPlan["written"];
  readonly loom: CompiledLoom;
  /** Of the JSON alone. */
  readonly diagnostics: readonly Diagnostic[];
}

const emptyGraph: Graph = { tensors: [], operators: [], outputs: [] };
const emptyReading: LoomReading = { nodes: [], operations: [] };

/** Reads a LoomGraph and its plan; what cannot be read is a diagnostic, the rest stands. */
export function readLoom(source: string, options: CompileOptions): LoomDocuments {
  const { planText = "", platform, dtypes, dialect } = options;
  const check = checkLoom(source, {
    ...(dtypes !== undefined && { dtypes }),
    ...(dialect !== undefined && { dialect }),
  });
  return documentsOf(check, planText, platform);
}

function documentsOf(
  { document, issues, stages, dialect, diagnostics }: LoomCheck,
  planText: string,
  platform: Platform | undefined,
): LoomDocuments {
  const program = document === undefined ? undefined : readProgram(document);
  const { graph = emptyGraph, reading = emptyReading } = program ?? {};
  const plan = readLoomPlan(planText, graph, reading, platform);
  const sums = document === undefined ? [] : cutSums(document.graph, reading, plan.document);
  return {
    document: plan.document,
    written: plan.written,
    loom: { ...reading, issues, stages, dialect },
    diagnostics: [...diagnostics, ...sums, ...plan.diagnostics],
  };
}

/** What follows from the plan together with the JSON that it stands beside. */
export function withLoom(
  compiled: Compiled,
  { loom, diagnostics }: LoomDocuments,
  source: string,
): Compiled {
  const inPlan = compiled.diagnostics.map((each): Diagnostic => ({ ...each, text: "plan" }));
  return {
    ...compiled,
    source,
    planText: compiled.source,
    loom,
    diagnostics: [...diagnostics, ...inPlan],
  };
}
