// Names and amounts of the board's rows.

import type { OperatorId } from "#core/ir";
import type { ModuleMetric } from "../figures/module-figures.ts";
import { backwardSeconds, forwardSeconds } from "./board-facts.ts";
import { heldAtPeak, sentBytes } from "./board-heat.ts";
import { operatorsOfItem } from "./board-item.ts";
import type { BoardPlan } from "./board-plan.ts";
import type { BoardRow } from "./board-rows.ts";
import { moduleSeconds, type PassSeconds } from "./board-seconds.ts";

/** The name of a row. */
export function rowName({ facts }: Pick<BoardPlan, "facts">, row: BoardRow): string {
  switch (row.kind) {
    case "operator":
      return facts.labels.get(row.operator.id) ?? row.operator.name;
    case "module":
      return row.module.name;
    case "input":
      return row.tensor.name;
  }
}

/** Seconds of a row in both passes; equal modules are added up. */
export function rowSeconds({ facts }: Pick<BoardPlan, "facts">, row: BoardRow) {
  switch (row.kind) {
    case "operator":
      return {
        forward: forwardSeconds(facts, row.operator.id),
        backward: backwardSeconds(facts, row.operator.id),
      };
    case "module":
      return moduleSeconds(facts, row.module);
    case "input":
      return { forward: 0, backward: 0 };
  }
}

/** The amounts of a row's bars, forward and backward; equal modules are added up. */
export function rowAmounts(plan: BoardPlan, row: BoardRow, metric: ModuleMetric): PassSeconds {
  if (metric === "time" || row.kind === "input") return rowSeconds(plan, row);
  const { forward, backward } = metric === "bytes" ? sentBytes(plan.facts) : heldAtPeak(plan.facts);
  const ids = operatorsOfItem(row.kind === "module" ? row.module : row);
  const sum = (of: ReadonlyMap<OperatorId, number>) =>
    ids.reduce((all, id) => all + (of.get(id) ?? 0), 0);
  return { forward: sum(forward), backward: sum(backward) };
}

/** `10 operators, 2 sends each` for a folded module, then shorter forms; empty for other rows. */
export function countTexts(
  { tree, placed }: Pick<BoardPlan, "tree" | "placed">,
  row: BoardRow,
): readonly string[] {
  if (row.kind !== "module") return [];
  const { runs, shown } = row.module;
  const operators = (runs[shown]?.operators ?? []).filter((id) => tree.drawn.has(id)).length;
  const all = placed.inside.get(placed.rows.indexOf(row))?.length ?? 0;
  const sends = Math.round(all / runs.length);
  const words = [
    operators === 1 ? "1 operator" : `${operators} operators`,
    ...(sends === 0 ? [] : [sends === 1 ? "1 send" : `${sends} sends`]),
  ];
  const each = runs.length > 1 ? " each" : "";
  return [`${words.join(", ")}${each}`, `${words[0]}${each}`, ...words.slice(0, 1)];
}
