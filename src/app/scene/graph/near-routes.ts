import { append } from "#core/records";
import type { Point, Rect } from "../mark.ts";

/** A trunk of lines: where it leaves its box, how far it goes down, and where its lines turn off. */
interface Trunk {
  readonly key: string;
  readonly leaves: readonly Point[];
  readonly from: number;
  readonly to: number;
  readonly lines: readonly { readonly y: number; readonly entry: readonly Point[] }[];
}

/** What has its place already. */
interface Taken {
  readonly boxes: readonly Rect[];
  readonly lines: readonly { readonly points: readonly Point[] }[];
}

/** Trunks that go farther than this down the page run through the lanes, in CSS pixels. */
const farthest = 8000;
/** How many places are tried for one trunk. */
const most = 40;
/** Left free between a trunk and what it passes. */
const besideBox = 5;
const besideLine = 8;
/** A line across that is shorter ties two things together: nothing passes between them. */
const tie = 40;
/** Tried beside where a trunk leaves and where its lines enter, in CSS pixels. */
const steps = [0, -12, 12, -24, 24, -36, 36] as const;

/**
 * The x of every trunk for which there is room between the boxes, by its key: the one with the
 * shortest lines. It runs over no box and on no line; short trunks choose first.
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

/** Where a trunk may go down, the shortest way first; what is left of 0 belongs to the lanes. */
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

/** The x where a trunk leaves its box and those where its lines end. */
function endsOf({ leaves, lines }: Trunk): readonly number[] {
  const ends = lines.map(({ entry }) => entry[0]?.x);
  return [leaves.at(-1)?.x, ...ends].filter((x) => x !== undefined);
}

/** A trunk's own lines if it goes down at `x`, from where it leaves the way out of its box. */
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

/** Boxes and lines are looked up by bands of the page, each as high as this, in CSS pixels. */
const bandHeight = 200;

/** What is taken of the page. */
class Room {
  private readonly boxes = new Map<number, Rect[]>();
  private readonly lines = new Map<number, Line[]>();

  constructor({ boxes, lines }: Taken) {
    for (const box of boxes) put(this.boxes, box);
    for (const { points } of lines) this.takeAll(points);
  }

  /** Takes the lines along points, of the trunk of a key. */
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

  /** Whether lines of a trunk cross no box and run along no line of another. */
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

/** A stretch of a line, and the trunk that it belongs to, if any. */
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

/** Whether a line goes through a box, or down nearer beside it than `wide`. */
function overlap(line: Rect, box: Rect, wide: number): boolean {
  const slack = 0.01;
  return (
    line.x + slack < box.x + box.width + wide &&
    box.x - wide + slack < line.x + line.width &&
    line.y + slack < box.y + box.height &&
    box.y + slack < line.y + line.height
  );
}

/** Whether two parallel lines run closer to each other than allowed. */
function runsAlong(a: Rect, b: Rect): boolean {
  if (a.height > 0 && b.height > 0) {
    return Math.abs(a.x - b.x) < besideLine && a.y < b.y + b.height && b.y < a.y + a.height;
  }
  if (a.width > 0 && b.width > 0) {
    return Math.abs(a.y - b.y) < besideLine / 2 && a.x < b.x + b.width && b.x < a.x + a.width;
  }
  return false;
}
