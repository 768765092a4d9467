import { expect, test } from "vitest";
import { completeAt } from "./complete-at.ts";
import { exampleMarked, manyOperators, markedFacts } from "./marked.testing.ts";

const program = exampleMarked("two-matmuls", "# Two").replace("‸", "").replace('f="mp"', "f=None");

/** The first labels offered at `‸`, with their details. */
function offered(marked: string, isSpent = () => false): readonly string[] {
  const { facts, offset } = markedFacts(marked);
  const { items } = completeAt(facts, offset, isSpent);
  return items.map(({ insert, detail }) => (detail === "" ? insert : `${insert} ${detail}`));
}

test.each`
  typed                          | first
  ${'strategy(y, b="‸")'}        | ${["dp ±0 B sent, −34.4 µs, −2.10 MB held", "mp +524 kB sent, −20.6 µs, −2.10 MB held"]}
  ${"strategy(h, ‸)"}            | ${["b= size 512", "k= size 1024, summed", "f= size 4096", "carry= axes over which a partial sum passes through"]}
  ${'strategy(h, b="dp", ‸)'}    | ${["k= size 1024, summed", "f= size 4096"]}
  ${'strategy("‸'}               | ${['h"', 'y"']}
  ${'pin("‸'}                    | ${['x"', 'w1"', 'w2"', 'h"', 'y"']}
  ${'place("‸'}                  | ${['x"', 'w1"', 'w2"', 'h"', 'y"']}
  ${'z = Tensor((1, 2), "‸'}     | ${['f32"', 'bf16"']}
  ${"z = project(‸"}             | ${["x bf16[512, 1024]", "w1 bf16[1024, 4096]"]}
  ${"z = softmax(x, ‸"}          | ${["x= a tensor", "dim= no tensor, optional"]}
  ${"z = torch.‸"}               | ${["matmul a m k+, k+ n -> a m n"]}
  ${"m = Mesh(‸"}                | ${["devices= devices=[…]: device ids in row-major order; 0, 1, 2, … when unsaid"]}
  ${'train(y, optimizer="‸'}     | ${['sgd"', 'momentum"', 'adam"']}
  ${"z = ops.‸"}                 | ${["MatMul a m k+, k+ n -> a m n"]}
  ${"z = nn.‸"}                  | ${["Linear Linear(in_features, out_features, bias)"]}
  ${'m = Mesh(a=8, hardware="‸'} | ${['8xH100" ±0 B sent', '32x8xH100" ±0 B sent']}
  ${"# ‸"}                       | ${[]}
`("$typed offers $first first", ({ typed, first }) => {
  const items = offered(`${program}${typed}\n`).slice(0, first.length);
  expect(items.map(withoutFigures)).toEqual(first.map(withoutFigures));
});

const nested = `mesh = Mesh(tp=2)
class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 16)
        self.out = nn.Linear(16, 8)
    def forward(self, x):
        return self.out(gelu(self.fc(x)))
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([Block() for _ in range(2)])
    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x
model = Net()
y = model(Tensor((4, 8)))
`;

test("a strategy is offered the modules of the text, and then what their operators cut", () => {
  const targets = offered(`${nested}strategy("‸`);
  expect(targets).toEqual(
    expect.arrayContaining(['blocks[*].fc" all of that name', 'blocks[0].fc"', 'blocks[1].out"']),
  );
  expect(targets.join(" ")).not.toMatch(/linear_/);
  expect(offered(`${nested}strategy("blocks[*].fc", ‸)`).join(" ")).toContain("size 16");
  expect(offered(`${nested}place("‸`).join(" ")).toContain("blocks[0].fc.weight");
});

/** Drops the figures of an item, since the cost model's own tests cover them. */
function withoutFigures(item: string): string {
  return item.replace(/[−+±][\d.]+ .*/, "…");
}

test("axes come with what they change, and one that has a fault is left out", () => {
  const items = offered(`${program}strategy(h, b="dp", f="‸")\n`);
  expect(items.map((item) => item.split(" ")[0])).toEqual(["None", "mp"]);
  expect(items[1]).toMatch(/^mp [−+±].* sent, [−+±].*s/);
});

