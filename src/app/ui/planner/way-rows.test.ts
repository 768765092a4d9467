import { expect, test } from "vitest";
import type { Planned, SplitOption } from "#app/engine";
import { wayRows } from "./way-rows.ts";

function way(
  text: string,
  compute: number,
  communication: number,
  more: Partial<Planned> = {},
): SplitOption {
  const seconds = compute + communication;
  const answer: Planned = {
    ...{ kind: "planned", before: 9, bound: seconds, model: "", seconds, bytes: 2 },
    ...{
      computeSeconds: compute,
      communicationSeconds: communication,
      hiddenSeconds: 0,
      limit: "device",
      held: [],
    },
    ...{ changes: [], patterns: [], sentences: [], pins: [], notes: [], sizes: [] },
    ...more,
  };
  return { text, isNow: false, answer };
}

const none: SplitOption = {
  ...{ text: "none", isNow: false },
  answer: { kind: "infeasible", message: "too large", leastBytes: 9 },
};

test("ways are sorted by time, then by bytes, and each says what decides", () => {
  const rows = wayRows({
    ways: [
      none,
      way("more is sent", 1, 3),
      way("more is computed", 3, 1),
      way("short of memory", 1, 3.5, { bound: 2 }),
      way("best", 1, 1),
      way("holds more", 1, 1, { bytes: 5 }),
      way("the same", 1, 1),
    ],
  });
  expect(rows.map(({ way: { text }, decided }) => [text, decided])).toEqual([
    ["best", undefined],
    ["the same", undefined],
    ["holds more", "memory"],
    ["more is sent", "communication"],
    ["more is computed", "compute"],
    ["short of memory", "memory"],
    ["none", "memory"],
  ]);
  expect(rows[3]?.more).toEqual({ seconds: 2, compute: 0, communication: 2, bytes: 0 });
  expect(rows.at(-1)?.seconds).toBeUndefined();
});

test("the terms of every way add up to what it takes more", () => {
  for (const { more } of wayRows({ ways: [way("a", 1, 2), way("b", 4, 3), way("c", 1, 7)] })) {
    expect((more?.compute ?? 0) + (more?.communication ?? 0)).toBe(more?.seconds);
  }
});
