import { expect, test } from "vitest";
import { boxOf, volumeOf } from "#core/indexspace";
import { exchangeRounds } from "./exchange-rounds.ts";

test("in a round no device gives two boxes or gets two, and every box is sent once", () => {
  for (const devices of [2, 3, 5, 8]) {
    const sent = Array.from({ length: devices * devices }, (_, at) => ({
      from: at % devices,
      to: Math.floor(at / devices),
      range: boxOf([1 + ((at * 7) % 5), 1 + (at % 3)]),
    })).filter(({ from, to }) => from !== to);
    const rounds = exchangeRounds(sent);
    for (const round of rounds) {
      const [givers, takers] = [round.sent.map(({ from }) => from), round.sent.map(({ to }) => to)];
      expect(new Set(givers).size).toBe(givers.length);
      expect(new Set(takers).size).toBe(takers.length);
    }
    const all = rounds.flatMap((round) => round.sent);
    expect(new Set(all)).toEqual(new Set(sent));
    expect(all.length).toBe(sent.length);
  }
});

test("each device receives as many elements as are meant for it: nothing is padded", () => {
  const sent = [
    { from: 0, to: 1, range: boxOf([4, 2]) },
    { from: 2, to: 3, range: boxOf([3, 2]) },
    { from: 1, to: 0, range: boxOf([2, 4]) },
    { from: 3, to: 2, range: boxOf([4, 2]) },
    { from: 1, to: 2, range: boxOf([4, 2]) },
  ];
  const rounds = exchangeRounds(sent);
  expect(rounds.map(({ elements, sent: boxes }) => [elements, boxes.length])).toEqual([
    [8, 2],
    [8, 1],
    [8, 1],
    [6, 1],
  ]);
  for (const { range, to } of sent) {
    const round = rounds.find(({ sent: boxes }) => boxes.some((box) => box.range === range));
    expect([to, round?.elements]).toEqual([to, volumeOf(range)]);
  }
});
