import { expect, test } from "vitest";
import { createHeat, longHex } from "./heat-colours.ts";

const colours = {
  ...{ surface: longHex("#fff"), above: "#7a5a00", below: "#3b4a8f" },
  ...{ none: "#7b838e", wrong: "#b3261e" },
};

test("a short colour is written out, a long one stays", () => {
  expect([longHex("#fff"), longHex("#1aF"), longHex("#16191d")]).toEqual([
    "#ffffff",
    "#11aaFF",
    "#16191d",
  ]);
});

test("0 has the colour of the surface; the greatest numbers have the strongest, by their sign", () => {
  const heat = createHeat(colours, 50);
  expect(heat(0)).toBe("#ffffff");
  expect(heat(Number.NaN)).toBe(colours.none);
  expect(new Set([heat(50), heat(-50), heat(25), heat(0)]).size).toBe(4);
  expect(heat(50)).toBe(heat(5000));
  expect(createHeat(colours, 0)(0)).toBe("#ffffff");
});
