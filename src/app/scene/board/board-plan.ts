import { groupedBy } from "#core/records";
import type { BoardView } from "./board.ts";
import { type BoardColumns, type BoardMetrics, boardColumns, metricsAt } from "./board-columns.ts";
import type { BoardFacts, Send } from "./board-facts.ts";
import { type BoardRows, boardRows, type RowFrame } from "./board-rows.ts";
import { type BoardTree, boardTree } from "./board-tree.ts";
import { boardWires, type RowWire } from "./board-wires.ts";
import { type PillGroup, pillLines, pillsPerLine } from "./pill-lines.ts";
import { type BoardWeights, weightSends } from "./weight-sends.ts";

/** Vertical position of a row. */
export interface RowPlace {
  readonly y: number;
  readonly height: number;
  /** Top of the pills above the row. */
  readonly gapTop: number;
}

/** Vertical position of a frame, with the strip of its name on top. */
export interface FramePlace {
  readonly frame: RowFrame;
  readonly headTop: number;
  readonly top: number;
  readonly bottom: number;
  /** Greatest number of frames between this one and the cards. */
  readonly inner: number;
}

/** A board with the vertical positions of its rows, before texts are placed. */
export interface BoardPlan {
  readonly facts: BoardFacts;
  readonly tree: BoardTree;
  readonly placed: BoardRows;
  readonly view: BoardView;
  readonly metrics: BoardMetrics;
  readonly columns: BoardColumns;
  readonly wires: readonly RowWire[];
  readonly rows: readonly RowPlace[];
  readonly frames: readonly FramePlace[];
  /** The pills above each row in the forward column; the last entry is below the last row. */
  readonly pills: GapPills;
  /** The pills of gradients in the same gaps. */
  readonly gradientPills: GapPills;
  readonly weights: BoardWeights;
  readonly height: number;
  readonly hasGradients: boolean;
  readonly hasUpdates: boolean;
}

/** Lines of pills by gap, from top to bottom. */
export type GapPills = readonly (readonly (readonly PillGroup[])[])[];

/** Height (px) of the strip above the first row, for the names of the columns. */
export const headRoom = 26;
/** Space (px) below the last row. */
const foot = 14;

/** Stacks the rows of a board from top to bottom. */
export function boardPlan(facts: BoardFacts, width: number, view: BoardView): BoardPlan {
  const tree = boardTree(facts, view.runs, view.showsViews);
  const placed = boardRows(facts, tree, view.open);
  const metrics = metricsAt(view.zoom);
  const { wires, lanes } = boardWires(facts, tree, placed);
  const hasGradients = !view.forwardOnly && facts.gradients.size > 0;
  const hasUpdates = hasGradients && facts.updates.length > 0;
  const depth = placed.frames.reduce((most, frame) => Math.max(most, frame.depth), 0);
  const weights = weightSends(placed, hasUpdates);
  const hasGathers = weights.gathers.size > 0 || view.hasGathersBeside === true;
  const columns = boardColumns({ width, lanes, depth, hasGradients, hasUpdates, hasGathers });
  const { pills, gradientPills } = pillsByGap(placed, width, hasGradients);
  const made = { facts, tree, placed, view, metrics, columns, wires, hasGradients, hasUpdates };
  return {
    ...made,
    ...{ pills, gradientPills, weights },
    ...standRows(placed, metrics, pills, gradientPills),
  };
}

/** The height of the rows of a tree, as a function of the zoom. */
export function boardHeights(
  facts: BoardFacts,
  tree: BoardTree,
  width: number,
  view: Pick<BoardView, "open" | "forwardOnly">,
): (zoom: number) => number {
  const placed = boardRows(facts, tree, view.open);
  const hasGradients = !view.forwardOnly && facts.gradients.size > 0;
  const { pills, gradientPills } = pillsByGap(placed, width, hasGradients);
  const { updates } = weightSends(placed, hasGradients && facts.updates.length > 0);
  return (zoom) => {
    const { height, rows } = standRows(placed, metricsAt(zoom), pills, gradientPills);
    return Math.max(height, updatesEnd(facts, updates, rows));
  };
}

/** The height of the whole board. */
export function planHeight({ facts, weights, rows, height }: BoardPlan): number {
  return Math.max(height, updatesEnd(facts, weights.updates, rows));
}

/** Height of an update card, the gap between cards, and the space below the last, in pixels. */
export const updateCard = { height: 52, gap: 8, foot: 12 } as const;

