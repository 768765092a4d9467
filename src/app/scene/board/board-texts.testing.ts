import type { Rect } from "../mark.ts";
import type { BoardLayout } from "./board.ts";
import { segmentsText } from "./board-texts.ts";

/** The box and words of a text or pill on the board. */
export interface Read extends Rect {
  readonly text: string;
}

/** All texts and pills of a board. */
function readsOf({ heads, rows }: BoardLayout): readonly Read[] {
  const texts = [
    ...heads,
    ...rows.flatMap((row) => [...row.frames, ...row.cards].flatMap((each) => each.texts)),
  ].map((text) => ({ ...text, text: segmentsText(text.segments) }));
  const pills = rows.flatMap((row) =>
    row.pills.map((pill) => ({ ...pill, text: `pill ${pill.redistribution}` })),
  );
  return [...texts, ...pills];
}

/** Pairs of texts that overlap. */
export function overlaps(layout: BoardLayout): readonly string[] {
  const reads = readsOf(layout).toSorted((a, b) => a.y - b.y);
  return reads.flatMap((read, at) => {
    const found: string[] = [];
    for (const other of reads.slice(at + 1)) {
      if (other.y >= read.y + read.height - 4) break;
      const isBeside = other.x >= read.x + read.width || read.x >= other.x + other.width;
      if (!isBeside) found.push(`${read.text} / ${other.text}`);
    }
    return found;
  });
}

/** Texts and pills that extend beyond their card or frame. */
export function outside({ rows, width }: BoardLayout): readonly string[] {
  return rows.flatMap(({ cards, pills }) => [
    ...cards.flatMap((card) =>
      card.texts.flatMap((text) =>
        text.x < card.x - 1 || text.x + text.width > card.x + card.width + 1
          ? [segmentsText(text.segments)]
          : [],
      ),
    ),
    ...pills.flatMap((pill) =>
      pill.x < 0 || pill.x + pill.width > width ? [`pill ${pill.redistribution}`] : [],
    ),
  ]);
}

/**
 * Least target size (px): smaller targets need this much space around their middle (WCAG 2.5.8).
 */
const leastTarget = 24;

/** Pairs of small targets too close to be hit reliably by a finger. */
export function crowded({ rows }: BoardLayout): readonly string[] {
  const targets = rows.flatMap(({ frames, pills, cards }) => [
    ...frames.map(({ id, head }) => ({ ...head, id })),
    ...[...pills, ...cards].map(({ id, x, y, width, height }) => ({ id, x, y, width, height })),
  ]);
  const small = targets
    .filter(({ width, height }) => Math.min(width, height) < leastTarget)
    .map(({ id, x, y, width, height }) => ({ id, x: x + width / 2, y: y + height / 2 }))
    .sort((a, b) => a.y - b.y);
  return small.flatMap((one, at) => {
    const found: string[] = [];
    for (const other of small.slice(at + 1)) {
      if (other.y - one.y >= leastTarget) break;
      const far = Math.hypot(one.x - other.x, one.y - other.y);
      if (far < leastTarget) found.push(`${one.id} / ${other.id}: ${far.toFixed(1)}`);
    }
    return found;
  });
}
