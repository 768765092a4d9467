import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { examples } from "#app/examples";
import { compile } from "#compile";
import { boardLayout } from "../board/board-layout.ts";
import type { Rect } from "../mark.ts";
import { boardMarks } from "./board-marks.ts";
import { planDifference } from "./plan-difference.ts";

const view = { open: new Set<string>(), runs: new Map<string, string>(), showsViews: false };

/** Marks of a program with whole weights against a baseline that gathers its weights. */
function goneAt(width: number, zoom: number) {
  const text = examples.find(({ name }) => name === "fsdp")?.program ?? "";
  const [before, now] = [compile(text), compile(text.replace(", zero=3", ""))];
  const layout = boardLayout(now, width, { ...view, zoom, forwardOnly: false });
  const { marks } = boardMarks(now, layout, planDifference(before, now));
  return { layout, gone: marks.filter(({ kind }) => kind === "gone") };
}

test.each([
  [1, 500],
  [0.75, 680],
  [1, 1000],
])("what a weight no longer sends is told beside it, at %d in %d px", (zoom, width) => {
  const { layout, gone } = goneAt(width, zoom);
  const cards = layout.rows.flatMap((row) => row.cards);
  const weights = new Set(cards.flatMap(({ id, kind }) => (kind === "weight" ? [id] : [])));
  const ofWeights = gone.filter(({ id }) => weights.has(id.replace("gone-", "")));
  expect(ofWeights.length).toBeGreaterThan(0);
  for (const mark of ofWeights) {
    const over = cards.filter(
      ({ kind, x, y, width: wide, height }) =>
        kind === "operator" &&
        mark.x < x + wide &&
        x < mark.x + mark.width &&
        mark.y < y + height &&
        y < mark.y + mark.height,
    );
    expect(over, mark.id).toEqual([]);
    expect(mark.x).toBeGreaterThanOrEqual(0);
  }
});

const gpt = readFileSync("e2e/texts/gpt-24.py", "utf8");
const gathered = `${gpt}strategy("blocks[*].mlp.*", a=("dp", "tp"))
strategy("blocks[*].ln*", a=("dp", "tp"))
`;

const overlaps = (a: Rect, b: Rect) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

test.each([
  [1, 680],
  [0.88, 680],
  [0.75, 834],
  [0.75, 680],
])("what is gone covers no words and no other such mark, at %d in %d px", (zoom, width) => {
  const [before, now] = [compile(gathered), compile(`${gpt}strategy("wte", a="dp")\n`)];
  const layout = boardLayout(now, width, { ...view, zoom, forwardOnly: false });
  const { marks } = boardMarks(now, layout, planDifference(before, now));
  const gone = marks.filter(({ kind }) => kind === "gone");
  expect(gone.length).toBeGreaterThan(1);
  // Letters are 12 px high, vertically centred in their box.
  const letters = layout.rows
    .flatMap((row) => [...row.cards, ...row.frames].flatMap(({ texts }) => texts))
    .map(({ x, width: wide, y, height }) => ({
      x,
      y: y + height / 2 - 6,
      width: wide,
      height: 12,
    }));
  for (const [at, mark] of gone.entries()) {
    expect(
      letters.filter((each) => overlaps(mark, each)),
      mark.id,
    ).toEqual([]);
    expect(
      gone.slice(at + 1).filter((each) => overlaps(mark, each)),
      mark.id,
    ).toEqual([]);
  }
});