/** Lower end of the update cards, which are below all their pills; 0 if there are no updates. */
function updatesEnd(
  { updates: operators }: BoardFacts,
  updates: BoardWeights["updates"],
  rows: readonly RowPlace[],
): number {
  const place = rows[Math.max(-1, ...updates.keys())];
  if (place === undefined) return 0;
  const kinds = new Set(operators.map(({ op }) => op)).size;
  const lowest = place.y + place.height / 2 + 9;
  return (
    lowest + 14 + kinds * (updateCard.height + updateCard.gap) - updateCard.gap + updateCard.foot
  );
}

function pillsByGap({ rows, sends, below }: BoardRows, width: number, hasGradients: boolean) {
  const forward: Send[][] = Array.from({ length: rows.length + 1 }, () => []);
  const rising: Send[][] = Array.from({ length: rows.length + 1 }, () => []);
  for (const [row, list] of sends) {
    for (const send of list) {
      if (send.lane === "forward") forward[send.isBehind ? row + 1 : row]?.push(send);
    }
  }
  for (const [row, list] of hasGradients ? below : []) rising[row + 1]?.push(...list);
  const perLine = pillsPerLine(leastCards(width, hasGradients));
  return {
    pills: forward.map((gap) => pillLines(gap, perLine)),
    gradientPills: rising.map((gap) => pillLines(gap, 1)),
  };
}

/**
 * Estimated least width of the cards column for the number of pills per line, independent of the
 * lanes in use.
 */
function leastCards(width: number, hasGradients: boolean): number {
  const usual = { width, lanes: 4, depth: 2, hasGradients, hasUpdates: hasGradients };
  const { left, right } = boardColumns({ ...usual, hasGathers: true }).cards;
  return right - left;
}

type Stood = Pick<BoardPlan, "rows" | "frames" | "height">;

function standRows(
  { rows, frames }: BoardRows,
  metrics: BoardMetrics,
  pills: GapPills,
  gradientPills: GapPills,
): Stood {
  const starts = groupedBy(frames, ({ first }) => first);
  const ends = groupedBy(frames, ({ last }) => last);
  const heads = new Map<RowFrame, { headTop: number; top: number }>();
  const places: RowPlace[] = [];
  const framePlaces: FramePlace[] = [];
  let y = headRoom;
  for (const at of rows.keys()) {
    const gapTop = y;
    const lines = Math.max(pills[at]?.length ?? 0, gradientPills[at]?.length ?? 0);
    y += lines === 0 ? (at === 0 ? 0 : metrics.gap) : pillsHeight(metrics, lines);
    for (const frame of starts.get(at) ?? []) {
      heads.set(frame, { headTop: y, top: y + metrics.head / (frame.depth === 0 ? 2 : 1) });
      y += metrics.head + metrics.frame;
    }
    places.push({ y, height: metrics.card, gapTop });
    y += metrics.card;
    for (const frame of (ends.get(at) ?? []).toReversed()) {
      y += metrics.frame;
      const head = heads.get(frame);
      if (head !== undefined) framePlaces.push({ frame, ...head, bottom: y, inner: 0 });
    }
  }
  const lines = Math.max(pills.at(-1)?.length ?? 0, gradientPills.at(-1)?.length ?? 0);
  y += (lines === 0 ? 0 : pillsHeight(metrics, lines)) + foot;
  return { rows: places, frames: withInner(framePlaces), height: y };
}

/** The distance between two rows with a number of lines of pills between them. */
function pillsHeight({ pill, pillGap, pillEdge }: BoardMetrics, lines: number): number {
  return 2 * pillEdge + lines * (pill + pillGap) - pillGap;
}

/** Sets the distance of frames from the cards: the number of frames nested inside each. */
function withInner(frames: readonly FramePlace[]): readonly FramePlace[] {
  const inner = new Map<RowFrame, number>();
  for (const { frame } of frames.toSorted((a, b) => b.frame.depth - a.frame.depth)) {
    const inside = frames.filter(
      (other) =>
        other.frame.depth > frame.depth &&
        other.frame.first >= frame.first &&
        other.frame.last <= frame.last,
    );
    inner.set(frame, Math.max(-1, ...inside.map((each) => inner.get(each.frame) ?? 0)) + 1);
  }
  return frames
    .map((place) => ({ ...place, inner: inner.get(place.frame) ?? 0 }))
    .sort((a, b) => a.frame.depth - b.frame.depth || a.top - b.top);
}

/** The top of a line of pills in a gap. */
export function pillTop({ rows, height, metrics }: BoardPlan, gap: number, line: number): number {
  const place = rows[gap];
  const last = rows.at(-1);
  const top = place?.gapTop ?? (last === undefined ? height : last.y + last.height + metrics.frame);
  return top + metrics.pillEdge + line * (metrics.pill + metrics.pillGap);
}
