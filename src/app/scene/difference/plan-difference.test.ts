import { describe, expect, test } from "vitest";
import { examples } from "#app/examples";
import { compile } from "#compile";
import type { DifferenceLine } from "./difference.ts";
import { planDifference } from "./plan-difference.ts";

const head = `mesh = Mesh(dp=2, mp=4)
x = Tensor((8, 16))
w1 = Parameter((16, 32))
w2 = Parameter((32, 16))
h = matmul(x, w1)
y = matmul(h, w2)
`;

const megatron = `${head}strategy(h, n="mp")\nstrategy(y, k="mp")\n`;
const plain = `${head}strategy(h, n="mp")\n`;

/** Several equal layers, each with its own weights. */
function layers(split: string): string {
  return `mesh = Mesh(mp=4)
x = Tensor((8, 16))

def layer(x):
    w = Parameter((16, 16))
    h = matmul(x, w)
    return h

for _ in range(4):
    x = layer(x)
${split}`;
}

function linesOf(before: string, now: string): readonly string[] {
  const { lines } = planDifference(compile(before), compile(now));
  return lines.map(written).sort();
}

function written({ sign, kind, name, text, count }: DifferenceLine): string {
  return `${sign} ${kind} ${name}${count === 1 ? "" : ` ×${count}`}: ${text}`;
}

describe("a plan and itself", () => {
  test.each(examples.map(({ name, program }) => [name, program]))("%s", (_, program) => {
    const { lines, operators, tensors, redistributions, gone } = planDifference(
      compile(program),
      compile(`${program}\n`),
    );
    expect(lines).toEqual([]);
    const sizes = [operators, tensors, redistributions, gone].map(({ size }) => size);
    expect(sizes).toEqual([0, 0, 0, 0]);
  });
});

describe("swapping both plans swaps + and −, and turns bytes round", () => {
  const turned = { "+": "−", "−": "+", "~": "~" } as const;
  const keyOf = ({ sign, kind, name, count, bytes }: DifferenceLine) =>
    `${sign} ${kind} ${name} ${count} ${bytes + 0}`;
  const pairs: readonly (readonly [string, string])[] = [
    [plain, megatron],
    [head, megatron],
    [head, layers("")],
    [layers(""), layers('strategy("layer[*].h", n="mp")\n')],
    ...examples
      .slice(1, 12)
      .map(({ program }, at) => [examples[at]?.program ?? "", program] as const),
  ];
  test.each(pairs)("pair %#", (one, other) => {
    const [a, b] = [compile(one), compile(other)];
    const there = planDifference(a, b).lines.map(keyOf).sort();
    const back = planDifference(b, a).lines.map((line) =>
      keyOf({ ...line, sign: turned[line.sign], bytes: 0 - line.bytes }),
    );
    expect(back.sort()).toEqual(there);
  });
});

test("a strategy more changes what lies otherwise and what is sent", () => {
  expect(linesOf(head, megatron)).toMatchInlineSnapshot(`
    [
      "+ send y: only here, +768 B",
      "~ operator h: was not split",
      "~ operator y: was not split",
      "~ tensor h: was [m, n]",
      "~ tensor w1: was [k, n]",
      "~ tensor w2: was [k, n]",
      "~ tensor y: was [m, n]",
    ]
  `);
});

test("equal layers are one line", () => {
  expect(linesOf(layers(""), layers('strategy("layer[*].h", n="mp")\n'))).toMatchInlineSnapshot(`
    [
      "+ send layer[*].h ×3: only here, +384 B",
      "~ operator layer[*].h ×4: was not split",
      "~ tensor layer[*].h ×4: was [m, n]",
      "~ tensor layer[*].w ×4: was [k, n]",
    ]
  `);
});

test("the same blocks on axes of other names are no difference", () => {
  const renamed = megatron.replaceAll("mp", "tp").replaceAll("dp", "rows");
  expect(linesOf(megatron, renamed).filter((line) => !line.includes("send"))).toEqual([]);
});
