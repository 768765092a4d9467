import type { Rect } from "#app/scene";
import type { BoardRowBox } from "#app/scene/board";
import { sameItems } from "#core/records";

/** Row with all coordinates relative to its own upper edge. */
export interface PlacedRow {
  readonly top: number;
  readonly row: BoardRowBox;
}

/**
 * Rows to render, with the objects of `before` wherever the contents are equal: a row that only
 * moves with the rows above is not rendered again.
 */
export function placedRows(
  rows: readonly BoardRowBox[],
  before: readonly PlacedRow[],
): readonly PlacedRow[] {
  const known = new Map(before.map(({ row }) => [row.id, row]));
  return rows.map((row) => ({ top: row.y, row: keptRow(fromTop(row), known.get(row.id)) }));
}

function fromTop({ y: top, frames, pills, cards, ...row }: BoardRowBox): BoardRowBox {
  const at = <T extends Rect>(part: T): T => ({ ...part, y: part.y - top });
  return {
    ...{ ...row, y: 0, pills: pills.map(at) },
    frames: frames.map((frame) => ({
      ...at(frame),
      head: at(frame.head),
      texts: frame.texts.map(at),
    })),
    cards: cards.map((card) => ({
      ...at(card),
      texts: card.texts.map(at),
      ...(card.glyph !== undefined && { glyph: at(card.glyph) }),
    })),
  };
}

function keptRow(row: BoardRowBox, before: BoardRowBox | undefined): BoardRowBox {
  if (before === undefined) return row;
  const frames = keptParts(row.frames, before.frames);
  const pills = keptParts(row.pills, before.pills);
  const cards = keptParts(row.cards, before.cards);
  const isSame =
    row.height === before.height &&
    sameItems(frames, before.frames) &&
    sameItems(pills, before.pills) &&
    sameItems(cards, before.cards);
  return isSame ? before : { ...row, frames, pills, cards };
}

function keptParts<T extends { readonly id: string }>(
  parts: readonly T[],
  before: readonly T[],
): readonly T[] {
  return parts.map((part) => {
    const had = before.find(({ id }) => id === part.id);
    return had !== undefined && isEqual(part, had) ? had : part;
  });
}

/** Deep equality of plain values; layouts, which can be large, are compared by identity. */
function isEqual(a: unknown, b: unknown, key = ""): boolean {
  if (Object.is(a, b)) return true;
  if (key === "layout" || !isObject(a) || !isObject(b)) return false;
  const [ours, theirs] = [Object.entries(a), new Map(Object.entries(b))];
  return (
    ours.length === theirs.size &&
    ours.every(([name, value]) => theirs.has(name) && isEqual(value, theirs.get(name), name))
  );
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
