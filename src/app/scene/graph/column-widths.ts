import type { TensorId } from "#core/ir";
import type { Arrangement } from "./arrangement.ts";
import type { CanvasRows } from "./canvas-rows.ts";
import { canvasSizes } from "./canvas-sizes.ts";
import { flowKey } from "./flow.ts";
import type { LeftStack } from "./left-stacks.ts";

/**
 * Horizontal distance (px) from the middle of a card, where its line runs, to the nearest glyph
 * above or below it.
 */
const besideLine = 8;
/** Distance (px) between the lines of several glyphs of a card. */
export const glyphLineStep = 6;
/** Distance (px) between lines that enter a card from above. */
export const entryStep = 12;
/** Clear distance (px) between the contents of neighbouring columns. */
export const clearance = 12;
const betweenCards = 18;
/** Width (px) that the head of an open block needs left of the first column's line. */
const leastHead = 200;

/** Right edge (x) of the glyph stack above or below a card, for `count` glyphs. */
export function glyphEnd(middle: number, count: number): number {
  return middle - besideLine - glyphLineStep * count;
}

interface Widths {
  readonly rows: CanvasRows;
  readonly stackWidth: (stack: LeftStack) => number;
  readonly tensorWidth: (tensor: TensorId) => number;
  readonly badgeWidth: (badge: number, isShort: boolean) => number;
  readonly hasRuns: boolean;
}

interface Single {
  readonly cardX: number;
  readonly leftEnd: number;
  readonly leftWidth: number;
}

/**
 * Spaces card columns by the widths of the glyphs and badges above and below the cards; the
 * leftmost edge is at x = 0. A single column stays unchanged.
 */
export function columnWidths(single: Single, arrangement: Arrangement, widths: Widths) {
  const { columnCount } = arrangement.ranking;
  const first = single.cardX + canvasSizes.card.width / 2;
  if (columnCount === 1) return { pitch: 0, middleOf: () => first, shiftOf: () => 0 };
  const glyphs = glyphsAbreast(widths);
  const pitch = pitchOf(arrangement, glyphs, widths);
  const reaches = [
    ...glyphs.map(({ row, width }) => arrangement.ranking.columnOf(row) * pitch - width),
    ...arrangement.ranking.ranks.flatMap((rows, rank) =>
      rows.map((row) => {
        const half = arrangement.abreast.has(rank) ? canvasSizes.abreast : canvasSizes.card.width;
        return arrangement.ranking.columnOf(row) * pitch - half / 2;
      }),
    ),
    ...widths.rows.left.map(
      ({ row }) =>
        arrangement.ranking.columnOf(row) * pitch + single.leftEnd - single.leftWidth - first,
    ),
    ...(widths.rows.top === undefined
      ? []
      : [arrangement.ranking.main * pitch - canvasSizes.end.width / 2]),
    ...(widths.rows.arrivals.some(({ item }) => item.badge !== undefined) ? [-first] : []),
    ...widths.rows.entryBadges.map(
      ({ item: { badge, card } }) =>
        arrangement.ranking.columnOf(card) * pitch - widths.badgeWidth(badge, false),
    ),
    ...widths.rows.badges.map(({ item, column, isNarrow }) => {
      const full = widths.badgeWidth(item, false);
      const isShort = isNarrow && full > pitch - clearance;
      return column * pitch - (isShort ? widths.badgeWidth(item, true) : full) / 2;
    }),
    ...(widths.hasRuns ? [-leastHead] : []),
  ];
  const left = reaches.reduce((least, reach) => Math.min(least, reach), 0);
  const middleOf = (column: number) => column * pitch - left;
  return { pitch, middleOf, shiftOf: (column: number) => middleOf(column) - first };
}

interface GlyphAbreast {
  readonly row: number;
  /** Distance to the left of its card's line that the glyph reaches. */
  readonly width: number;
}

function glyphsAbreast({ rows, stackWidth, tensorWidth }: Widths): readonly GlyphAbreast[] {
  const above = stacksByRow(rows.above, stackWidth);
  const below = countsByRow(rows.below);
  const reach = (count: number, width: number) => width - glyphEnd(0, count);
  return [
    ...[...above].map(([row, { width, count, leaving }]) => ({
      row,
      width: reach(count, width) + leaving * glyphLineStep,
    })),
    ...rows.below.map(({ item, row }) => ({
      row,
      width: reach(below.get(row) ?? 1, tensorWidth(item)),
    })),
  ];
}

/**
 * The glyphs above one card: the greatest width, their count, and the number of lines that may
 * leave.
 */
interface StackAbove {
  readonly width: number;
  readonly count: number;
  readonly leaving: number;
}

/** The glyph stack above each card, by row. */
export function stacksByRow(
  above: CanvasRows["above"],
  stackWidth: (stack: LeftStack) => number,
): ReadonlyMap<number, StackAbove> {
  const stacks = new Map<number, StackAbove>();
  for (const { item, row } of above) {
    const { width, count, leaving } = stacks.get(row) ?? { width: 0, count: 0, leaving: 0 };
    stacks.set(row, {
      width: Math.max(width, stackWidth(item)),
      count: count + 1,
      leaving: leaving + 1 + item.under.length,
    });
  }
  return stacks;
}

/** Number of items per row. */
export function countsByRow(all: readonly { readonly row: number }[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const { row } of all) counts.set(row, (counts.get(row) ?? 0) + 1);
  return counts;
}

function pitchOf(
  { gaps, abreast }: Arrangement,
  glyphs: readonly GlyphAbreast[],
  { badgeWidth }: Widths,
): number {
  const entries = gaps.flatMap(({ hops, arrivals, entryBadges }, rank) => {
    if (!abreast.has(rank)) return [];
    const badgeCards = new Map(entryBadges.map(({ into, card }) => [into, `card ${card}`]));
    const counts = new Map<string, number>();
    const cards = [
      ...hops.map((hop) => badgeCards.get(hop) ?? flowKey(hop.to)),
      ...arrivals.flatMap(({ card }) => (card === undefined ? [] : [`card ${card}`])),
    ];
    for (const card of cards) counts.set(card, (counts.get(card) ?? 0) + 1);
    return [...counts.values()];
  });
  const ports = entries.reduce((most, count) => Math.max(most, count), 0) * entryStep;
  const glyph = glyphs.reduce((most, { width }) => Math.max(most, width), 0);
  const badges = gaps.flatMap(({ chains }) =>
    chains.length < 2
      ? []
      : chains.flatMap(({ items }) =>
          items.map((item) => (item.kind === "badge" ? badgeWidth(item.redistribution, true) : 0)),
        ),
  );
  const badge = badges.reduce((most, width) => Math.max(most, width), 0);
  const widest = gaps
    .flatMap(({ entryBadges }) => entryBadges.map((each) => badgeWidth(each.badge, true)))
    .reduce((most, width) => Math.max(most, width), 0);
  return Math.max(
    canvasSizes.abreast + betweenCards,
    glyph + ports + clearance,
    badge + clearance,
    widest === 0 ? 0 : 2 * widest + ports + clearance,
  );
}
