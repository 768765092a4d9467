import type { Compiled } from "#compile";
import { type FoldedItem, foldedItems } from "./folded-items.ts";
import type { ModuleMetric } from "./module-figures.ts";

/** One step of a waterfall: the cost or saving of an item between two plans. */
export interface WaterfallStep {
  readonly key: string;
  readonly name: string;
  readonly before: number;
  readonly after: number;
  /** The range of the step's bar: each bar begins where the previous one ends. */
  readonly from: number;
  readonly to: number;
}

/** The steps from the figure of one plan to that of another. */
export interface Waterfall {
  readonly before: number;
  readonly after: number;
  /** The steps, largest change first; items without a change are left out. */
  readonly steps: readonly WaterfallStep[];
}

/** The relative change up to which two sums of the same numbers count as equal. */
const rounding = 1e-9;

/**
 * The costs and savings between two plans, item by item: the first bar begins at the figure of one
 * plan, the last ends at that of the other. `undefined` if a figure is unknown.
 *
 * @param most number of bars; the smaller items share the last one
 */
export function waterfallOf(
  before: Compiled,
  after: Compiled,
  metric: ModuleMetric,
  most = 12,
): Waterfall | undefined {
  const [start, end] = [totalOf(before, metric), totalOf(after, metric)];
  if (Number.isNaN(start) || Number.isNaN(end)) return undefined;
  const changes = changesOf(before, after, metric, rounding * Math.max(start, end));
  const shown = changes.length > most ? changes.slice(0, most - 1) : changes;
  const rest = changes.slice(shown.length);
  const all = rest.length === 0 ? shown : [...shown, restOf(rest)];
  const steps: WaterfallStep[] = [];
  for (const [at, change] of all.entries()) {
    const from = steps.at(-1)?.to ?? start;
    const to = at === all.length - 1 ? end : from + (change.after - change.before);
    steps.push({ ...change, from, to });
  }
  return { before: start, after: end, steps };
}

/** The total of a metric, as shown by the cost bar. */
function totalOf({ cost, memory }: Compiled, metric: ModuleMetric): number {
  if (metric === "memory") return memory.peakBytes;
  return metric === "bytes" ? cost.bytes : cost.seconds;
}

type Change = Pick<WaterfallStep, "key" | "name" | "before" | "after">;

function changesOf(
  before: Compiled,
  after: Compiled,
  metric: ModuleMetric,
  least: number,
): readonly Change[] {
  const rows = new Map<string, { item: FoldedItem; counts: Set<number> } & Sides>();
  for (const [side, compiled] of [["before", before] as const, ["after", after] as const]) {
    for (const item of foldedItems(compiled)) {
      const row = rows.get(item.key) ?? { item, counts: new Set(), before: 0, after: 0 };
      row.counts.add(item.count);
      row[side] += metric === "time" ? item.added : item.figures[metric];
      rows.set(item.key, row);
    }
  }
  return [...rows]
    .map(([key, { item, counts, ...sides }]) => ({ key, name: nameOf(item, counts), ...sides }))
    .filter((row) => Math.abs(row.after - row.before) > least)
    .sort((a, b) => Math.abs(b.after - b.before) - Math.abs(a.after - a.before));
}

function restOf(rest: readonly Change[]): Change {
  const sum = (side: "before" | "after") => rest.reduce((total, each) => total + each[side], 0);
  return {
    ...{ key: "rest", name: `${rest.length} smaller ones` },
    ...{ before: sum("before"), after: sum("after") },
  };
}

interface Sides {
  before: number;
  after: number;
}

/** The name of an item; with its count if both plans have the same count. */
function nameOf({ what, where, count }: FoldedItem, counts: ReadonlySet<number>): string {
  const many = count > 1 && counts.size === 1 ? ` ×${count}` : "";
  return `${what}${many}${where === "" ? "" : ` ${where}`}`;
}
