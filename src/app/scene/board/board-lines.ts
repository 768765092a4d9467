import { roundedPath } from "../graph/polyline.ts";
import type { Point } from "../mark.ts";
import type { BoardCard, BoardLine, BoardPill } from "./board.ts";
import type { BoardPlan } from "./board-plan.ts";
import type { RowWire } from "./board-wires.ts";

/** The placed cards and pills of the board, the ends of its lines. */
export interface Standing {
  readonly cards: readonly BoardCard[];
  readonly pills: readonly BoardPill[];
  readonly updateTop: number | undefined;
}

function line(
  id: string,
  kind: BoardLine["kind"],
  points: readonly Point[],
  hasArrow = true,
): BoardLine {
  return { id, kind, points, path: roundedPath(points), hasArrow };
}

/** All lines of a board. */
export function boardLines(plan: BoardPlan, standing: Standing): readonly BoardLine[] {
  return [
    ...plan.wires.flatMap((wire) => flowLines(plan, wire)),
    ...gradientLines(plan, standing),
    ...weightLines(plan, standing),
    ...updateLines(plan, standing),
  ];
}

/** A value's lines: straight down to the next row, or past other rows in a lane at the right. */
function flowLines(
  { columns, rows }: BoardPlan,
  { from, to, lane }: RowWire,
): readonly BoardLine[] {
  const start = rows[from];
  if (start === undefined) return [];
  const { left, right } = columns.cards;
  const middle = Math.round((left + right) / 2);
  if (lane === undefined) {
    const end = rows[from + 1];
    if (end === undefined) return [];
    const points = [
      { x: middle, y: start.y + start.height },
      { x: middle, y: end.y },
    ];
    return [line(`flow-${from}`, "flow", points)];
  }
  const x = Math.min(columns.lanes.left + lane * columns.lanes.step, columns.lanes.right - 4);
  const leaves = start.y + Math.round(start.height * 0.7);
  return to.flatMap((row, at) => {
    const end = rows[row];
    if (end === undefined) return [];
    const enters = end.y + Math.round(end.height * 0.35);
    // All readers share one line: each further reader adds only the continuation.
    const before = rows[to[at - 1] ?? -1];
    const points = [
      ...(before === undefined
        ? [
            { x: right, y: leaves },
            { x, y: leaves },
          ]
        : [{ x, y: before.y + Math.round(before.height * 0.35) - 6 }]),
      { x, y: enters },
      { x: right, y: enters },
    ];
    return [line(`skip-${from}-${row}`, "skip", points)];
  });
}

/** Gradients rise along the same edges; the gradient of the loss starts beside the loss. */
function gradientLines(
  { columns, rows, wires }: BoardPlan,
  { cards }: Standing,
): readonly BoardLine[] {
  const { gradients } = columns;
  if (gradients === undefined) return [];
  const atY = new Map(cards.flatMap((card) => (card.kind === "gradient" ? [[card.y, card]] : [])));
  const has = (row: number) => atY.has(rows[row]?.y ?? Number.NaN);
  const x = Math.round((gradients.left + gradients.right) / 2);
  const rising = wires.flatMap(({ from, lane }) => {
    const [upper, lower] = [rows[from], rows[from + 1]];
    if (lane !== undefined || !has(from) || !has(from + 1)) return [];
    if (upper === undefined || lower === undefined) return [];
    const points = [
      { x, y: lower.y },
      { x, y: upper.y + upper.height },
    ];
    return [line(`gradient-${from}`, "gradient", points)];
  });
  const last = rows.findLastIndex((_, row) => has(row));
  const place = rows[last];
  if (place === undefined) return rising;
  const y = Math.round(place.y + place.height / 2);
  const seed = [
    { x: columns.cards.right, y },
    { x: gradients.left, y },
  ];
  return [...rising, line("seed", "gradient", seed)];
}

/**
 * From a weight to the card that reads it, behind its pill; a weight read in several rows has a
 * line in each.
 */
function weightLines({ columns, rows }: BoardPlan, { cards }: Standing): readonly BoardLine[] {
  return cards.flatMap((card) => {
    if (card.kind !== "weight" || card.glyph === undefined) return [];
    const y = Math.round(card.y + card.height / 2);
    const points = [
      { x: card.x + card.width + 1, y },
      { x: columns.cards.left, y },
    ];
    return [line(`weight-${card.id}-${rowAt(rows, card.y)}`, "weight", points)];
  });
}

/** Gradients of weights join one line down to the optimizer. */
function updateLines(
  { columns, rows }: BoardPlan,
  { cards, pills, updateTop }: Standing,
): readonly BoardLine[] {
  const { gradients, updates } = columns;
  if (gradients === undefined || updates === undefined || updateTop === undefined) return [];
  const weighted = new Set(
    cards.flatMap(({ kind, y }) => (kind === "weight" ? [rowAt(rows, y)] : [])),
  );
  const sent = pills.filter(({ lane }) => lane === "update");
  const bus = Math.round(updates.left + (updates.right - updates.left) / 2);
  const joined = cards.flatMap((card): readonly BoardLine[] => {
    if (card.kind !== "gradient" || !weighted.has(rowAt(rows, card.y))) return [];
    const y = Math.round(card.y + card.height / 2);
    const pill = sent.find((each) => Math.abs(each.y + each.height / 2 - y) < 2);
    const points = [
      { x: gradients.right, y },
      { x: pill?.x ?? bus, y },
    ];
    return [line(`update-${card.id}`, "update", points, false)];
  });
  const [first] = joined;
  const top = first?.points[0]?.y;
  if (top === undefined) return joined;
  const down = [
    { x: bus, y: top },
    { x: bus, y: updateTop },
  ];
  return [...joined, line("updates", "update", down)];
}

/** The row at a height by binary search; -1 if there is none. */
function rowAt(rows: BoardPlan["rows"], y: number): number {
  let [low, high] = [0, rows.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const row = rows[middle];
    if (row === undefined) break;
    if (y < row.y - 2) high = middle - 1;
    else if (y > row.y + row.height) low = middle + 1;
    else return middle;
  }
  return -1;
}
