import { expect, test } from "vitest";
import { isAside } from "./minimap-scales.ts";

test.each`
  share  | height | aside
  ${0.3} | ${600} | ${false}
  ${0.3} | ${320} | ${false}
  ${0.3} | ${288} | ${true}
  ${0.7} | ${600} | ${true}
`("of a graph of which $share is in sight in $height px it makes room: $aside", (row) => {
  expect(isAside(row.share, row.height)).toBe(row.aside);
});
