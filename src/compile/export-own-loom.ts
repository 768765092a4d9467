import type { Diagnostic } from "#core/diagnostics";
import type { Operator, OperatorId } from "#core/ir";
import {
  annotationOf,
  type LoomGraph,
  leaveOut,
  type PlannedOperation,
  readLoom,
  reshardText,
} from "#systems/loom";
import type { Compiled, CompiledLoom } from "./compiled.ts";
import { planTextOf } from "./plan-text.ts";
import { tooManyShards } from "./shard-limit.ts";

/** A LoomGraph with the plan beside it. */
export interface LoomExport {
  readonly text: string;
  /** Of the operation dialect, which has no shards; empty where there is nothing to say. */
  readonly planText: string;
  /** What could not be written as it is. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * A LoomGraph as it came in but for what its plan text says otherwise: byte for byte where that is
 * nothing. In the operation dialect Applications and Notes are left out, and said.
 *
 * @param dialect as the document has it when unsaid, with shards where its plan has several devices
 */
export function exportOwnLoom(
  compiled: Compiled,
  loom: CompiledLoom,
  dialect: "op" | "app" | undefined,
): LoomExport {
  const { source, plan, mesh } = compiled;
  const { graph } = readLoom(source);
  if (graph === undefined) throw new Error("a graph that was compiled cannot be read");
  const isSharded = loom.dialect === "app" || mesh.mesh.devices.length > 1;
  if ((dialect ?? (isSharded ? "app" : "op")) === "op") return withoutShards(compiled, graph);
  const operations = operationsOf(compiled, loom, graph);
  const tooMany = tooManyShards(
    operations.map(({ operator }) => operator),
    plan,
  );
  if (tooMany !== undefined) {
    const whole = withoutShards(compiled, graph);
    return { ...whole, diagnostics: [...whole.diagnostics, tooMany] };
  }
  const isPlanned = (id: OperatorId) => plan.operators.get(id)?.span !== undefined;
  const { text, diagnostics } = reshardText(source, { graph, operations, plan, isPlanned });
  return { text, planText: "", diagnostics };
}

function withoutShards(compiled: Compiled, graph: LoomGraph): LoomExport {
  const count = (wanted: string) => graph.nodes.filter(({ kind }) => kind === wanted).length;
  const [shards, notes] = [count("Application"), count("Note")];
  const { source, planText = "" } = compiled;
  if (shards + notes === 0) return { text: source, planText, diagnostics: [] };
  return {
    text: leaveOut(source, graph, ["Application", "Note"]),
    planText: shards === 0 ? planText : planTextOf(compiled),
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
  { graph: { operators } }: Compiled,
  loom: CompiledLoom,
  { nodes }: LoomGraph,
): readonly PlannedOperation[] {
  const all = new Map(operators.map((operator): [string, Operator] => [operator.id, operator]));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  return loom.operations.flatMap(({ id, operator: name, axes }) => {
    const operator = all.get(name);
    const node = byId.get(id);
    if (operator === undefined || node?.kind !== "Operation") return [];
    const bound = annotationOf(node)?.bound;
    return [{ id, operator, axes, ...(bound !== undefined && { bound }) }];
  });
}
