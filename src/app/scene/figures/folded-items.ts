import type { Compiled } from "#compile";
import { operationsAtSteps } from "#core/cost";
import { type OperatorId, wildcardPath } from "#core/ir";
import type { ValueId } from "#core/program";
import { type DisplayNames, displayNames } from "../display-names.ts";
import { rememberedFor } from "../remembered.ts";
import { foldedName, labelOf } from "./item-names.ts";
import { stepAmounts } from "./step-amounts.ts";
import { ownersOf } from "./step-owners.ts";

/** The figures by which items can be sorted. */
export type ItemColumn = "time" | "exposed" | "bytes" | "memory" | "flops";

/** Equal work or equal memory of equal layers, merged into one item. */
export interface FoldedItem {
  readonly key: string;
  /** Kind of work or memory: `linear, backward`, `all-reduce tp`, `parameter`. */
  readonly what: string;
  /** Place in the program, with `*` for layer indices. */
  readonly where: string;
  /** Number of merged occurrences, over all microbatches. */
  readonly count: number;
  /** `time` is the duration regardless of overlap; `memory` the bytes at the peak. */
  readonly figures: Readonly<Record<ItemColumn, number>>;
  /**
   * The part of the time that lengthens the step: all of its compute, and the exposed part of its
   * communication.
   */
  readonly added: number;
}

/**
 * All items of a step in program order. Their `added` times sum to the step's time; bytes, memory
 * and operations sum to those of the whole step.
 */
export const foldedItems = rememberedFor((compiled: Compiled): readonly FoldedItem[] => {
  const rows = new Map<string, Row>();
  countSteps(compiled, rows);
  countMemory(compiled, rows);
  const { bubble = 0 } = compiled.schedule ?? {};
  if (bubble > 0) {
    const row = rowOf(rows, "waits for launches", "");
    row.time = bubble;
    row.added = bubble;
    row.count = 1;
  }
  return [...rows].map(([key, row]) => ({
    ...{ key, what: row.what, where: row.where, added: row.added },
    count: Math.max(row.count, row.names.size, 1),
    figures: {
      ...{ time: row.time, exposed: row.exposed, bytes: row.bytes },
      ...{ memory: row.memory, flops: row.flops },
    },
  }));
});

/**
 * Items sorted by a column, largest first; items with figure 0 are left out, ties keep their order.
 */
export function sortedItems(
  items: readonly FoldedItem[],
  by: ItemColumn,
  order: "most" | "least" = "most",
): readonly FoldedItem[] {
  const sign = order === "most" ? -1 : 1;
  return items
    .filter(({ figures }) => figures[by] !== 0)
    .sort((a, b) => sign * (a.figures[by] - b.figures[by]));
}

interface Row {
  readonly what: string;
  readonly where: string;
  /** Ids of the operators or tensors merged into the item. */
  readonly names: Set<string>;
  count: number;
  time: number;
  added: number;
  exposed: number;
  bytes: number;
  memory: number;
  flops: number;
}

function rowOf(rows: Map<string, Row>, what: string, where: string): Row {
  const key = `${what} ${where}`;
  const zero = { count: 0, time: 0, added: 0, exposed: 0, bytes: 0, memory: 0, flops: 0 };
  const found = rows.get(key) ?? { what, where, names: new Set(), ...zero };
  rows.set(key, found);
  return found;
}

const operationsOf = rememberedFor((program: Compiled["program"]) => operationsAtSteps(program));

function countSteps(compiled: Compiled, rows: Map<string, Row>): void {
  const { program } = compiled;
  const owners = ownersOf(program);
  const naming = namingOf(compiled);
  const operations = operationsOf(program);
  for (const { step, at, count, seconds, computed, exposed, bytes } of stepAmounts(compiled)) {
    const row =
      step.kind === "local"
        ? operatorRow(rows, step.operator, naming)
        : rowOf(
            rows,
            [step.collective, ...step.axes].join(" "),
            whereOf(owners.ofStep(step), step.phase),
          );
    if (step.kind === "collective") row.count += count;
    row.time += seconds;
    row.added += computed + exposed;
    row.exposed += exposed;
    row.bytes += bytes;
    row.flops += count * (operations[at] ?? 0);
  }
}

/** The module of a redistribution, followed by the pass if it is not the forward pass. */
function whereOf(path: string | undefined, phase: string): string {
  if (path === undefined) return "update of the parameters";
  const place = path === "" ? "the model" : wildcardPath(path);
  if (phase === "forward") return place;
  return `${place}, ${phase === "recompute" ? "computed anew" : phase}`;
}

const operatorsOf = rememberedFor(
  ({ graph }: Compiled["program"]) => new Map(graph.operators.map((each) => [each.id, each])),
);

/** The operators of a program by id, and their display names. */
interface Naming {
  readonly operators: ReturnType<typeof operatorsOf>;
  readonly said: DisplayNames;
}

function namingOf(compiled: Compiled): Naming {
  return { operators: operatorsOf(compiled.program), said: displayNames(compiled) };
}

function operatorRow(rows: Map<string, Row>, id: OperatorId, { operators, said }: Naming): Row {
  const { what, where } = labelOf(id, operators, said);
  const row = rowOf(rows, what, where);
  row.names.add(id);
  return row;
}

function countMemory(compiled: Compiled, rows: Map<string, Row>): void {
  const { memory, program } = compiled;
  const naming = namingOf(compiled);
  const tensors = new Map(program.graph.tensors.map((each) => [each.id, each]));
  const values = new Map(program.values.map(({ id, tensor }) => [id, tensors.get(tensor)]));
  const makers = new Map(
    program.graph.operators.flatMap(({ id, outputs }) =>
      outputs.map(({ tensor }) => [tensor, id] as const),
    ),
  );
  const rowOfValue = (value: ValueId): Row => {
    const tensor = values.get(value);
    if (tensor === undefined) return rowOf(rows, "memory", foldedName(value));
    const maker = makers.get(tensor.id);
    if (maker !== undefined) return operatorRow(rows, maker, naming);
    const row = rowOf(rows, tensor.role, foldedName(tensor.name));
    row.names.add(tensor.id);
    return row;
  };
  for (const { value, bytes } of memory.alive) rowOfValue(value).memory += bytes;
}
