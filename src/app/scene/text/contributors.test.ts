import { expect, test } from "vitest";
import { examples } from "#app/examples";
import { type Compiled, compile } from "#compile";
import { comparedParts, costParts, type Metric } from "./contributors.ts";

const few = ["two-matmuls", "fsdp", "mindspore-net", "two-d-weights", "mesh-8x8x8", "carry"];
const programs = examples.filter(({ name }) => few.includes(name));

function numberOf({ cost, memory }: Compiled, metric: Metric): number {
  if (metric === "memory") return memory.peakBytes;
  return metric === "comm" ? cost.bytes : cost.seconds;
}

test.each(programs)("the parts of every number of $name add up to it", ({ program }) => {
  const compiled = compile(program);
  for (const metric of ["memory", "comm", "time"] as const) {
    const sum = costParts(compiled, metric).reduce((all, { value }) => all + value, 0);
    expect(sum).toBeCloseTo(numberOf(compiled, metric), metric === "time" ? 12 : 3);
  }
});

const source = programs[0]?.program ?? "";
const before = compile(source);
const after = compile(source.replace('strategy(y, b="dp")', 'strategy(y, b="dp", k="mp")'));

test("the differences of the parts add up to the difference of the numbers", () => {
  for (const metric of ["memory", "comm", "time"] as const) {
    const rows = comparedParts([before], after, metric);
    const sum = rows.reduce((all, { change }) => all + change, 0);
    expect(sum).toBeCloseTo(numberOf(after, metric) - numberOf(before, metric), 9);
  }
});

test("equal parts of equal layers stand in the order of their numbers", () => {
  const layers = Array.from({ length: 12 }, (_, at) => `y = layers[${at}](y)`).join("\n");
  const net = compile(`import torch.nn as nn
mesh = Mesh(dp=2)
layers = nn.ModuleList(nn.Linear(64, 64, bias=False) for _ in range(12))
y = Tensor((8, 64))
${layers}
`);
  const numbers = costParts(net, "memory").flatMap(
    ({ name }) => /^layers\[(\d+)\]\.weight$/u.exec(name)?.[1] ?? [],
  );
  expect(numbers).toHaveLength(12);
  expect(numbers).toEqual(numbers.map((_, at) => `${at}`));
});

test("what changed most stands first, and what is gone is told too", () => {
  const rows = comparedParts([before], after, "comm");
  expect(rows.map(({ name, others, value }) => [name, ...others, value])).toEqual([
    ["all-gather mp of h", 1048576, 0],
    ["all-reduce mp of y", 0, 524288],
  ]);
});

test("a plan against itself has no differences", () => {
  const rows = comparedParts([before], before, "time");
  expect(rows.every(({ change }) => change === 0)).toBe(true);
});

test("beside several plans the changes count from the one that is asked for", () => {
  const rows = comparedParts([after, before], after, "comm", 1);
  expect(rows.map(({ name, others, change }) => [name, ...others, change])).toEqual([
    ["all-gather mp of h", 0, 1048576, -1048576],
    ["all-reduce mp of y", 524288, 0, 524288],
  ]);
});
