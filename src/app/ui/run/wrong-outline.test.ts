import fc from "fast-check";
import { expect, test } from "vitest";
import { wrongOutline } from "./wrong-outline.ts";

test.each`
  name                  | wrong                       | columns | lines
  ${"nothing"}          | ${[]}                       | ${4}    | ${0}
  ${"one cell"}         | ${[5]}                      | ${4}    | ${4}
  ${"two side by side"} | ${[5, 6]}                   | ${4}    | ${4}
  ${"two at a corner"}  | ${[0, 5]}                   | ${4}    | ${6}
  ${"a row's ends"}     | ${[3, 4]}                   | ${4}    | ${8}
  ${"all of a block"}   | ${[0, 1, 2, 3, 4, 5]}       | ${3}    | ${4}
  ${"a ring"}           | ${[0, 1, 2, 3, 5, 6, 7, 8]} | ${3}    | ${8}
`("the outline of $name has $lines lines", ({ wrong, columns, lines }) => {
  expect(wrongOutline(wrong, columns).length).toBe(lines);
});

test("every border between a wrong cell and one that is not is drawn once, and nothing else", () => {
  const blocks = fc.tuple(fc.integer({ min: 1, max: 6 }), fc.uniqueArray(fc.nat(35)));
  fc.assert(
    fc.property(blocks, ([columns, wrong]) => {
      const cells = new Set(wrong);
      const has = (row: number, column: number) =>
        column >= 0 && column < columns && cells.has(row * columns + column);
      const drawn = wrongOutline(wrong, columns).flatMap(([x, y, toX, toY]) =>
        Array.from({ length: toX - x + toY - y }, (_, at) =>
          y === toY ? `${x + at} ${y} across` : `${x} ${y + at} down`,
        ),
      );
      const borders: string[] = [];
      for (let row = 0; row <= 36; row += 1) {
        for (let column = 0; column <= columns; column += 1) {
          if (has(row, column) !== has(row - 1, column)) borders.push(`${column} ${row} across`);
          if (has(row, column) !== has(row, column - 1)) borders.push(`${column} ${row} down`);
        }
      }
      expect(drawn.toSorted()).toEqual(borders.toSorted());
    }),
  );
});
