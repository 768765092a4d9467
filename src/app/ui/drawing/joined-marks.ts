import type { Mark, Point } from "#app/scene";

/** A mark as it is drawn: areas that look the same are one shape, and so are lines. */
export type DrawnMark = Exclude<Mark, { readonly kind: "path" }> | Areas | Lines;

/** Areas of one look that do not overlap. */
export type Areas = Omit<Extract<Mark, { readonly kind: "path" }>, "kind" | "points"> & {
  readonly kind: "areas";
  readonly areas: readonly (readonly Point[])[];
};

type Line = Extract<Mark, { readonly kind: "line" }>;

/** Lines of one look. */
export type Lines = Omit<Line, "kind" | "from" | "to"> & {
  readonly kind: "lines";
  readonly lines: readonly (readonly [Point, Point])[];
};

/**
 * Joins the areas of one look into one shape, and lines likewise; the shape stands where the first
 * of them stood. The blocks of a tensor lie beside each other, so their order does not matter, and
 * few shapes are redrawn sooner than many. Strips lie over blocks, and are joined apart from them.
 */
export function joinedMarks(marks: readonly Mark[]): readonly DrawnMark[] {
  const areas = new Map<string, Point[][]>();
  const lines = new Map<string, [Point, Point][]>();
  return marks.flatMap((mark): DrawnMark[] => {
    if (mark.kind === "line") return joinedLine(mark, lines);
    const points = pointsOf(mark);
    if (points === undefined) return [mark as Exclude<Mark, { kind: "path" }>];
    return joinedArea(mark, points, areas);
  });
}

function joinedArea(
  { role, hue, tint, step, isStrip, opacity }: Mark,
  points: readonly Point[],
  known: Map<string, Point[][]>,
): DrawnMark[] {
  const key = [role, hue, tint, step, isStrip, opacity].join(" ");
  const areas = known.get(key);
  if (areas !== undefined) {
    areas.push([...points]);
    return [];
  }
  const begun = [[...points]];
  known.set(key, begun);
  const look = {
    role,
    ...(hue !== undefined && { hue }),
    ...(tint !== undefined && { tint }),
    ...(step !== undefined && { step }),
    ...(isStrip && { isStrip }),
    ...(opacity !== undefined && { opacity }),
  };
  return [{ ...look, kind: "areas", areas: begun }];
}

function joinedLine(mark: Line, known: Map<string, [Point, Point][]>): DrawnMark[] {
  const { kind: _, from, to, ...look } = mark;
  const { role, hue, step, isStrip, opacity, thickness, dash } = look;
  const key = [role, hue, step, isStrip, opacity, thickness.toFixed(2), dash].join(" ");
  const lines = known.get(key);
  if (lines !== undefined) {
    lines.push([from, to]);
    return [];
  }
  const begun: [Point, Point][] = [[from, to]];
  known.set(key, begun);
  return [{ ...look, kind: "lines", lines: begun }];
}

/** The corners of areas that are joined: stripes, strips and the bars of rulers. */
function pointsOf(mark: Mark): readonly Point[] | undefined {
  if (mark.kind === "path") return mark.points;
  if (mark.kind !== "rect" || !/^(tint|texture|ruler)$/.test(mark.role)) return undefined;
  const { x, y, width, height } = mark;
  return [
    { x, y },
    { x: x + width, y },
    { x: x + width, y: y + height },
    { x, y: y + height },
  ];
}
