import { badgesByIndex } from "../graph/redistribution-badge.ts";
import { formatBytes, formatSeconds } from "../text/numbers.ts";
import type { BoardPill } from "./board.ts";
import type { Span } from "./board-columns.ts";
import type { Send } from "./board-facts.ts";
import { exposedShare } from "./board-figures.ts";
import { type BoardPlan, type GapPills, pillTop } from "./board-plan.ts";
import { fittedPill } from "./board-texts.ts";

/** The pills above a row, those beside it, and those of its gradients. */
export function pillsAtRow(plan: BoardPlan, row: number): readonly BoardPill[] {
  const { columns, pills, gradientPills, weights, rows, metrics } = plan;
  const between = linesOf(plan, pills[row] ?? [], middleOf(columns.cards), row);
  const { gradients } = columns;
  const rising =
    gradients === undefined ? [] : linesOf(plan, gradientPills[row] ?? [], gradients, row);
  const place = rows[row];
  if (place === undefined) return [...between, ...rising];
  const y = place.y + (place.height - metrics.pill) / 2;
  const { weights: column, updates } = columns;
  const gathers = weights.gathers.get(row) ?? [];
  const left = column.left + (metrics.detail === "name" ? 0 : weightGlyph + 6);
  const beside = merged(plan, gathers, { left, right: column.right - 6, y });
  const updated =
    updates === undefined ? [] : merged(plan, weights.updates.get(row) ?? [], { ...updates, y });
  return [...between, ...rising, ...beside, ...updated];
}

/** Width (px) of a weight's glyph. */
export const weightGlyph = 26;

function middleOf({ left, right }: Span): Span {
  return { left: left + 4, right: right - 4 };
}

/** Lines of pills; each line is centred in its column. */
function linesOf(
  plan: BoardPlan,
  lines: GapPills[number],
  { left, right }: Span,
  row: number,
): readonly BoardPill[] {
  const isShort = lines.length > 1 || (lines[0]?.length ?? 0) > 1;
  return lines.flatMap((groups, line) => {
    const room = (right - left - sideGap * (groups.length - 1)) / groups.length;
    const y = pillTop(plan, row, line);
    return groups.map(({ first, others }, at) => {
      const start = Math.round(left + at * (room + sideGap));
      const place = { left: start, right: Math.floor(start + room), y };
      return pillOf(plan, first, place, { align: "centre", others, isShort });
    });
  });
}

/** Between pills side by side, in pixels. */
const sideGap = 4;

/** The redistributions of one row's weights, merged into one pill with the steps of the largest. */
function merged(plan: BoardPlan, sends: readonly Send[], place: Place): readonly BoardPill[] {
  const [first, ...others] = sends;
  if (first === undefined) return [];
  const align = first.lane === "update" ? "start" : "end";
  return [pillOf(plan, first, place, { align, others, isShort: true })];
}

interface Place extends Span {
  readonly y: number;
}

interface PillStyle {
  readonly align: "centre" | "start" | "end";
  readonly others: readonly Send[];
  readonly isShort: boolean;
}

function pillOf(plan: BoardPlan, send: Send, place: Place, style: PillStyle): BoardPill {
  const { facts, metrics } = plan;
  const { redistribution, lane } = send;
  const { index, tensor } = redistribution;
  const { align, others, isShort } = style;
  const steps = badgesByIndex(facts.compiled)(index)?.steps ?? [];
  const exposed = exposedOf(facts, [send, ...others]);
  const hasSwatch = exposed !== undefined && exposed > 0;
  const room = place.right - place.left;
  const numbers = numbersOf(facts, [send, ...others], isShort || lane !== "forward");
  const fit = fittedPill({ steps, numbers, hasSwatch }, room, isShort || lane !== "forward");
  const width = Math.min(fit.width, room);
  const aside = align === "start" ? 0 : align === "end" ? room - width : (room - width) / 2;
  return {
    ...{ kind: "pill", id: `redist-${index}`, lane, redistribution: index, tensor },
    ...{ steps: fit.steps, hasWords: fit.hasWords, numbers: fit.numbers },
    ...{ x: Math.round(place.left + aside), y: place.y, width, height: metrics.pill },
    ...(exposed !== undefined && { exposed }),
    others: others.map((each) => each.redistribution.index),
  };
}

/** Texts of total bytes, time and count, longest first; the bytes are dropped last. */
function numbersOf(
  facts: BoardPlan["facts"],
  sends: readonly Send[],
  isShort: boolean,
): readonly string[] {
  const { bytes, seconds } = totalsOf(facts, sends);
  const count = sends.length === 1 ? "" : ` ×${sends.length}`;
  const size = formatBytes(bytes);
  const whole = bytes === 0 || isShort ? [] : [`${size} · ${formatSeconds(seconds)}${count}`];
  return [...whole, `${size}${count}`, size, ...(count === "" ? [] : [count.trim()])];
}

/** Total bytes and seconds of several redistributions. */
export function totalsOf({ figures }: BoardPlan["facts"], sends: readonly Send[]) {
  const bytes = sends.reduce((sum, { redistribution }) => sum + redistribution.bytes, 0);
  const seconds = sends.reduce(
    (sum, { redistribution: { index, seconds: own } }) =>
      sum + (figures.sends.get(index)?.seconds ?? own),
    0,
  );
  return { bytes, seconds };
}

/** The exposed share of the time of several redistributions, 0 to 1; `undefined` if unknown. */
export function exposedOf(
  { figures }: BoardPlan["facts"],
  sends: readonly Send[],
): number | undefined {
  const shares = sends.map(({ redistribution: { index } }) => exposedShare(figures, index));
  if (shares.some((share) => share === undefined)) return undefined;
  const times = sends.map(({ redistribution: { index } }) => figures.sends.get(index));
  const all = times.reduce((sum, each) => sum + (each?.seconds ?? 0), 0);
  const waits = times.reduce((sum, each) => sum + (each?.exposed ?? 0), 0);
  return all <= 0 ? 0 : Math.min(1, waits / all);
}
