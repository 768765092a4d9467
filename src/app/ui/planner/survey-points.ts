import type { Planned, SurveyRow, Taken } from "#app/engine";
import { formatBytes } from "#app/scene/text";
import type { SurveyKind, SurveyStatus } from "#app/state/planning";

/** A plan of a survey, as a mark of the drawing and as a row of the table. */
export interface SurveyPoint extends Taken {
  readonly key: string;
  readonly kind: SurveyKind;
  /** The text that was planned. */
  readonly of: string;
  /** The name of the point among the others: its mesh, or its memory limit. */
  readonly name: string;
  readonly row: SurveyRow;
  readonly planned: Planned;
}

/**
 * The plans of a survey in the order of their arrival. Of several limits with the same plan, only
 * the tightest counts.
 */
export function pointsOf(kind: SurveyKind, { of, rows }: SurveyStatus): readonly SurveyPoint[] {
  const points = allPoints(kind, of, rows);
  if (kind === "meshes") return points;
  const keyOf = ({ seconds, bytes }: Taken) => `${seconds} ${bytes}`;
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

/** The axes of a mesh in words: `dp=2, tp=4`; the lengths alone where they have no names. */
export function meshText({ axes }: SurveyRow): string {
  return axes.map(({ name, size }) => (name === "" ? size : `${name}=${size}`)).join(", ");
}

function limitText({ limit }: SurveyRow): string {
  return limit === undefined ? "No limit" : `Within ${formatBytes(limit)}`;
}

/**
 * The plans that no other beats in both time and memory, the leanest first; of equal plans the
 * first.
 */
export function frontierOf<Each extends Taken>(points: readonly Each[]): readonly Each[] {
  const ordered = [...points].sort((a, b) => a.bytes - b.bytes || a.seconds - b.seconds);
  let best = Number.POSITIVE_INFINITY;
  return ordered.filter(({ seconds }) => {
    const isBetter = seconds < best;
    if (isBetter) best = seconds;
    return isBetter;
  });
}

/** The column by which the rows of a table are sorted. */
export type SortKey = "name" | "seconds" | "bytes" | "gap";

/** The most plans of the table. */
const mostRows = 10;

/** The fastest plans, ordered by a column. */
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

/** Plans at one place of the drawing, which share a mark. */
export interface Spot<Each> {
  readonly x: number;
  readonly y: number;
  /** The plan that a press applies, then those with the same time and memory. */
  readonly points: readonly [Each, ...Each[]];
}

/** The places of the drawing that have plans; places that look the same are merged. */
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
