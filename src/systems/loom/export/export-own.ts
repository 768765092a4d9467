import type { Diagnostic } from "#core/diagnostics";
import type { Operator, OperatorId } from "#core/ir";
import { planTextOf } from "#language/document";
import type {
  GraphDialect,
  GraphReading,
  ImportedGraph,
  PlannedGraph,
  WrittenGraph,
} from "#systems/system";
import { readLoom } from "../check-loom.ts";
import { type LoomGraph, loomId } from "../graph.ts";
import { leaveOut } from "../leave-out.ts";
import type { PlannedOperation } from "../planned-operation.ts";
import { reshardText } from "../reshard-text.ts";
import { annotationOf } from "../to-dimops.ts";
import { tooManyShards } from "./shard-limit.ts";

/**
 * A LoomGraph as it came in but for what its plan text says otherwise: byte for byte where that is
 * nothing. In the operation dialect Applications and Notes are left out, and said.
 *
 * @param dialect as the document has it when unsaid, with shards where its plan has several devices
 */
export function exportOwn(
  planned: PlannedGraph,
  imported: ImportedGraph,
  dialect: GraphDialect | undefined,
): WrittenGraph {
  const { source, plan, mesh } = planned;
  const { graph } = readLoom(source);
  if (graph === undefined) throw new Error("a graph that was compiled cannot be read");
  const isSharded = imported.dialect === "app" || mesh.mesh.devices.length > 1;
  if ((dialect ?? (isSharded ? "app" : "op")) === "op") return withoutShards(planned, graph);
  const operations = operationsOf(planned, imported, graph);
  const tooMany = tooManyShards(
    operations.map(({ operator }) => operator),
    plan,
  );
  if (tooMany !== undefined) {
    const whole = withoutShards(planned, graph);
    return { ...whole, diagnostics: [...whole.diagnostics, tooMany] };
  }
  const isPlanned = (id: OperatorId) => plan.operators.get(id)?.span !== undefined;
  const { text, diagnostics } = reshardText(source, { graph, operations, plan, isPlanned });
  return { text, planText: "", diagnostics };
}

function withoutShards(planned: PlannedGraph, graph: LoomGraph): WrittenGraph {
  const count = (wanted: string) => graph.nodes.filter(({ kind }) => kind === wanted).length;
  const [shards, notes] = [count("Application"), count("Note")];
  const { source, planText = "", mesh, plan, program } = planned;
  if (shards + notes === 0) return { text: source, planText, diagnostics: [] };
  return {
    text: leaveOut(source, graph, ["Application", "Note"]),
    planText: shards === 0 ? planText : planTextOf(program.graph, mesh.mesh, plan),
    diagnostics: [leftOut(shards, notes)],
  };
}

function leftOut(shards: number, notes: number): Diagnostic {
  const words = [counted(shards, "Application"), counted(notes, "Note")].filter(
    (word) => !word.startsWith("0 "),
  );
  const beside = shards > 0 ? "; their cuts stand in the plan beside it" : "";
  return {
    code: "loom/left-out",
    severity: "warning",
    message: `the operation dialect has no word for ${words.join(" and ")}, left out here${beside}`,
  };
}

function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}

function operationsOf(
  { graph: { operators } }: PlannedGraph,
  { operations }: GraphReading,
  { nodes }: LoomGraph,
): readonly PlannedOperation[] {
  const all = new Map(operators.map((operator): [string, Operator] => [operator.id, operator]));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  return operations.flatMap(({ id: text, operator: name, axes }) => {
    const operator = all.get(name);
    const id = loomId(text);
    const node = byId.get(id);
    if (operator === undefined || node?.kind !== "Operation") return [];
    const bound = annotationOf(node)?.bound;
    return [{ id, operator, axes, ...(bound !== undefined && { bound }) }];
  });
}
