import { expect, test } from "vitest";
import type { AffineRow, Box } from "#core/indexspace";
import { projectBox } from "#core/indexspace";
import { loomId, type OperationNode } from "./graph.ts";
import { annotationOf } from "./to-dimops.ts";

/** Rows as `coefficients xextent`, dims apart by `/`: `2 0 x3 / 0 1 x1`. */
function rowsIn(text: string): readonly AffineRow[] {
  return text.split(" / ").map((row) => {
    const words = row.split(" ");
    const extent = Number(words.at(-1)?.slice(1));
    return { coefficients: words.slice(0, -1).map(Number), offset: 0, extent };
  });
}

function operation(sizes: readonly number[], x: string, y: string): OperationNode {
  const index: Box = sizes.map((size) => ({ start: 0, stop: size }));
  const id = loomId("00000000-0000-0000-0000-000000000001");
  const map = (name: string, text: string) => new Map([[name, [rowsIn(text)]]]);
  const selected = (name: string, text: string) =>
    new Map([[name, [{ tensorId: id, range: projectBox(rowsIn(text), index) }]]]);
  return {
    ...{ kind: "Operation", id, label: "op", kernel: "op", params: new Map() },
    inputs: selected("x", x),
    outputs: selected("y", y),
    tags: { index, signature: { inputs: map("x", x), outputs: map("y", y) } },
  };
}

test.each`
  sizes     | x                    | y                    | annotation          | reason
  ${[8]}    | ${"1 x3"}            | ${"1 x1"}            | ${"10 -> i0^"}      | ${'"i0" has no form in an annotation: it moves a window of 3 cells of dim 0 of "x" by 1, so that windows overlap'}
  ${[8]}    | ${"2 x3"}            | ${"1 x1"}            | ${"17 -> i0^"}      | ${'"i0" has no form in an annotation: it moves a window of 3 cells of dim 0 of "x" by 2, so that windows overlap'}
  ${[8]}    | ${"2 x1"}            | ${"1 x1"}            | ${"15 -> i0^"}      | ${'"i0" has no form in an annotation: it moves dim 0 of "x" by 2 over 1 cell each, which leaves gaps'}
  ${[8]}    | ${"-1 x1"}           | ${"1 x1"}            | ${"8 -> i0^"}       | ${'"i0" has no form in an annotation: it moves dim 0 of "x" backwards, by 1'}
  ${[4, 3]} | ${"1 0 x1 / 0 1 x1"} | ${"1 0 x1"}          | ${"i0 i1^ -> i0"}   | ${'"i1" has no form in an annotation: "y" does not move with it, and a LoomGraph does not say how parts of "y" would combine'}
  ${[4]}    | ${"1 x1"}            | ${"1 x1 / 1 x1"}     | ${"i0^ -> i0^ i0^"} | ${'"i0" has no form in an annotation: it moves several dims of "y" at once'}
  ${[4, 3]} | ${"1 1 x1"}          | ${"1 0 x1 / 0 1 x1"} | ${"6 -> i0^ i1^"}   | ${'"i0" has no form in an annotation: it moves dim 0 of "x" together with "i1" as no bracket does (1·i0 + 1·i1, 1 cell each)'}
`("a signature of $x and $y reads as $annotation, because $reason", (row) => {
  const read = annotationOf(operation(row.sizes, row.x, row.y));
  expect(read?.annotation).toBe(row.annotation);
  expect(read?.reasons[0]).toBe(row.reason);
  expect(read?.diagnostics[0]?.message).toBe(`of "op", index axis ${row.reason}`);
  expect(read?.reasons.length).toBe(read?.frozen.length);
});

test.each`
  sizes     | x                | y                    | annotation
  ${[8]}    | ${"1 x1"}        | ${"1 x1"}            | ${"i0 -> i0"}
  ${[8]}    | ${"3 x3"}        | ${"1 x1"}            | ${"(i0 3) -> i0"}
  ${[2, 3]} | ${"3 1 x1"}      | ${"1 0 x1 / 0 1 x1"} | ${"(i0 i1) -> i0 i1"}
  ${[4]}    | ${"1 x1 / 1 x1"} | ${"1 x1"}            | ${"i0 i0 -> i0"}
  ${[4]}    | ${"0 x5"}        | ${"1 x1"}            | ${"5 -> i0"}
  ${[1, 4]} | ${"7 1 x1"}      | ${"1 0 x1 / 0 1 x1"} | ${"i1 -> i0 i1"}
`("a signature of $x and $y reads as $annotation, and nothing is left unsaid", (row) => {
  const read = annotationOf(operation(row.sizes, row.x, row.y));
  expect(read).toMatchObject({ annotation: row.annotation, reasons: [], diagnostics: [] });
});
