import type { Graph } from "#core/ir";
import type { GraphDocuments, GraphReading, ReadGraphOptions } from "#systems/system/graph";
import { checkLoom } from "../check-loom.ts";
import { readProgram } from "../read-program.ts";
import { cutSums } from "./cut-sums.ts";
import { readPlanBeside } from "./plan-beside.ts";

const emptyGraph: Graph = { tensors: [], operators: [], outputs: [] };
const emptyReading: GraphReading = { nodes: [], operations: [] };

/**
 * Reads a LoomGraph and its plan. Parts that cannot be read become diagnostics; the rest is kept.
 */
export function readDocuments(source: string, options: ReadGraphOptions): GraphDocuments {
  const { document, issues, stages, dialect, diagnostics } = checkLoom(source, options);
  const program = document === undefined ? undefined : readProgram(document);
  const { graph = emptyGraph, reading = emptyReading } = program ?? {};
  const plan = readPlanBeside(graph, reading, options);
  const sums = document === undefined ? [] : cutSums(document.graph, reading, plan.document);
  return {
    document: plan.document,
    written: plan.written,
    imported: { ...reading, issues, stages, dialect },
    diagnostics: [...diagnostics, ...sums, ...plan.diagnostics],
  };
}
