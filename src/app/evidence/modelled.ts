import { fieldOf } from "#core/records";
import modelled from "./data/modelled.json" with { type: "json" };
import { type MeasuredRow, measuredRows } from "./rows.ts";

/** A measured figure with the model's figure. */
export interface EvidenceRow extends MeasuredRow {
  /** `NaN` if the model has no figure. */
  readonly modelled: number;
}

/** The stored figures of the model by group and name; `null` is unknown. */
export type Modelled = Readonly<Record<string, Readonly<Record<string, number | null>>>>;

const kept: Modelled = modelled;

/** All measured rows, each with the model's figure. */
export function evidenceRows(figures: Modelled = kept): readonly EvidenceRow[] {
  return measuredRows().map((row) => ({
    ...row,
    modelled: fieldOf(fieldOf(figures, row.group), row.name) ?? Number.NaN,
  }));
}

/**
 * Seconds up to which a single operator's time is the host's launch rather than the kernel;
 * `nearLaunch` is the spread of hosts.
 */
const launched = 30e-6;
const nearLaunch = 6e-6;

/**
 * The model's error as a share of the measurement; `NaN` if the model has no figure. An operator
 * that takes no longer than its launch counts as right within the spread of hosts.
 */
function errorOf({ group, measured, modelled }: EvidenceRow): number {
  const isLaunch = group === "operators" && measured <= launched;
  if (isLaunch && Math.abs(modelled - measured) <= nearLaunch) return 0;
  return Math.abs(modelled / measured - 1);
}

/** The model's deviation from a group of measurements. */
export interface Held {
  /** Number of rows with a figure of the model, and without. */
  readonly count: number;
  readonly unknown: number;
  /** Median error, 90th percentile, and the largest error. */
  readonly median: number;
  readonly ninth: number;
  readonly worst: number;
}

/** Summary of the errors of rows; `NaN` without rows. */
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

/** The share of rows whose error is at most `most`; a row without a figure counts as outside. */
export function shareWithin(rows: readonly EvidenceRow[], most: number): number {
  return rows.filter((row) => errorOf(row) <= most).length / rows.length;
}
