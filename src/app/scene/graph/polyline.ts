import type { Point } from "../mark.ts";

const cornerRadius = 8;

/** SVG path of an orthogonal polyline with rounded corners; collinear points are merged. */
export function roundedPath(points: readonly Point[]): string {
  const corners = withoutStraight(points);
  const [first] = corners;
  if (first === undefined) return "";
  const parts = corners.slice(1).map((point, at) => {
    const [before, next] = [corners[at] ?? point, corners[at + 2]];
    if (next === undefined) return `L${text(point)}`;
    const radius = Math.min(cornerRadius, distance(before, point) / 2, distance(point, next) / 2);
    const [into, out] = [towards(point, before, radius), towards(point, next, radius)];
    return `L${text(into)}Q${text(point)} ${text(out)}`;
  });
  return `M${text(first)}${parts.join("")}`;
}

/** The same polyline without repeated points and points in the middle of a straight run. */
export function withoutStraight(points: readonly Point[]): readonly Point[] {
  const kept: Point[] = [];
  for (const point of points) {
    const last = kept.at(-1);
    if (last !== undefined && last.x === point.x && last.y === point.y) continue;
    const before = kept.at(-2);
    const isRun =
      last !== undefined &&
      before !== undefined &&
      ((before.x === last.x && last.x === point.x) || (before.y === last.y && last.y === point.y));
    if (isRun) kept.pop();
    kept.push(point);
  }
  return kept;
}

function towards(from: Point, to: Point, length: number): Point {
  const whole = distance(from, to);
  if (whole === 0) return from;
  return {
    x: from.x + ((to.x - from.x) * length) / whole,
    y: from.y + ((to.y - from.y) * length) / whole,
  };
}

function distance(a: Point, b: Point): number {
  return Math.abs(a.x - b.x) + Math.abs(a.y - b.y);
}

function text({ x, y }: Point): string {
  return `${Math.round(x * 10) / 10} ${Math.round(y * 10) / 10}`;
}
