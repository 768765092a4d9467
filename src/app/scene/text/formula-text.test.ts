import { expect, test } from "vitest";
import { explainReceived, explainSeconds } from "#core/collective";
import { formatAmount, joinText, termText } from "./formula-text.ts";

test("a collective's time reads as its formula, in symbols and with the numbers in it", () => {
  const links = [{ latency: 3e-6, bandwidth: 450e9, fabric: "switch" }] as const;
  const formula = explainSeconds("all-reduce", { groupSize: 4, bytes: 24e6, links, launch: 5e-6 });
  expect(formula.terms.map(termText)).toEqual([
    { symbols: "launch", numbers: "5.00 µs" },
    { symbols: "2 · (n − 1) · α", numbers: "2 · (4 − 1) · 3.00 µs" },
    { symbols: "B ÷ W", numbers: "24.0 MB ÷ 450 GB/s" },
  ]);
  expect(joinText(formula)).toBe("the sum of");
  const received = explainReceived("all-reduce", { groupSize: 4, localBytes: 16e6 });
  expect(received.terms.map(termText)).toEqual([
    { symbols: "2 · (n − 1) · L ÷ n", numbers: "2 · (4 − 1) · 16.0 MB ÷ 4" },
  ]);
  expect(joinText(received)).toBe("");
});

test.each([
  [989e12, "FLOP/s", "989 TFLOP/s"],
  [0.7, "1", "0.7"],
  [4096, "1", "4096"],
  [50e9, "B/s", "50.0 GB/s"],
] as const)("%d %s reads %s", (value, unit, text) => {
  expect(formatAmount(value, unit)).toBe(text);
});
