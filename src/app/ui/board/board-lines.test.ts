import { expect, test } from "vitest";
import type { BoardLine } from "#app/scene/board";
import { joinedLines } from "./BoardLines.tsx";

const down = [
  { x: 10, y: 0 },
  { x: 10, y: 20 },
];
const line = (kind: BoardLine["kind"], hasArrow = true): BoardLine => ({
  ...{ id: kind, kind, points: down, path: `M10 0L10 20`, hasArrow },
});

test("lines of one look are one path, and each arrow's head ends where its line does", () => {
  const lines = [line("flow"), line("weight"), line("skip"), line("update", false)];
  const { wide, thin, heads } = joinedLines(lines);
  expect([wide, thin].map((path) => path.match(/M/g)?.length)).toEqual([2, 2]);
  const tips = [...heads.matchAll(/M([\d.]+) ([\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)]);
  expect(tips).toHaveLength(3);
  for (const [x, y = 0] of tips) {
    expect(x).toBe(10);
    expect(Math.abs(y - 20)).toBeLessThan(1);
  }
});
