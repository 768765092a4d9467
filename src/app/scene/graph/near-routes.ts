import { append } from "#core/records";
import type { Point, Rect } from "../mark.ts";

/**
 * A trunk: several lines from one box that share a vertical segment, with its exit, its y range and
 * the turn-offs.
 */
interface Trunk {
  readonly key: string;
  readonly leaves: readonly Point[];
  readonly from: number;
  readonly to: number;
  readonly lines: readonly { readonly y: number; readonly entry: readonly Point[] }[];
}

/** Boxes and lines that are placed already. */
interface Taken {
  readonly boxes: readonly Rect[];
  readonly lines: readonly { readonly points: readonly Point[] }[];
}

/** Length (px) above which a trunk always runs in the lanes. */
const farthest = 8000;
/** Number of candidate x positions per trunk. */
const most = 40;
/** Clear distances (px) between a trunk and the boxes and lines it passes. */
const besideBox = 5;
const besideLine = 8;
/** Horizontal lines shorter than this (px) tie two boxes together; no trunk passes between them. */
const tie = 40;
/** Offsets (px) tried beside a trunk's exit and beside the entries of its lines. */
const steps = [0, -12, 12, -24, 24, -36, 36] as const;

/**
 * The x of every trunk that fits between the boxes, by its key: the candidate with the shortest
 * lines. A trunk crosses no box and coincides with no line; short trunks choose first.
 */
export function nearTrunks(trunks: readonly Trunk[], taken: Taken): ReadonlyMap<string, number> {
  const short = trunks
    .filter(({ from, to }) => to - from <= farthest)
    .toSorted((a, b) => a.to - a.from - (b.to - b.from));
  const places = new Map<string, number>();
  if (short.length === 0) return places;
  const room = new Room(taken);
  for (const { key, leaves, lines } of trunks) {
    for (const points of [leaves, ...lines.map(({ entry }) => entry)]) room.takeAll(points, key);
  }
  for (const trunk of short) {
    const x = candidatesOf(trunk, room).find((at) => room.isFree(segmentsOf(trunk, at), trunk.key));
    if (x === undefined) continue;
    places.set(trunk.key, x);
    for (const segment of segmentsOf(trunk, x)) room.take(segment, trunk.key);
  }
  return places;
}

/**
 * Candidate x positions of a trunk, shortest total line length first; x below 0 is reserved for the
 * lanes.
 */
function candidatesOf(trunk: Trunk, room: Room): readonly number[] {
  const ends = endsOf(trunk);
  const sides = room
    .boxesIn(trunk)
    .flatMap(({ x, width }) => [x - besideBox - 1, x + width + besideBox + 1]);
  const all = new Set([...ends.flatMap((x) => steps.map((step) => x + step)), ...sides]);
  const length = (x: number) => ends.reduce((sum, end) => sum + Math.abs(end - x), 0);
  return [...all]
    .filter((x) => x >= 0)
    .sort((a, b) => length(a) - length(b) || a - b)
    .slice(0, most);
}

/** The x of a trunk's exit and of the entries of its lines. */
function endsOf({ leaves, lines }: Trunk): readonly number[] {
  const ends = lines.map(({ entry }) => entry[0]?.x);
  return [leaves.at(-1)?.x, ...ends].filter((x) => x !== undefined);
}

/** The segments of a trunk that goes down at `x`, starting at the end of its exit. */
function segmentsOf({ leaves, from, to, lines }: Trunk, x: number): readonly Rect[] {
  const start = leaves.at(-1);
  const across = [
    ...(start === undefined ? [] : [between(start, { x, y: start.y })]),
    ...lines.flatMap(({ y, entry }) =>
      entry[0] === undefined ? [] : [between({ x, y }, entry[0])],
    ),
  ];
  return [{ x, y: from, width: 0, height: to - from }, ...across];
}

function between(a: Point, b: Point): Rect {
  const [x, y] = [Math.min(a.x, b.x), Math.min(a.y, b.y)];
  return { x, y, width: Math.abs(a.x - b.x), height: Math.abs(a.y - b.y) };
}

/** Height (px) of the bands by which boxes and lines are indexed. */
const bandHeight = 200;

/** Index of the occupied boxes and lines. */
class Room {
  private readonly boxes = new Map<number, Rect[]>();
  private readonly lines = new Map<number, Line[]>();

  constructor({ boxes, lines }: Taken) {
    for (const box of boxes) put(this.boxes, box);
    for (const { points } of lines) this.takeAll(points);
  }

  /** Adds the segments of a polyline; `key` names the trunk they belong to. */
  takeAll(points: readonly Point[], key?: string): void {
    for (const [at, point] of points.entries()) {
      const next = points[at + 1];
      if (next !== undefined) this.take(between(point, next), key);
    }
  }

  take(line: Rect, key?: string): void {
    put(this.lines, { ...line, key });
    if (line.width > 0 && line.width < tie) put(this.boxes, line);
  }

  boxesIn({ from, to }: { readonly from: number; readonly to: number }): readonly Rect[] {
    return found(this.boxes, from, to);
  }

  /** Whether a trunk's segments cross no box and run along no line of another trunk. */
  isFree(segments: readonly Rect[], key: string): boolean {
    return segments.every((segment) => {
      const { y, height } = segment;
      const isDown = height > 0;
      const wide = isDown ? besideBox : 0;
      return (
        found(this.boxes, y, y + height).every((box) => !overlap(segment, box, wide)) &&
        found(this.lines, y - besideLine, y + height + besideLine).every(
          (line) => line.key === key || !runsAlong(segment, line),
        )
      );
    });
  }
}

/** A line segment, and the key of its trunk, if any. */
type Line = Rect & { readonly key: string | undefined };

function put<Item extends Rect>(bands: Map<number, Item[]>, rect: Item): void {
  const last = Math.floor((rect.y + rect.height) / bandHeight);
  for (let band = Math.floor(rect.y / bandHeight); band <= last; band += 1) {
    append(bands, band, rect);
  }
}

function found<Item extends Rect>(
  bands: ReadonlyMap<number, readonly Item[]>,
  from: number,
  to: number,
): readonly Item[] {
  const rects: Item[] = [];
  const last = Math.floor(to / bandHeight);
  for (let band = Math.floor(from / bandHeight); band <= last; band += 1) {
    rects.push(...(bands.get(band) ?? []));
  }
  return rects;
}

/** Whether a line crosses a box widened by `wide` at both sides. */
function overlap(line: Rect, box: Rect, wide: number): boolean {
  const slack = 0.01;
  return (
    line.x + slack < box.x + box.width + wide &&
    box.x - wide + slack < line.x + line.width &&
    line.y + slack < box.y + box.height &&
    box.y + slack < line.y + line.height
  );
}

/** Whether two parallel segments overlap and are closer than the minimum distance. */
function runsAlong(a: Rect, b: Rect): boolean {
  if (a.height > 0 && b.height > 0) {
    return Math.abs(a.x - b.x) < besideLine && a.y < b.y + b.height && b.y < a.y + a.height;
  }
  if (a.width > 0 && b.width > 0) {
    return Math.abs(a.y - b.y) < besideLine / 2 && a.x < b.x + b.width && b.x < a.x + a.width;
  }
  return false;
}
