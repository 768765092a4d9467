import { expect, test } from "vitest";
import { boxOf } from "#core/indexspace";
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

test("a round is as long as its longest box in every dim", () => {
  const sent = [
    { from: 0, to: 1, range: boxOf([4, 2]) },
    { from: 2, to: 3, range: boxOf([3, 2]) },
  ];
  expect(exchangeRounds(sent).map(({ elements }) => elements)).toEqual([8]);
});

test("a row and a column go in rounds of their own: padded to one box they were a square", () => {
  const sent = [
    { from: 0, to: 1, range: boxOf([17, 1]) },
    { from: 2, to: 3, range: boxOf([1, 17]) },
  ];
  expect(exchangeRounds(sent).map(({ elements }) => elements)).toEqual([17, 17]);
});
