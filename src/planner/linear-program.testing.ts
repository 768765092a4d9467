import { digitsOf } from "./labels.ts";
import type { Network } from "./network.ts";
import type { ValueTable } from "./table.ts";

/** A variable between 0 and 1: its cost, and its coefficients by row. */
export interface Column {
  readonly cost: number;
  readonly isInteger: boolean;
  readonly entries: readonly (readonly [row: number, value: number])[];
}

/** A linear program: least cost under linear constraints. */
export interface LinearProgram {
  readonly columns: readonly Column[];
  readonly rows: readonly { readonly least: number; readonly most: number }[];
  /** The columns of every unknown: one per choice, in order. */
  readonly choices: readonly { readonly first: number; readonly count: number }[];
}

/** The most columns that the program of a network can have. */
export function columnLimitOf({ unknowns, tables }: Network): number {
  const choices = unknowns.reduce((sum, { seconds }) => sum + seconds.length, 0);
  return tables.reduce((sum, { seconds }) => sum + seconds.length, choices);
}

/**
 * A network as a mixed-integer program over the local polytope (planner.md §4.9): a 0-1 variable
 * per choice of an unknown, exactly one of which is taken; a variable per finite entry of a table,
 * whose sums over each class of each unknown are those of its choices; a row of memory in parts of
 * the limit.
 */
export function programOf(network: Network, limit?: number): LinearProgram {
  const writer = new Writer(limit);
  const choices = network.unknowns.map((unknown) => writer.unknown(unknown.seconds));
  for (const table of network.tables) writer.table(table, choices);
  return { columns: writer.columns, rows: writer.rows, choices };
}

type Choices = LinearProgram["choices"][number];

class Writer {
  readonly columns: { cost: number; isInteger: boolean; entries: [number, number][] }[] = [];
  readonly rows: { least: number; most: number }[] = [];
  private readonly limit: number | undefined;

  constructor(limit: number | undefined) {
    this.limit = limit;
    if (limit !== undefined) this.rows.push({ least: Number.NEGATIVE_INFINITY, most: 1 });
  }

  /** An unknown, of which exactly one choice is taken. */
  unknown(seconds: Float64Array): Choices {
    const row = this.rows.push({ least: 1, most: 1 }) - 1;
    const first = this.columns.length;
    for (const cost of seconds) this.columns.push({ cost, isInteger: true, entries: [[row, 1]] });
    return { first, count: seconds.length };
  }

  table({ scope, maps, dims, seconds, bytes }: ValueTable, choices: readonly Choices[]): void {
    const sums = dims.map((count, at) => this.sums(count, choices[scope[at] ?? -1], maps[at]));
    for (const [entry, cost] of seconds.entries()) {
      if (!Number.isFinite(cost)) continue;
      const entries = digitsOf(entry, dims).map((digit, at): [number, number] => {
        return [(sums[at] ?? 0) + digit, 1];
      });
      // A table over no unknown has one entry, which counts in any case.
      if (dims.length === 0) entries.push([this.rows.push({ least: 1, most: 1 }) - 1, 1]);
      const part = this.limit === undefined ? 0 : (bytes[entry] ?? 0) / this.limit;
      if (part !== 0) entries.unshift([0, part]);
      this.columns.push({ cost, isInteger: false, entries });
    }
  }

  /**
   * Adds rows that make the entries of each class add up to the choices of that class; returns the
   * first row.
   */
  private sums(count: number, own: Choices | undefined, map: Int32Array | undefined): number {
    const first = this.rows.length;
    for (let at = 0; at < count; at += 1) this.rows.push({ least: 0, most: 0 });
    for (let at = 0; at < (own?.count ?? 0); at += 1) {
      const row = first + (map?.[at] ?? 0);
      this.columns[(own?.first ?? 0) + at]?.entries.push([row, -1]);
    }
    return first;
  }
}
