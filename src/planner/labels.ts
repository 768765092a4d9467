import { jointClasses, viewOf } from "./classes.ts";
import type { Bucket, Solved } from "./elimination.ts";
import type { Found } from "./found.ts";
import { type Network, weighed } from "./network.ts";
import { outsideOf } from "./outside.ts";
import type { Table, ValueTable } from "./table.ts";

/** The known bound and plan from which a search under a memory limit starts. */
export interface Bounded {
  readonly limit: number;
  /** The best plan known, which fits. */
  readonly incumbent: Found;
  /** Price per byte for which the bound was found, and the elimination at that price. */
  readonly perByte: number;
  readonly solved: Solved;
}

/** Partial plan: its weight, the value of one unknown, and its smaller parts. */
interface Label {
  readonly seconds: number;
  readonly bytes: number;
  readonly unknown: number;
  readonly value: number;
  readonly parts: readonly Label[];
}

/** Number of labels after which the search gives up and states its gap. */
const labelLimit = 1_000_000;

/** The most entries of all eliminations for this search, since labels cannot share equal parts. */
const entryLimit = 20_000_000;

/**
 * The cheapest plan within a memory limit, by labels (seconds, bytes) along the elimination order.
 * A label is dropped when another is no worse in both, or when the bound of the rest shows that it
 * cannot lead to a better plan than the incumbent (planner.md §4.5). Exact; with too many labels
 * the result is the incumbent with the known bound.
 */
export function labelled(network: Network, bounded: Bounded): Found {
  const { incumbent, solved } = bounded;
  if (entriesOf(solved, network) > entryLimit) return incumbent;
  const labels = new Labels(network, bounded);
  const last = labels.run();
  if (last === undefined) return incumbent;
  const [best] = last
    .filter(({ bytes }) => bytes <= bounded.limit * (1 + 1e-12))
    .sort((a, b) => a.seconds - b.seconds || a.bytes - b.bytes);
  if (best === undefined || best.seconds >= incumbent.seconds) {
    return { ...incumbent, bound: incumbent.seconds };
  }
  const plan = new Array<number>(network.unknowns.length).fill(0);
  const visit = (label: Label): void => {
    if (label.unknown >= 0) plan[label.unknown] = label.value;
    label.parts.forEach(visit);
  };
  visit(best);
  const weight = weighed(network, plan);
  // Tables may contain lower bounds of redistribution times; the plan then takes longer, or holds
  // more, than they state.
  const isPriced = best.seconds >= weight.seconds * (1 - 1e-12);
  const fits = weight.bytes <= bounded.limit * (1 + 1e-12);
  const bound = isPriced && fits ? weight.seconds : best.seconds;
  return fits && weight.seconds < incumbent.seconds
    ? { plan, ...weight, bound }
    : { ...incumbent, bound: Math.min(bound, incumbent.seconds) };
}

function entriesOf({ buckets }: Solved, { unknowns }: Network): number {
  let entries = 0;
  for (const { variable, message } of buckets) {
    entries += message.cost.length * (unknowns[variable]?.seconds.length ?? 1);
  }
  return entries;
}

class Labels {
  private readonly network: Network;
  private readonly bounded: Bounded;
  private readonly outside: ReadonlyMap<Bucket, Float64Array>;
  private readonly originals: ReadonlyMap<number, ValueTable>;
  private readonly made = new Map<Table, readonly (readonly Label[])[]>();
  private count = 0;

  constructor(network: Network, bounded: Bounded) {
    this.network = network;
    this.bounded = bounded;
    this.outside = outsideOf(bounded.solved.buckets, network.unknowns);
    this.originals = new Map(network.tables.map((table) => [table.key, table]));
  }

  /** The labels of whole plans; `undefined` if there are too many labels. */
  run(): readonly Label[] | undefined {
    let whole: readonly Label[] = [nothing];
    for (const bucket of this.bounded.solved.buckets) {
      const lists = this.visit(bucket);
      if (lists === undefined) return undefined;
      if (bucket.left === undefined) whole = this.joined(whole, lists[0] ?? []);
      else this.made.set(bucket.left, lists);
    }
    return whole;
  }

  /** The labels of two unconnected parts of the program together. */
  private joined(a: readonly Label[], b: readonly Label[]): readonly Label[] {
    return leastOf(a.flatMap((one) => b.map((other) => together(one, other))));
  }

