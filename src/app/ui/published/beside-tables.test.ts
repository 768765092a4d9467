import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { Beside, BesideMeasured } from "#systems/published";
import { RowsTable, type TableOfRows } from "../atoms/RowsTable.tsx";
import { compiledTables, measuredTables } from "./beside-tables.ts";

const reduced: Beside["rows"][number] = {
  ...{ kind: "all-reduce", dtype: "f32", shape: [8, 6], groupSize: 4, groups: 2 },
  ...{ times: 2, elements: 48, bytes: 1920, name: "dot.3", phase: "backward", ours: ["y", "y"] },
};

const compiled: Beside = {
  kinds: [{ kind: "all-reduce", xla: 3, xlaBytes: 5760, ours: 2, ourBytes: 1920 }],
  rows: [
    reduced,
    { ...reduced, times: 1, name: "", phase: "forward", ours: ["a", "b", "c"] },
    { ...reduced, times: 1, phase: "forward", ours: [], difference: "only in the program" },
  ],
  onlyOurs: [
    { kind: "all-gather", tensor: "w", phase: "forward", groupSize: 4, elements: 12, bytes: 48 },
  ].map((own) => ({ ...own, difference: "only in this plan" }) as Beside["onlyOurs"][number]),
};

const measured: BesideMeasured = {
  ...{ steps: 3, seconds: 0.02, modelledSeconds: 0.01, collectives: [reduced], onlyOurs: ["w"] },
  rows: [
    {
      ...{ name: "products", isCollective: false, difference: "only in the run" },
      measured: { count: 2.5, seconds: 0.004 },
      modelled: { count: 0, seconds: 0 },
    },
  ],
};

/** Rows as lines, cells parted by bars; a row that differs begins with an exclamation mark. */
function linesOf({ caption, head, rows }: TableOfRows): readonly string[] {
  const lines = rows.map(
    ({ cells, isDifferent }) => `${isDifferent === true ? "! " : ""}${cells.join(" | ")}`,
  );
  return [caption, head.join(" | "), ...lines];
}

test("the collectives of a compiled program, by kinds and one by one", () => {
  expect(compiledTables(compiled).map(linesOf)).toEqual([
    [
      "What XLA inserted",
      "Collective | XLA | Bytes | This plan | Bytes",
      "all-reduce | 3 | 5,760 | 2 | 1,920",
    ],
    [
      "One by one",
      "Collective | XLA’s operator | Bytes | This plan",
      "all-reduce | dot.3, backward | 1,920 × 2 | y",
      "all-reduce | no name | 1,920 | a and 2 more",
      "! all-reduce | dot.3 | 1,920 | only in the program",
      "! all-gather | none | 48 | only in this plan: w",
    ],
  ]);
});

test("a measured step, by kinds of work and its collectives one by one", () => {
  expect(measuredTables(measured).map(linesOf)).toEqual([
    [
      "Measured beside modelled, of a step",
      "Work | Run | Times | This plan | Times | Difference",
      "the whole step | 20.0 ms | 1 | 10.0 ms | 1 | ",
      "! products | 4.00 ms | 2.5 | 0 s | 0 | only in the run",
    ],
    [
      "Collectives one by one",
      "Collective | Bytes | This plan",
      "all-reduce | 1,920 × 2 | y",
      "! none |  | only in this plan: w",
    ],
  ]);
  expect(measuredTables({ ...measured, collectives: [] })).toHaveLength(1);
});

test("of a long table what is left out is counted, whichever side has it", () => {
  const onlyOurs = Array.from({ length: 250 }, (_, at) => `w${at}`);
  const [, long] = measuredTables({ ...measured, onlyOurs });
  expect(long?.caption).toBe("Collectives one by one, without the last 51");
  expect(long?.rows).toHaveLength(200);
});

test("a table is drawn with its headings, the name of each row and what differs", () => {
  const [, table] = measuredTables(measured);
  const drawn = table && renderToStaticMarkup(createElement(RowsTable, { table }));
  expect(drawn).toBe(
    [
      "<table><caption>Collectives one by one</caption><thead><tr>",
      ...["Collective", "Bytes", "This plan"].map((name) => `<th scope="col">${name}</th>`),
      '</tr></thead><tbody><tr data-different="false"><th scope="row">all-reduce</th>',
      "<td>1,920 × 2</td><td>y</td></tr>",
      '<tr data-different="true"><th scope="row">none</th><td></td>',
      "<td>only in this plan: w</td></tr></tbody></table>",
    ].join(""),
  );
});
