import type { BoardDetail } from "./board.ts";

/** Sizes (px) of a board that follow from its zoom; text sizes are fixed. */
export interface BoardMetrics {
  readonly detail: BoardDetail;
  readonly card: number;
  /** Between a card and the next, if no pill is between them. */
  readonly gap: number;
  readonly pill: number;
  /** Between a card and a pill above or below it. */
  readonly pillEdge: number;
  /** Between lines of pills. */
  readonly pillGap: number;
  /** Above the first and below the last card of a frame. */
  readonly frame: number;
  /** Above a frame, for its name. */
  readonly head: number;
  readonly glyph: { readonly width: number; readonly height: number };
}

/**
 * Least zooms at which a card shows everything, its name and glyph, or its name; at lower zooms
 * only modules are shown.
 */
const detailFrom = { all: 0.75, glyph: 0.5, name: 0.35 } as const;

/**
 * Least distance (px) between the middles of two rows, a target size for fingers and unsteady hands
 * (WCAG 2.5.8).
 */
const leastPitch = 24;

/** Least height (px) of a card at low zoom; its texts still have space around them. */
const leastCard = 18;

export function metricsAt(zoom: number): BoardMetrics {
  const at = (size: number, least: number) => Math.max(least, Math.round(size * zoom));
  const isClose = zoom < detailFrom.all;
  const card = isClose ? leastCard : at(23, 20);
  const gap = isClose ? at(7, 2) : Math.max(leastPitch - card, at(7, 2));
  return {
    detail: detailAt(zoom),
    ...{ card, gap, pill: 18, pillEdge: isClose ? 3 : 5, pillGap: isClose ? 3 : 6 },
    ...{ frame: at(8, 4), head: isClose ? 16 : 20 },
    glyph: { width: 20, height: Math.min(15, card - 5) },
  };
}

function detailAt(zoom: number): BoardDetail {
  if (zoom >= detailFrom.all) return "all";
  if (zoom >= detailFrom.glyph) return "glyph";
  return zoom >= detailFrom.name ? "name" : "module";
}

/** Horizontal interval of a column. */
export interface Span {
  readonly left: number;
  readonly right: number;
}

/** The columns of a board from left to right. */
export interface BoardColumns {
  readonly width: number;
  readonly weights: Span;
  readonly cards: Span;
  /** Lanes of lines that bypass rows: the x of the first lane, and the step to the next. */
  readonly lanes: Span & { readonly step: number };
  readonly gradients?: Span;
  readonly updates?: Span;
}

interface Wanted {
  readonly width: number;
  readonly lanes: number;
  /** Depth of nested frames beside the cards. */
  readonly depth: number;
  readonly hasGradients: boolean;
  readonly hasUpdates: boolean;
  /**
   * Whether weights are gathered for their rows, which needs room for pills; else the weight column
   * has glyphs only.
   */
  readonly hasGathers: boolean;
}

const margin = 10;
/** Pixels between a frame around cards and the next frame inside it. */
export const frameStep = 5;

function between(least: number, size: number, most: number): number {
  return Math.round(Math.min(most, Math.max(least, size)));
}

/**
 * Distributes the width of a board among its columns; cards get the rest, up to their usable width.
 */
export function boardColumns(wanted: Wanted): BoardColumns {
  const { width, lanes, depth, hasGradients, hasUpdates, hasGathers } = wanted;
  const inset = frameStep * Math.max(1, depth) + 3;
  const step = lanes <= 4 ? 6 : between(2, 64 / lanes, 5);
  const laneRoom = inset + 8 + Math.max(0, lanes - 1) * step + 6;
  const share = hasGradients ? 0.19 : 0.22;
  const weights = hasGathers ? between(84, width * share, 150) : 84;
  const gradients = hasGradients ? between(96, width * 0.18, 200) : 0;
  const updates = hasUpdates ? between(84, width * 0.135, 120) : 0;
  const aside =
    weights +
    gradients +
    updates +
    laneRoom +
    inset +
    2 * margin +
    (hasGradients ? 8 : 0) +
    (hasUpdates ? 18 : 0);
  const cards = between(150, width - aside, hasGradients ? 440 : 560);
  const used = aside + cards;
  const left = margin + Math.max(0, Math.floor((width - used) / 2));
  const cardLeft = left + weights + inset;
  const cardRight = cardLeft + cards;
  const laneFrom = cardRight + inset + 5;
  const gradientLeft = cardRight + laneRoom + 6;
  const updateLeft = gradientLeft + gradients + 18;
  return {
    width: Math.max(width, used),
    weights: { left, right: left + weights },
    cards: { left: cardLeft, right: cardRight },
    lanes: { left: laneFrom, right: cardRight + laneRoom, step },
    ...(hasGradients && { gradients: { left: gradientLeft, right: gradientLeft + gradients } }),
    ...(hasUpdates && { updates: { left: updateLeft, right: updateLeft + updates } }),
  };
}
