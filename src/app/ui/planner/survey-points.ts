import type { PlanCost, Planned, SurveyRow } from "#app/engine";
import { formatBytes } from "#app/scene/text";
import type { SurveyKind, SurveyStatus } from "#app/state/planning";

/** Plan of a survey, as a mark of the plot and a row of the table. */
export interface SurveyPoint extends PlanCost {
  readonly key: string;
  readonly kind: SurveyKind;
  /** Text that was planned. */
  readonly of: string;
  /** Label of the point: its mesh, or its memory limit. */
  readonly name: string;
  readonly row: SurveyRow;
  readonly planned: Planned;
}

/**
 * Plans of a survey, in the order of arrival. Of memory limits that give the same plan only the
 * tightest is kept.
 */
export function pointsOf(kind: SurveyKind, { of, rows }: SurveyStatus): readonly SurveyPoint[] {
  const points = allPoints(kind, of, rows);
  if (kind === "meshes") return points;
  const keyOf = ({ seconds, bytes }: PlanCost) => `${seconds} ${bytes}`;
  return points.filter(
    (point, at) => !points.slice(at + 1).some((later) => keyOf(later) === keyOf(point)),
  );
}

function allPoints(
  kind: SurveyKind,
  of: string,
  rows: readonly SurveyRow[],
): readonly SurveyPoint[] {
  return rows.flatMap((row) => {
    const { answer } = row;
    if (answer.kind !== "planned") return [];
    const { seconds, bytes } = answer;
    const name = kind === "meshes" ? meshText(row) : limitText(row);
    return [{ key: `${kind} ${name}`, kind, of, name, row, planned: answer, seconds, bytes }];
  });
}

/** Mesh axes as text, such as `dp=2, tp=4`; sizes alone if the axes have no names. */
export function meshText({ axes }: SurveyRow): string {
  return axes.map(({ name, size }) => (name === "" ? size : `${name}=${size}`)).join(", ");
}

function limitText({ limit }: SurveyRow): string {
  return limit === undefined ? "No limit" : `Within ${formatBytes(limit)}`;
}

/**
 * Pareto front of the plans in time and memory, the leanest first. Of equal plans the first is
 * kept.
 */
export function frontierOf<Each extends PlanCost>(points: readonly Each[]): readonly Each[] {
  const ordered = [...points].sort((a, b) => a.bytes - b.bytes || a.seconds - b.seconds);
  let best = Number.POSITIVE_INFINITY;
  return ordered.filter(({ seconds }) => {
    const isBetter = seconds < best;
    if (isBetter) best = seconds;
    return isBetter;
  });
}

/** Column by which a table is sorted. */
export type SortKey = "name" | "seconds" | "bytes" | "gap";

/** Most plans in a table: the fastest. */
const mostRows = 10;

/** Fastest plans, sorted by a column. */
export function bestRows(
  points: readonly SurveyPoint[],
  by: (point: SurveyPoint) => number | string,
  isDescending: boolean,
): readonly SurveyPoint[] {
  const best = [...points].sort((a, b) => a.seconds - b.seconds).slice(0, mostRows);
  const compare = (a: SurveyPoint, b: SurveyPoint) => {
    const [x, y] = [by(a), by(b)];
    if (typeof x === "string" || typeof y === "string") {
      return String(x).localeCompare(String(y), "en", { numeric: true });
    }
    return x - y;
  };
  return best.sort((a, b) => (isDescending ? compare(b, a) : compare(a, b)));
}

/** Plans at one place of the plot, drawn as one mark. */
export interface Spot<Each> {
  readonly x: number;
  readonly y: number;
  /** Plan that a press applies, then the others at the same place. */
  readonly points: readonly [Each, ...Each[]];
}

/** Plans grouped by their places in the plot, rounded to pixels. */
export function spotsOf<Each>(
  points: readonly Each[],
  place: (point: Each) => { readonly x: number; readonly y: number },
): readonly Spot<Each>[] {
  const spots = new Map<string, { x: number; y: number; points: [Each, ...Each[]] }>();
  for (const point of points) {
    const { x, y } = place(point);
    const key = `${Math.round(x)} ${Math.round(y)}`;
    const known = spots.get(key);
    if (known === undefined) spots.set(key, { x, y, points: [point] });
    else known.points.push(point);
  }
  return [...spots.values()];
}
