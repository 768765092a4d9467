import { fieldOf } from "#core/records";
import modelled from "./data/modelled.json" with { type: "json" };
import { type MeasuredRow, measuredRows } from "./rows.ts";

/** A measured figure beside the model's. */
export interface EvidenceRow extends MeasuredRow {
  /** `NaN` where the model does not know it. */
  readonly modelled: number;
}

/** The model's figures as they are kept, by group and name: `null` is not known. */
export type Modelled = Readonly<Record<string, Readonly<Record<string, number | null>>>>;

const kept: Modelled = modelled;

/** Every measured row with the model's figure. */
export function evidenceRows(figures: Modelled = kept): readonly EvidenceRow[] {
  return measuredRows().map((row) => ({
    ...row,
    modelled: fieldOf(fieldOf(figures, row.group), row.name) ?? Number.NaN,
  }));
}

/** Seconds up to which an operator alone is the host's launch and not the kernel. */
const launched = 30e-6;
const nearLaunch = 6e-6;

/**
 * The model's error as a share of the measurement; `NaN` where the model has no figure. An operator
 * that takes no longer than its launch counts as right within the spread of hosts.
 */
function errorOf({ group, measured, modelled }: EvidenceRow): number {
  const isLaunch = group === "operators" && measured <= launched;
  if (isLaunch && Math.abs(modelled - measured) <= nearLaunch) return 0;
  return Math.abs(modelled / measured - 1);
}

/** The model's distance from a group of measurements. */
export interface Held {
  /** Rows that the model prices, and those that it does not. */
  readonly count: number;
  readonly unknown: number;
  /** The middle error, that of nine rows in ten, and the largest. */
  readonly median: number;
  readonly ninth: number;
  readonly worst: number;
}

/** The errors of rows in a few figures; `NaN` where there is no row. */
export function heldOf(rows: readonly EvidenceRow[]): Held {
  const errors = rows
    .map(errorOf)
    .filter((error) => !Number.isNaN(error))
    .sort((a, b) => a - b);
  const at = (share: number) => errors[Math.ceil(share * errors.length) - 1] ?? Number.NaN;
  const middle = (at(0.5) + (errors[Math.floor(errors.length / 2)] ?? Number.NaN)) / 2;
  return {
    count: errors.length,
    unknown: rows.length - errors.length,
    median: middle,
    ninth: at(0.9),
    worst: at(1),
  };
}

/** The share of rows whose error is at most `most`; a row without a figure is never within. */
export function shareWithin(rows: readonly EvidenceRow[], most: number): number {
  return rows.filter((row) => errorOf(row) <= most).length / rows.length;
}
