import type { Diagnostic } from "#core/diagnostics";
import type { Operator } from "#core/ir";
import {
  annotationOf,
  type LoomGraph,
  loomOfProgram,
  type PlannedOperation,
  readLoom,
  shardProgram,
  writeLoom,
} from "#systems/loom";
import type { Compiled, CompiledLoom } from "./compiled.ts";
import { planTextOf } from "./plan-text.ts";

/** How a program is written as a LoomGraph. */
export interface LoomExportOptions {
  /** Whole operations, or with the shards of the plan as well; by default as there are devices. */
  readonly dialect?: "op" | "app";
  /**
   * Of annotated operators: whether frozen and summed axes stay out of the index. When unsaid they
   * do, except of an operator whose plan cuts one.
   */
  readonly form?: "closed" | "open";
}

/** A LoomGraph with the plan beside it. */
export interface LoomExport {
  readonly text: string;
  /** Of the operation dialect, which has no shards; empty where there is nothing to say. */
  readonly planText: string;
  /** What could not be written as it is. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * A program as LoomGraph JSON (loom.md §4.1, §5): its operations, and the pieces of its plan as
 * Applications. A LoomGraph itself keeps its nodes and gets the shards of the plan beside it.
 */
export function exportLoom(compiled: Compiled, options: LoomExportOptions = {}): LoomExport {
  const { dialect = compiled.mesh.mesh.devices.length > 1 ? "app" : "op", form } = options;
  const { graph, operations, diagnostics } = operationsOf(compiled, form);
  if (dialect === "op") {
    const nodes = graph.nodes.filter(({ kind }) => kind === "Tensor" || kind === "Operation");
    const planText = compiled.planText ?? planTextOf(compiled);
    return { text: `${writeLoom({ ...graph, nodes })}\n`, planText, diagnostics };
  }
  const sharded = shardProgram(graph, operations, compiled.plan);
  return {
    text: `${writeLoom(sharded.graph)}\n`,
    planText: "",
    diagnostics: [...diagnostics, ...sharded.diagnostics],
  };
}

interface Written {
  readonly graph: LoomGraph;
  readonly operations: readonly PlannedOperation[];
  readonly diagnostics: readonly Diagnostic[];
}

function operationsOf(compiled: Compiled, form: LoomExportOptions["form"]): Written {
  if (compiled.loom !== undefined) return ownOperations(compiled, compiled.loom);
  const formOf = (operator: Operator) => form ?? formFor(compiled, operator);
  const { graph, operations, diagnostics } = loomOfProgram(compiled.program.graph, formOf);
  return {
    graph,
    operations: operations.map(({ node, operator, axes, bound }) => {
      return { id: node.id, operator, axes, ...(bound !== undefined && { bound }) };
    }),
    diagnostics,
  };
}

/** The closed form, unless the plan cuts an axis that it would keep out of the index. */
function formFor({ plan }: Compiled, { id, axes }: Operator): "closed" | "open" {
  const cuts = Object.entries(plan.operators.get(id)?.strategy.cuts ?? {});
  const isKept = (name: string) => axes.some((axis) => axis.name === name && axis.reduction === "");
  return cuts.every(([name, parts]) => parts.length === 0 || isKept(name)) ? "closed" : "open";
}

function ownOperations({ source, graph: { operators } }: Compiled, loom: CompiledLoom): Written {
  const { graph } = readLoom(source);
  if (graph === undefined) throw new Error("a graph that was compiled cannot be read");
  const all = new Map(operators.map((operator): [string, Operator] => [operator.id, operator]));
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]));
  const operations = loom.operations.flatMap(({ id, operator: name, axes }) => {
    const operator = all.get(name);
    const node = nodes.get(id);
    if (operator === undefined || node?.kind !== "Operation") return [];
    const bound = annotationOf(node)?.bound;
    return [{ id, operator, axes, ...(bound !== undefined && { bound }) }];
  });
  return { graph, operations, diagnostics: [] };
}