  private visit(bucket: Bucket): readonly (readonly Label[])[] | undefined {
    const { variable, scope, tables, message } = bucket;
    const { unknowns } = this.network;
    const sizeOf = (at: number) => unknowns[at]?.seconds.length ?? 1;
    const joints = scope.map((at) => jointClasses(at, sizeOf(at), tables));
    const own = {
      map: Int32Array.from({ length: sizeOf(variable) }, (_, at) => at),
      count: sizeOf(variable),
      first: Array.from({ length: sizeOf(variable) }, (_, at) => at),
    };
    const views = tables.map((table) => ({
      table,
      view: viewOf(table, variable, scope, own, joints),
    }));
    const outside = this.outside.get(bucket);
    const lists: (readonly Label[])[] = [];
    for (let at = 0; at < message.cost.length; at += 1) {
      const bases = digitsOf(at, message.dims);
      const found: Label[] = [];
      for (let value = 0; value < own.count; value += 1) {
        const parts = views.map(({ table, view }) => {
          const other = view.others.reduce((sum, each, n) => sum + (each?.[bases[n] ?? 0] ?? 0), 0);
          return this.labelsAt(table, other + (view.own[value] ?? 0));
        });
        const start: Label = {
          seconds: unknowns[variable]?.seconds[value] ?? 0,
          bytes: 0,
          unknown: variable,
          value,
          parts: [],
        };
        found.push(...this.combined(start, parts, outside?.[at] ?? 0));
      }
      if (this.count > labelLimit) return undefined;
      lists.push(leastOf(found));
    }
    return lists;
  }

  private combined(
    start: Label,
    parts: readonly (readonly Label[])[],
    outside: number,
  ): readonly Label[] {
    let labels: readonly Label[] = [start];
    for (const part of parts) {
      this.count += labels.length * part.length;
      if (this.count > labelLimit) return [];
      labels = labels.flatMap((one) => part.map((other) => extended(one, other)));
      if (labels.length > 64) labels = leastOf(labels);
    }
    return labels.filter((label) => this.canImprove(label, outside));
  }

  /** Whether the bound leaves room for something better than the incumbent. */
  private canImprove({ seconds, bytes }: Label, outside: number): boolean {
    const { perByte, limit, incumbent } = this.bounded;
    if (bytes > limit * (1 + 1e-12)) return false;
    const least = seconds + perByte * (bytes - limit) + outside;
    return least < incumbent.seconds * (1 - 1e-12);
  }

  private labelsAt(table: Table, at: number): readonly Label[] {
    const made = this.made.get(table);
    if (made !== undefined) return made[at] ?? [];
    const own = this.originals.get(table.key);
    const seconds = own?.seconds[at] ?? Number.POSITIVE_INFINITY;
    if (!Number.isFinite(seconds)) return [];
    return [{ seconds, bytes: own?.bytes[at] ?? 0, unknown: -1, value: 0, parts: [] }];
  }
}

const nothing: Label = { seconds: 0, bytes: 0, unknown: -1, value: 0, parts: [] };

function extended(label: Label, part: Label): Label {
  const parts = part.unknown < 0 && part.parts.length === 0 ? label.parts : [...label.parts, part];
  const { unknown, value } = label;
  return {
    seconds: label.seconds + part.seconds,
    bytes: label.bytes + part.bytes,
    unknown,
    value,
    parts,
  };
}

function together(a: Label, b: Label): Label {
  return extended(extended(nothing, a), b);
}

/**
 * Labels that no other one equals or beats in both seconds and bytes, by bytes; of equal ones the
 * first.
 */
function leastOf(labels: readonly Label[]): readonly Label[] {
  const sorted = [...labels].sort((a, b) => a.bytes - b.bytes || a.seconds - b.seconds);
  let least = Number.POSITIVE_INFINITY;
  return sorted.filter(({ seconds }) => {
    if (seconds >= least) return false;
    least = seconds;
    return true;
  });
}

/**
 * The place of an entry along each dim of a message, the last dim fastest.
 *
 * @internal
 */
export function digitsOf(at: number, dims: readonly number[]): readonly number[] {
  const digits: number[] = [];
  let rest = at;
  for (let n = dims.length - 1; n >= 0; n -= 1) {
    digits[n] = rest % (dims[n] ?? 1);
    rest = Math.floor(rest / (dims[n] ?? 1));
  }
  return digits;
}
