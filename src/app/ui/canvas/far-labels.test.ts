import { expect, test } from "vitest";
import { examples } from "#app/examples";
import { exampleText } from "#app/first-example";
import { farCardOf } from "#app/scene/card";
import { layoutGraph } from "#app/scene/graph";
import { compile } from "#compile";
import { farLabels } from "./far-labels.ts";
import type { FarLabel } from "./far-words.ts";
import { createLookup } from "./lookup.ts";

const shown = ["two-matmuls", "transformer-stack", "zero", "fsdp", "attention-heads"];
const zooms = [0.23, 0.15, 0.08, 0.02];
const letter = 0.61 * 11;

function drawnOf(name: string) {
  const example = examples.find((each) => each.name === name);
  const compiled = compile(example === undefined ? "" : exampleText(example));
  return { layout: layoutGraph(compiled), lookup: createLookup()(compiled) };
}

/** Whether two labels overlap on the screen. */
function meet(a: FarLabel, b: FarLabel, zoom: number): boolean {
  const end = ({ text, x }: FarLabel) => x * zoom + text.length * letter + 4;
  const isBeside = a.x * zoom >= end(b) || b.x * zoom >= end(a);
  return !isBeside && Math.abs(a.y - b.y) * zoom < 13;
}

test.each(shown)(
  "from afar the words of %s stand beside each other, and none could stand more",
  (name) => {
    const { layout, lookup } = drawnOf(name);
    for (const zoom of zooms) {
      const labels = farLabels(layout, lookup, zoom);
      for (const [at, label] of labels.entries()) {
        const over = labels.slice(0, at).filter((other) => meet(label, other, zoom));
        expect(over, `${label.text} at ${zoom}`).toEqual([]);
      }
      for (const node of layout.nodes) {
        const isCard = ["operator", "input", "stack"].includes(node.kind);
        const called = farCardOf(lookup, node).name;
        const own = { text: called.slice(0, 14), x: node.x, y: node.y + node.height / 2 };
        if (isCard)
          expect(
            labels.some((label) => meet(label, own, zoom)),
            node.id,
          ).toBe(true);
      }
    }
  },
);

test("modules of the text have their names over their cards where these have no room", () => {
  const compiled = compile(`
mesh = Mesh(dp=2)
class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(64, 64)
        self.second = nn.Linear(64, 64)
    def forward(self, x):
        return self.second(F.gelu(self.first(x)))
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = Block()
        self.decoder = Block()
    def forward(self, x):
        return self.decoder(F.relu(self.encoder(x)))
y = Net()(Tensor((32, 64)))
`);
  const words = farLabels(layoutGraph(compiled), createLookup()(compiled), 0.05);
  expect(words.map(({ text }) => text)).toEqual(expect.arrayContaining(["encoder", "decoder"]));
});
