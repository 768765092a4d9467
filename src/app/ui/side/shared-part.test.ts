import { expect, test } from "vitest";
import { intersectionOf } from "./shared-part.ts";

/** Box from text such as `0-4x2-8`. */
function box(text: string) {
  return text.split("x").map((range) => {
    const [start = 0, stop = 0] = range.split("-").map(Number);
    return { start, stop };
  });
}

test.each`
  first                     | second         | cells | shared
  ${["0-4x0-8"]}            | ${["2-6x0-8"]} | ${16} | ${["2-4x0-8"]}
  ${["0-4x0-8"]}            | ${["4-8x0-8"]} | ${0}  | ${[]}
  ${["0-2x0-1", "4-6x0-1"]} | ${["0-6x0-1"]} | ${4}  | ${["0-2x0-1", "4-6x0-1"]}
  ${["0-0x0-8"]}            | ${["0-4x0-8"]} | ${0}  | ${[]}
`("$first and $second share $cells cells", ({ first, second, cells, shared }) => {
  expect(intersectionOf(first.map(box), second.map(box))).toEqual({
    boxes: shared.map(box),
    cells,
  });
});
