import { sum } from "#core/arithmetic";
import type { Diagnostic } from "#core/diagnostics";
import type { Operator, OperatorId } from "#core/ir";
import { blockCount } from "#core/mesh";
import type { Plan } from "#core/plan";
import { planTextOf } from "#language/document/edit";
import type {
  GraphDialect,
  GraphReading,
  ImportedGraph,
  PlannedGraph,
  WrittenGraph,
} from "#systems/system/graph";
import { leaveOut } from "../change-nodes.ts";
import { readLoom } from "../check-loom.ts";
import { counted } from "../document.ts";
import { type LoomGraph, loomId } from "../graph.ts";
import type { PlannedOperation } from "../planned-operation.ts";
import { reshardText } from "../reshard-text.ts";
import { annotationOf } from "../to-dimops.ts";

/**
 * Exports a LoomGraph as it was imported, changed only by its plan text: byte for byte the same if
 * that changes nothing. In the operation dialect Applications and Notes are left out, with a
 * diagnostic.
 *
 * @param dialect default: the document's own, but the application dialect if its plan has several
 *   devices
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

/** Most Applications written into one graph: about 20 MB of JSON. */
const mostShards = 10_000;

/** Diagnostic when a plan cuts operations into more Applications than a graph may have. */
export function tooManyShards(
  operators: readonly Pick<Operator, "id">[],
  plan: Plan,
): Diagnostic | undefined {
  const counts = operators.map(({ id }) => {
    const cuts = Object.values(plan.operators.get(id)?.strategy.cuts ?? {}).flat();
    return blockCount(cuts);
  });
  const count = sum(counts);
  if (count <= mostShards) return undefined;
  return {
    code: "loom/too-many-shards",
    severity: "warning",
    message: `the plan cuts the operations into ${count} Applications, and a graph is written with at most ${mostShards}: here are whole operations, with the cuts in the plan beside them`,
  };
}
