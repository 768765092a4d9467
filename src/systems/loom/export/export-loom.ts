import type { Operator } from "#core/ir";
import type { Plan } from "#core/plan";
import { planTextOf } from "#language/document/edit";
import type { PlannedGraph, WriteGraphOptions, WrittenGraph } from "#systems/system/graph";
import type { PlannedOperation } from "../planned-operation.ts";
import { shardProgram } from "../shard-program.ts";
import { writeLoom } from "../write-loom.ts";
import { loomOfProgram } from "../write-program.ts";
import { exportOwn, tooManyShards } from "./export-own.ts";

/**
 * Writes a program as LoomGraph JSON (loom.md §4.1, §5): its operations, and the pieces of its plan
 * as Applications. An imported LoomGraph is written back unchanged except where its plan differs.
 */
export function exportLoom(planned: PlannedGraph, options: WriteGraphOptions): WrittenGraph {
  const { imported, plan, program } = planned;
  if (imported !== undefined) return exportOwn(planned, imported, options.dialect);
  const { mesh } = planned.mesh;
  const { dialect = mesh.devices.length > 1 ? "app" : "op", form } = options;
  const formOf = (operator: Operator) => form ?? formFor(plan, operator);
  const { graph, operations, diagnostics } = loomOfProgram(program.graph, formOf);
  const operators = operations.map(({ operator }) => operator);
  const tooMany = dialect === "app" ? tooManyShards(operators, plan) : undefined;
  if (dialect === "op" || tooMany !== undefined) {
    const all = [...diagnostics, ...(tooMany === undefined ? [] : [tooMany])];
    const planText = planTextOf(program.graph, mesh, plan);
    return { text: `${writeLoom(graph)}\n`, planText, diagnostics: all };
  }
  const pieces = operations.map(({ node, operator, axes, bound }): PlannedOperation => {
    return { id: node.id, operator, axes, ...(bound !== undefined && { bound }) };
  });
  const sharded = shardProgram(graph, pieces, plan);
  return {
    text: `${writeLoom(sharded.graph)}\n`,
    planText: "",
    diagnostics: [...diagnostics, ...sharded.diagnostics],
  };
}

/** The closed form, unless the plan cuts an axis that the closed form keeps out of the index. */
function formFor(plan: Plan, { id, axes }: Operator): "closed" | "open" {
  const cuts = Object.entries(plan.operators.get(id)?.strategy.cuts ?? {});
  const isKept = (name: string) => axes.some((axis) => axis.name === name && axis.reduction === "");
  return cuts.every(([name, parts]) => parts.length === 0 || isKept(name)) ? "closed" : "open";
}
