import { expect, test } from "vitest";
import { examples } from "#app/examples";
import { compile } from "#compile";
import { stepTable } from "./step-columns.ts";

const program = (cut: string, placed: string) => `mesh = Mesh(dp=2, mp=4)
x = Tensor((8, 16))
w = Parameter((16, 32))
h = matmul(x, w)
strategy(h, ${cut})
y = gelu(h)
place(y, layout(${placed}))
`;

/** The tables of all redistributions of a program, cells parted by bars. */
function tablesOf(text: string): readonly (readonly string[])[] {
  const compiled = compile(text);
  return compiled.program.redistributions.map((redistribution) => {
    const { head, rows, bound } = stepTable(compiled, redistribution);
    const steps = rows.map(({ step: { collective, axes }, cells }) =>
      [`${collective} ${axes.join(" ")}`, ...cells.map((cell) => cell.text)].join(" | "),
    );
    return [head.join(" | "), ...steps, ["bound", ...bound].join(" | ")];
  });
}

// y is 8 × 32 in f32, 1024 B: a device holds an eighth, a half or all of it, and receives the rest.
test.each([
  {
    cut: 'm="dp", n="mp"',
    placed: '"None", "None"',
    rows: ["all-gather dp mp | 896 B | 26.0 µs", "bound | 896 B | met"],
  },
  {
    cut: 'm="dp", n="mp"',
    placed: '"None", "dp"',
    rows: [
      "collective-permute dp mp:(1)2 | 128 B | 8.00 µs",
      "all-gather mp:(1)2 mp:(2)2 | 384 B | 14.0 µs",
      "bound | 512 B | met",
    ],
  },
  { cut: "{}", placed: '"dp", "None"', rows: ["slice dp | 0 B | 0 s", "bound | 0 B | met"] },
])("from $cut to $placed the table is $rows", ({ cut, placed, rows }) => {
  expect(tablesOf(program(cut, placed))).toEqual([["Step | per device | time", ...rows]]);
});

test("every figure of every example is a figure, and every row has all of them", () => {
  for (const { name, program: text } of examples) {
    const compiled = compile(text);
    for (const redistribution of compiled.program.redistributions) {
      const { head, rows, bound } = stepTable(compiled, redistribution);
      expect(new Set(head).size).toBe(head.length);
      for (const cells of [...rows.map((row) => row.cells.map(({ text }) => text)), bound]) {
        expect([name, cells.length]).toEqual([name, head.length - 1]);
        expect(cells.join(), name).not.toMatch(/NaN|undefined|null|Infinity/);
      }
    }
  }
});

test.each([
  ['m="dp"', ["comm", "time"]],
  ["{}", []],
])("from %s the figures with a formula are %s: a slice sends nothing", (cut, opened) => {
  const compiled = compile(program(cut, cut === "{}" ? '"dp", "None"' : '"None", "None"'));
  const [redistribution] = compiled.program.redistributions;
  if (redistribution === undefined) throw new Error("there is a redistribution");
  const [row] = stepTable(compiled, redistribution).rows;
  expect(row?.cells.flatMap(({ opens }) => opens ?? [])).toEqual(opened);
});
