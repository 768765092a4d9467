import type { Operator } from "#core/ir";
import { loomOfProgram, type PlannedOperation, shardProgram, writeLoom } from "#systems/loom";
import type { Compiled } from "./compiled.ts";
import { exportOwnLoom, type LoomExport } from "./export-own-loom.ts";
import { planTextOf } from "./plan-text.ts";
import { tooManyShards } from "./shard-limit.ts";

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

/**
 * A program as LoomGraph JSON (loom.md §4.1, §5): its operations, and the pieces of its plan as
 * Applications. A LoomGraph itself leaves as it came in but for what its plan says otherwise.
 */
export function exportLoom(compiled: Compiled, options: LoomExportOptions = {}): LoomExport {
  if (compiled.loom !== undefined) return exportOwnLoom(compiled, compiled.loom, options.dialect);
  const { dialect = compiled.mesh.mesh.devices.length > 1 ? "app" : "op", form } = options;
  const formOf = (operator: Operator) => form ?? formFor(compiled, operator);
  const { graph, operations, diagnostics } = loomOfProgram(compiled.program.graph, formOf);
  const operators = operations.map(({ operator }) => operator);
  const tooMany = dialect === "app" ? tooManyShards(operators, compiled.plan) : undefined;
  if (dialect === "op" || tooMany !== undefined) {
    const all = [...diagnostics, ...(tooMany === undefined ? [] : [tooMany])];
    return { text: `${writeLoom(graph)}\n`, planText: planTextOf(compiled), diagnostics: all };
  }
  const planned = operations.map(({ node, operator, axes, bound }): PlannedOperation => {
    return { id: node.id, operator, axes, ...(bound !== undefined && { bound }) };
  });
  const sharded = shardProgram(graph, planned, compiled.plan);
  return {
    text: `${writeLoom(sharded.graph)}\n`,
    planText: "",
    diagnostics: [...diagnostics, ...sharded.diagnostics],
  };
}

/** The closed form, unless the plan cuts an axis that it would keep out of the index. */
function formFor({ plan }: Compiled, { id, axes }: Operator): "closed" | "open" {
  const cuts = Object.entries(plan.operators.get(id)?.strategy.cuts ?? {});
  const isKept = (name: string) => axes.some((axis) => axis.name === name && axis.reduction === "");
  return cuts.every(([name, parts]) => parts.length === 0 || isKept(name)) ? "closed" : "open";
}
