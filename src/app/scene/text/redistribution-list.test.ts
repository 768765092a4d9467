import { expect, test } from "vitest";
import { compile } from "#compile";
import { forwardOnly } from "../graph/canvas.ts";
import { layoutGraph } from "../graph/layout-graph.ts";
import { listOf } from "../graph/list.ts";
import {
  blockRuns,
  collectiveAt,
  phaseOf,
  redistributionList,
  writtenRedistributions,
} from "./redistribution-list.ts";

const forward = `mesh = Mesh(dp=2, mp=2)
x = Tensor((8, 16))
w1 = Parameter((16, 32))
w2 = Parameter((32, 16))
h = matmul(x, w1)
y = matmul(h, w2)
strategy(h, m="dp", n="mp")
strategy(y, m="dp")
`;
const training = `${forward}loss = torch.sum(y)\ntrain(loss, optimizer="sgd")\n`;

test("without training there is one part, with a line for each redistribution", () => {
  const { program } = compile(forward);
  expect(redistributionList(program)).toEqual([
    {
      heading: "Forward",
      lines: [{ redistribution: 0, text: "1 all-gather mp of h, 256 B" }],
    },
  ]);
});

test("a training step lists forward, backward and update, each redistribution once", () => {
  const { program } = compile(training);
  const groups = redistributionList(program);
  const headings = ["Forward", "Backward", "Update"];
  expect(groups.map(({ heading }) => heading)).toEqual(
    headings.filter((heading) => groups.some((group) => group.heading === heading)),
  );
  expect(groups.length).toBeGreaterThan(1);
  const listed = groups.flatMap(({ lines }) => lines.map(({ redistribution }) => redistribution));
  expect(listed.toSorted((a, b) => a - b)).toEqual(
    program.redistributions.map(({ index }) => index),
  );
  const backward = groups.find(({ heading }) => heading === "Backward")?.lines[0];
  expect(phaseOf(program, backward?.redistribution ?? 0)).toBe("backward");
});

test("what blocks of a list send stands below their names, in program order", () => {
  const { program } = compile(`import torch.nn as nn
mesh = Mesh(dp=2, mp=2)
class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.up, self.down = nn.Linear(16, 32, bias=False), nn.Linear(32, 16, bias=False)
    def forward(self, x):
        h = self.up(x)
        return self.down(h)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList(Block() for _ in range(2))
    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x
y = Net()(Tensor((8, 16)))
strategy("blocks[*].h", a="dp", n="mp")
`);
  const groups = redistributionList(program);
  const blocks = groups.filter(({ heading }) => heading.includes("blocks"));
  expect(blocks.map(({ heading }) => heading)).toEqual([
    "Forward, blocks[0]",
    "Forward, blocks[1]",
  ]);
});

test("what comes with training is on the canvas unless it is left out, and on the phone below its heading", () => {
  const compiled = compile(training);
  const all = compiled.program.redistributions.map(({ index }) => index);
  const written = writtenRedistributions(compiled).map(({ index }) => index);
  const drawn = (open: readonly string[]) =>
    layoutGraph(compiled, new Set(open))
      .nodes.flatMap((node) => (node.kind === "redistribution" ? [node.redistribution] : []))
      .toSorted((a, b) => a - b);
  expect(drawn([])).toEqual(all);
  expect(drawn([forwardOnly])).toEqual(written);
  expect(written.length).toBeLessThan(all.length);
  const rows = listOf(compiled);
  const at = rows.findIndex((row) => row.kind === "heading");
  expect(rows[at]).toMatchObject({ text: "Backward" });
  const listed = rows.flatMap((row) => (row.kind === "redistribution" ? row.redistribution : []));
  expect(listed.toSorted((a, b) => a - b)).toEqual(
    compiled.program.redistributions.map(({ index }) => index),
  );
  expect(listOf(compile(forward)).every(({ kind }) => kind !== "heading")).toBe(true);
});

test("a frame's step is found among all steps of the program", () => {
  const { program } = compile(training);
  const steps = program.stages.flatMap((stage) => stage.steps);
  for (const { index } of program.redistributions) {
    const placed = collectiveAt(program, index, 0);
    expect(steps[placed?.step ?? -1]).toMatchObject({
      kind: "collective",
      collective: placed?.collective,
      reshard: index,
    });
  }
  expect(collectiveAt(program, 0, 9)).toBeUndefined();
  expect(collectiveAt(program, 999, 0)).toBeUndefined();
});

test("redistributions of equal layers are marked with how many there are", () => {
  const { program } = compile(`mesh = Mesh(dp=2, mp=2)
x = Tensor((8, 16))
for i in range(6):
    h = matmul(x, Parameter((16, 32)))
    x = matmul(gelu(h), Parameter((32, 16)))
    strategy(h, m="dp", n="mp")
    strategy(x, m="dp", k="mp")
`);
  const runs = blockRuns(program);
  const texts = redistributionList(program).flatMap(({ lines }) => lines.map(({ text }) => text));
  expect(texts).toHaveLength(program.redistributions.length);
  const counts = [...runs.values()].map(({ count }) => count);
  expect(Math.max(...counts)).toBeGreaterThan(3);
  const count = Math.max(...counts);
  expect(texts.filter((text) => text.endsWith(`, ${count} times`))).toHaveLength(1);
  expect(texts.filter((text) => text.endsWith(` of ${count}`))).toHaveLength(count - 1);
  expect(blockRuns(compile(forward).program).size).toBe(0);
});
