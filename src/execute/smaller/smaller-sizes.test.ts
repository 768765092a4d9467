import { expect, test } from "vitest";
import { compile } from "#compile";
import { flatSteps, lower } from "#core/program";
import { runPlan } from "#execute/verify";
import { readDocument } from "#systems";
import { smallerSizes } from "./smaller-sizes.ts";
import { stepKindCoverage } from "./step-kinds.ts";

const everything = { pinned: new Set<never>(), hasBody: () => false };

/** The smaller sizes of the named tensors, as `x 8×8`. */
function sizesOf(text: string, names: string, floor = 1): string {
  const { plan, program } = compile(text);
  const graph = smallerSizes(plan, program, { ...everything, floor });
  const shapes = new Map(graph.tensors.map(({ name, shape }) => [name, shape.join("×")]));
  return names
    .split(" ")
    .map((name) => `${name} ${shapes.get(name)}`)
    .join(", ");
}

const head = "mesh = Mesh(p=2, q=4)\n";

test.each([
  {
    rule: "dims that operators bind together shrink together, cut into as many pieces",
    text: 'x = Tensor((64, 1024))\nh = matmul(x, Parameter((1024, 1000)))\nstrategy(h, m="p", k="q")',
    sizes: "x 2×4, h 2×2",
  },
  {
    rule: "what was not divisible by a number of pieces has as many short and empty ones",
    text: 'x = Tensor((64, 1001))\nh = relu(x)\nstrategy(h, b="q")',
    sizes: "x 2×7, h 2×7",
  },
  {
    rule: "a dim is the product of what a view makes of it",
    text: 'x = Tensor((8, 64, 2048))\ny = x.view(8, 64, 16, 128)\nz = y.transpose(1, 2)\nstrategy(z, c="q")',
    sizes: "x 2×2×8, y 2×2×4×2, z 2×4×2×2",
  },
  {
    rule: "a dim is the sum of its parts, however long each is",
    text: "x = Tensor((8, 6144))\na, b, c = x.split([4096, 1024, 1024], dim=1)\nd = b + c\ne = a.view(8, 32, 128)",
    sizes: "x 2×8, a 2×4, b 2×2, e 2×2×2",
  },
  {
    rule: "slices side by side make up the whole, and lie side by side again",
    text: "x = Tensor((8, 128))\na = x[:, :64]\nb = x[:, 64:]\ny = torch.cat([b, a], 1)",
    sizes: "x 2×4, a 2×2, y 2×4",
  },
  {
    rule: "a few cells are cut off of another size too",
    text: "x = Tensor((8, 2048))\na = x[:, :-1]\nb = x[:, 1:]\ny = a * b",
    sizes: "x 2×4, a 2×3, y 2×3",
  },
  {
    rule: "one dim of several that a view joins may be another program's",
    text: "x = Tensor((64, 2048))\ny = Tensor((64, 2048))\nz = x.view(131072) + y.view(131072)",
    sizes: "x 2×2, y 2×2, z 4",
  },
  {
    rule: "results of windows follow from what they slide over",
    text: "x = Tensor((8, 16, 224, 224))\ny = F.conv2d(x, Parameter((64, 16, 16, 16)), stride=16)\nz = y.flatten(2)",
    sizes: "x 2×2×18×18, y 2×2×2×2, z 2×2×4",
  },
])("$rule", ({ text, sizes }) => {
  const names = sizes.split(", ").map((each) => each.split(" ")[0]);
  expect(sizesOf(head + text, names.join(" "))).toBe(sizes);
});

test("smaller sizes leave every kind of step that there is", () => {
  const text = `${head}x = Tensor((64, 2048))
h = matmul(x, Parameter((2048, 8192)))
y = softmax(h, -1)
z = matmul(y, Parameter((8192, 2048)))
strategy(h, m="p", n="q")
strategy(y, b="q")
strategy(z, m="p", k="q")
`;
  const { plan, program } = compile(text);
  const graph = smallerSizes(plan, program, { ...everything, floor: 1 });
  const smaller = lower(graph, plan);
  expect(flatSteps(program).some(({ kind }) => kind === "collective")).toBe(true);
  expect(stepKindCoverage(program, smaller)).toMatchObject({ missing: [] });
});

const heads = `import torch, nnscaler
mesh = Mesh(p=2, q=2)
@nnscaler.register_op("b (h d^), (h d^) c -> b (h d^), h c")
def f(x, w, h):
    return x * 2, w.view(h, w.size(0) // h, w.size(1)).sum(1)
@nnscaler.register_op("a b -> a b")
def g(x):
    assert x.size(1) == 256
    return x.view(-1, 4, 64).transpose(1, 2).reshape(x.shape)
x = g(Tensor((64, 256)))
y, z = f(x, Tensor((256, 131072)), h=16)
`;

test("of the bracket of a function one identifier shrinks, and its arguments stay", () => {
  const { plan, program } = compile(heads);
  const graph = smallerSizes(plan, program, { pinned: new Set(), hasBody: () => true, floor: 2 });
  const axes = graph.operators.find(({ name }) => name === "y")?.axes;
  expect(axes?.map(({ name, size }) => `${name}=${size}`)).toEqual([
    ...["b=16", "h=16", "d=4", "c=16"],
  ]);
});

test("a function whose body takes no smaller sizes keeps those that it has", () => {
  const { plan, program } = compile(`${heads}strategy(y, b="p", h="q")\nstrategy(x, a="p")\n`);
  const { traceBody } = readDocument(heads);
  const run = runPlan(plan, program, { seed: 1, values: "integers", traceBody });
  expect(run.diagnostics.map(({ code }) => code)).not.toContain("execute/assumed-body");
  expect(run.diagnostics[0]?.message).toMatch(/smaller sizes .* 256×\d+/);
  expect(run.ok && run.value.equal).toBe(true);
});