test.each`
  typed                            | eaten  | first
  ${'strategy(h, k="‸)'}           | ${""}  | ${'None"'}
  ${'strategy(h, k="m‸)'}          | ${"m"} | ${'None"'}
  ${'place(h, layout("‸))'}        | ${""}  | ${'dp"'}
  ${"strategy(h, k=m‸)"}           | ${"m"} | ${'"None"'}
  ${"place(h, ‸)"}                 | ${""}  | ${'layout("dp", "None")'}
  ${"train(y, zero=‸)"}            | ${""}  | ${"0"}
  ${"z = Tensor((4, 4), dtype=‸)"} | ${""}  | ${'"f32"'}
  ${"m = Mesh(a=8, hardware=‸)"}   | ${""}  | ${'"8xH100"'}
  ${'strategy(h, ‸b="dp")'}        | ${"b"} | ${"b"}
`("$typed replaces '$eaten' by $first and nothing else", ({ typed, eaten, first }) => {
  const { facts, offset } = markedFacts(`${program}${typed}\n`);
  const { span, items } = completeAt(facts, offset, () => false);
  expect(facts.source.slice(span.from, span.to)).toBe(eaten);
  expect(items[0]?.insert).toBe(first);
});

test("tuples of two axes are offered where one is due", () => {
  const inserts = offered(`${program}strategy(h, k=‸)\n`).map((item) => item.split(")")[0]);
  expect(inserts).toEqual(expect.arrayContaining(['("dp", "mp"', '("mp", "dp"']));
});

test.each([
  'x = "abc"‸\n',
  "x = 12‸\n",
  'x = Tensor(‸"f32")\n',
  "import torch\n@torch'‸.f('(a b) -> a b', name='f')\ndef f(x):\n    return x\n",
])("where a word would break the text nothing is offered: %s", (text) => {
  expect(offered(text)).toEqual([]);
});

const idx = exampleMarked("nnscaler-policy", "idx=0", 1).replace("‸idx=0", "idx=‸");

test.each`
  text                                                                    | items
  ${idx}                                                                  | ${["0 x, read by matmul_custom", "1 w, read by matmul_custom", "2 out, made by matmul_custom"]}
  ${idx.replace("idx=‸", "idx=1‸")}                                       | ${["0 x, read by matmul_custom", "1 w, read by matmul_custom", "2 out, made by matmul_custom"]}
  ${idx.replace("idx=‸, dim=1", "idx=0, dim=‸")}                          | ${["1 kd, size 32, summed"]}
  ${idx.replace("idx=‸, dim=1", "idx=1, dim=‸")}                          | ${["0 kd, size 32, summed", "1 n, size 16"]}
  ${'layout = Layout((2, 4), ("‸"))\nplace(x, layout("rows", "None"))\n'} | ${["rows axis of 2 devices", "dp axis of 2 devices", "mp axis of 2 devices"]}
  ${'layout = Layout((2, 4), ("dp", "‸'}                                  | ${['mp" axis of 4 devices', 'sp" axis of 4 devices']}
  ${'layout = Layout((2, 4), ("dp", ‸))'}                                 | ${['"mp" axis of 4 devices', '"sp" axis of 4 devices']}
  ${"layout = Layout((2, 4), ‸)"}                                         | ${['("dp", "mp") 2 axes']}
  ${"layout = Layout(‸)"}                                                 | ${["(2, 4) 8 devices", "(4, 2) 8 devices", "(8,) 8 devices"]}
  ${"layout = Layout((2, ‸))"}                                            | ${["1 axis of 1 device", "2 axis of 2 devices"]}
  ${'layout = Layout((2, 4‸), ("dp", "mp"))'}                             | ${["1 axis of 1 device", "2 axis of 2 devices"]}
`("at ‸ in $text $items are offered", ({ text, items }) => {
  expect(offered(text).slice(0, items.length)).toEqual(items);
});

test("an axis that is due is offered with its quotes", () => {
  expect(offered(`${program}strategy(h, b=‸\n`).map((item) => item.split(" ")[0])).toContain(
    '"dp"',
  );
});

test("numbers of pieces are offered in a tuple, the dearest last", () => {
  const items = offered(exampleMarked("mindspore-net", "((4‸, 1)"));
  expect(items.map((item) => item.split(" ")[0])).toEqual(["1", "2", "4"]);
  expect(offered(exampleMarked("mindspore-net", "((‸4, 1)"))).toEqual(items);
});

test("aliases are offered in calls of whatever the text binds to a Layout", () => {
  const text = `mapped = Layout((2, 2), ("dp", "mp"))
x = Tensor((8, 4))
w = Parameter((4, 6))
y = ops.MatMul().shard((mapped("‸", "None"), mapped("None", "mp")))(x, w)
`;
  expect(offered(text).map((item) => item.split(" ")[0])).toEqual(
    expect.arrayContaining(["dp", "None"]),
  );
});

test("when time is up axes are still offered, of a large program without what they change", () => {
  const marked = `${program}strategy(h, b="‸")\n`;
  const items = offered(marked + manyOperators, () => true);
  expect(items).toEqual(["dp", "mp", "None"]);
  expect(offered(marked, () => true)[0]).toContain("sent");
});
