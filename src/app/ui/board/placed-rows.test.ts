import { expect, test } from "vitest";
import { boardLayout } from "#app/scene/board";
import { compile } from "#compile";
import { placedRows } from "./placed-rows.ts";

const view = { open: new Set<string>(), runs: new Map<string, string>(), zoom: 1 };

function rowsOf(strategies: string) {
  const text = `mesh = Mesh(dp=2, mp=2)
x = Tensor((16, 16), "bf16")
a = matmul(x, Parameter((16, 16), "bf16"))
b = matmul(a, Parameter((16, 16), "bf16"))
c = matmul(b, Parameter((16, 16), "bf16"))
${strategies}`;
  const layout = boardLayout(compile(text), 600, { ...view, showsViews: false, forwardOnly: true });
  return layout.rows;
}

test("places count from the edge of the row, and add up to those of the board", () => {
  const rows = rowsOf('strategy(a, m="dp")\nstrategy(b, k="mp")\n');
  const placed = placedRows(rows, []);
  expect(placed.length).toBeGreaterThan(3);
  for (const [at, { top, row }] of placed.entries()) {
    const cards = row.cards.map((card) => [
      card.id,
      card.y + top,
      card.glyph && card.glyph.y + top,
    ]);
    expect(cards).toEqual(rows[at]?.cards.map(({ id, y, glyph }) => [id, y, glyph?.y]));
    const texts = row.cards.flatMap((card) => card.texts.map(({ y }) => y + top));
    expect(texts).toEqual(rows[at]?.cards.flatMap((card) => card.texts.map(({ y }) => y)));
    expect(row.pills.map(({ y }) => y + top)).toEqual(rows[at]?.pills.map(({ y }) => y));
  }
});

test("what says the same stays the same object, though it moved; what differs does not", () => {
  const before = placedRows(rowsOf('strategy(a, m="dp")\n'), []);
  const again = placedRows(rowsOf('strategy(a, m="dp")\n'), before);
  const isCard = (id: string) => (card: { readonly id: string }) => card.id === id;
  // Another compilation has other layout objects, so only cards without a glyph are kept.
  const plain = before.flatMap(({ row }) => row.cards.filter(({ glyph }) => glyph === undefined));
  for (const card of plain) {
    const now = again.flatMap(({ row }) => row.cards).find(isCard(card.id));
    expect(now).toBe(card);
  }
  const rows = rowsOf('strategy(a, m="dp")\n');
  const first = placedRows(rows, []);
  const moved = rows.map((row) => shifted(row, 40));
  for (const [at, { top, row }] of placedRows(moved, first).entries()) {
    expect(row).toBe(first[at]?.row);
    expect(top).toBe((first[at]?.top ?? 0) + 40);
  }
  const [one] = moved;
  const other = moved.map((row) =>
    row === one ? { ...row, cards: row.cards.map((card) => ({ ...card, said: "other" })) } : row,
  );
  const changed = placedRows(other, first);
  expect(changed[0]?.row).not.toBe(first[0]?.row);
  expect(changed[0]?.row.cards[0]?.said).toBe("other");
  expect(changed.slice(1).every(({ row }, at) => row === first[at + 1]?.row)).toBe(true);
});

type Row = ReturnType<typeof rowsOf>[number];

function shifted(row: Row, by: number): Row {
  const at = <T extends { readonly y: number }>(part: T): T => ({ ...part, y: part.y + by });
  return {
    ...at(row),
    pills: row.pills.map(at),
    frames: row.frames.map((each) => ({
      ...at(each),
      head: at(each.head),
      texts: each.texts.map(at),
    })),
    cards: row.cards.map((each) => ({
      ...at(each),
      texts: each.texts.map(at),
      ...(each.glyph && { glyph: at(each.glyph) }),
    })),
  };
}
