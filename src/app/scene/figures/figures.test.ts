import { describe, expect, test } from "vitest";
import { compile } from "#compile";
import { foldedItems, sortedItems } from "./folded-items.ts";
import { foldedName } from "./item-names.ts";
import { stepFigures, utilisationOf } from "./step-figures.ts";
import { tokensOf } from "./tokens.ts";

const ids = 'i = Tensor((4, 16), "int64")\n';
const table = 'w = Parameter((64, 32), "bf16")\n';
const rows = 'x = Tensor((4, 16, 32), "bf16")\n';
const qkv =
  "y = attention(x.view(4, 16, 2, 16).transpose(1, 2), x.view(4, 16, 2, 16).transpose(1, 2), x.view(4, 16, 2, 16).transpose(1, 2))\n";

describe("the tokens of a step", () => {
  test.each`
    text                                                                                       | count  | how
    ${`${ids}${table}y = embedding(i, w)\n`}                                                   | ${64}  | ${"i holds 4 × 16 ids, which an embedding looks up"}
    ${`${ids}${table}y = embedding(i.view(64), w)\n`}                                          | ${64}  | ${"i holds 4 × 16 ids, which an embedding looks up"}
    ${`${ids}j = Tensor((8, 3), "int64")\n${table}y = embedding(i, w)\nz = embedding(j, w)\n`} | ${NaN} | ${"i and j hold different numbers of ids"}
    ${`${ids}j = Tensor((16,), "int64")\n${table}y = embedding(i, w)\nz = embedding(j, w)\n`}  | ${64}  | ${"i holds 4 × 16 ids, which an embedding looks up"}
    ${`${ids}${table}y = gelu(w)\n`}                                                           | ${NaN} | ${"no input says what its tokens are"}
    ${`${rows}y = gelu(x)\n`}                                                                  | ${NaN} | ${"no input says what its tokens are"}
    ${`${rows}${qkv}`}                                                                         | ${64}  | ${"x is read as 4 sequences of 16: an attention works on it"}
  `("$how: $count", ({ text, count, how }) => {
    expect(tokensOf(compile(`mesh = Mesh(p=1)\n${text}`))).toEqual({ count, how });
  });
});

const product = `mesh = Mesh(dp=2)
x = Tensor((64, 32), "bf16")
w = Parameter((32, 16), "bf16")
y = matmul(x, w)
strategy(y, m="dp")
`;

test.each`
  text                                                      | operations
  ${product}                                                | ${2 * 64 * 32 * 16}
  ${`${product}train(y, optimizer="sgd")\n`}                | ${3 * 2 * 64 * 32 * 16}
  ${`${product}train(y, optimizer="sgd", recompute=[y])\n`} | ${3 * 2 * 64 * 32 * 16}
`("utilisation counts $operations operations, whoever does them", ({ text, operations }) => {
  const compiled = compile(text);
  const { cost, hardware } = compiled;
  expect(utilisationOf(compiled)).toBeCloseTo(operations / cost.seconds / hardware.flops / 2, 12);
});

test("a step without products has no utilisation, and one that sends says what is exposed", () => {
  const namesOf = (text: string) => stepFigures(compile(text)).map(({ name }) => name);
  expect(namesOf('x = Tensor((4,), "f32")\ny = gelu(x)\n')).not.toContain(
    "Model FLOPs utilisation",
  );
  expect(namesOf(product)).not.toContain("Exposed communication");
  const names = namesOf(`${product}train(y, optimizer="sgd")\n`);
  expect(names).toContain("Exposed communication");
  expect(names).toContain("Hidden communication");
});

test("a step of which a shape is not known says so of every figure", () => {
  const [first] = stepFigures(compile(`${product}z = nobody_knows(y)\nu = matmul(z, w)\n`));
  expect(first?.text).toBe("unknown");
});

test.each`
  name                | folded
  ${"blocks[3].y"}    | ${"blocks[*].y"}
  ${"a[1].b[12].q#2"} | ${"a[*].b[*].q"}
  ${"x#25"}           | ${"x"}
`("$name is one of $folded", ({ name, folded }) => {
  expect(foldedName(name)).toBe(folded);
});

test("what equal blocks do alike is one item, and with the waits for the host they are the whole step", () => {
  const compiled = compile(`mesh = Mesh(p=1)
class Net(nn.Module):
    def __init__(self):
        self.ws = nn.ModuleList([nn.Linear(32, 32, bias=False) for _ in range(4)])
    def forward(self, x):
        for w in self.ws:
            x = w(x)
        return torch.relu(x)
x = Tensor((64, 32), "f32")
y = Net()(x)
`);
  const all = sortedItems(foldedItems(compiled), "time");
  const waits = all.find(({ what }) => what === "waits for launches");
  const items = all.filter((item) => item !== waits);
  expect(items.map(({ what, count }) => `${what} ×${count}`).sort()).toEqual([
    "linear ×4",
    "relu ×1",
  ]);
  // The rest of the step is spent waiting for the host, which launches such small kernels slowly.
  const { limit, computeSeconds, seconds } = compiled.cost;
  expect(limit).toBe("host");
  const computed = items.reduce((sum, { added }) => sum + added, 0);
  expect(computed / computeSeconds).toBeCloseTo(1, 9);
  expect((computed + (waits?.added ?? 0)) / seconds).toBeCloseTo(1, 9);
});
