import { expect, test } from "vitest";
import { examples } from "#app/examples";
import { printLayout } from "#core/mesh";
import { runPlan } from "#execute/verify";
import { comparePolicies } from "./compare-policies.ts";
import { compile } from "./compile.ts";
import type { Compiled } from "./compiled.ts";

function layouts(compiled: Compiled): Readonly<Record<string, string>> {
  return Object.fromEntries(
    compiled.tensors.map(({ tensor, layout }) => [tensor, printLayout(layout)]),
  );
}

function collectives(compiled: Compiled): readonly string[] {
  return compiled.program.stages
    .flatMap(({ steps }) => steps)
    .flatMap((step) =>
      step.kind === "collective" ? [`${step.collective} ${step.axes.join(",")}`] : [],
    );
}

function exampleText(name: string): string {
  return examples.find((example) => example.name === name)?.program ?? "";
}

test("MindSpore's two matmuls need one all-gather of y and nothing else", () => {
  const compiled = compile(exampleText("mindspore-net"));
  expect(compiled.diagnostics).toEqual([]);
  expect(layouts(compiled)).toEqual({ x: "d0,_", w: "_,_", y: "d0,_", v: "_,d0", z: "_,d0" });
  expect(collectives(compiled)).toEqual(["all-gather d0"]);
  expect(compiled.program.redistributions[0]?.tensor).toBe("y");
});

test("nnScaler's matmul cut along kd ends in an all-reduce of out", () => {
  const compiled = compile(exampleText("nnscaler-matmul"));
  expect(compiled.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  expect(layouts(compiled)).toEqual({ x: "_,tp", w: "tp,_", out: "_,_|tp" });
  expect(collectives(compiled)).toEqual(["all-reduce tp"]);
});

test("the first example's hinted gesture removes the gather and lowers bytes and memory", () => {
  const before = compile(exampleText("two-matmuls"));
  const after = compile(
    before.source.replace('strategy(y, b="dp")', 'strategy(y, b="dp", k="mp")'),
  );
  expect(collectives(before)).toEqual(["all-gather mp"]);
  expect(collectives(after)).toEqual(["all-reduce mp"]);
  expect(after.cost.bytes).toBeLessThan(before.cost.bytes);
  expect(after.memory.peakBytes).toBeLessThan(before.memory.peakBytes);
});

/**
 * Step between the prefixes tested: every prefix in the long run; in the short run some, others for
 * each example.
 */
const stride = process.env.SOAK === undefined ? 97 : 1;

test("every prefix of every example compiles without a throw", () => {
  for (const [at, { program, name }] of examples.entries()) {
    for (let end = at % stride; end <= program.length; end += stride) {
      expect(() => compile(program.slice(0, end)), `${name} up to ${end}`).not.toThrow();
    }
  }
});

test("the same text compiles to the same result", () => {
  for (const { program } of examples) expect(compile(program)).toEqual(compile(program));
});

const project = `# annotation: m k+, k+ n -> m n
def project(x, w): ...
`;

test.each`
  text                                                                            | code                           | severity
  ${'mesh = Mesh(dp=2)\nx = Tensor((4, 4))\nstrategy(x, a="dp")'}                 | ${"document/no-such-operator"} | ${"error"}
  ${'x = Tensor((4, 4))\nplace("q", layout("None", "None"))'}                     | ${"document/no-such-tensor"}   | ${"error"}
  ${`${project}y = project(Tensor((4, 4)), Tensor((4, 4)))\nstrategy(y, m="dp")`} | ${"document/unknown-axis"}     | ${"error"}
  ${'mesh = Mesh(dp=2)\nx = Tensor((4, 4))\nplace(x, layout("dp"))'}              | ${"document/layout-rank"}      | ${"error"}
  ${'mesh = Mesh(dp=2)\nx = Tensor((4, 4))\nplace(x, layout("dp", "dp"))'}        | ${"document/axis-used-twice"}  | ${"error"}
  ${"mesh = Mesh(dp=2)\nother = Mesh(mp=2)"}                                      | ${"document/second-mesh"}      | ${"warning"}
  ${"y = torch.matmul(Tensor((4, 4)), Tensor((4, 4)))"}                           | ${"document/missing-import"}   | ${"warning"}
  ${"import unheard_of"}                                                          | ${"document/unknown-module"}   | ${"warning"}
  ${`${project}y = project(Tensor((4, 4)), Tensor((5, 4)))`}                      | ${"dimops/size-conflict"}      | ${"error"}
  ${project}                                                                      | ${"document/assumed-shape"}    | ${"info"}
  ${"shapes(q=(4, 4))"}                                                           | ${"document/no-such-tensor"}   | ${"error"}
  ${'x = Tensor((4, 4), "f7")'}                                                   | ${"python/type-error"}         | ${"error"}
`("$text says $code", ({ text, code, severity }) => {
  const { diagnostics } = compile(text);
  expect(diagnostics.map((diagnostic) => `${diagnostic.severity} ${diagnostic.code}`)).toContain(
    `${severity} ${code}`,
  );
});

test("applying the fix of an assumed shape leaves no assumption and the same picture", () => {
  const compiled = compile(`${project}mesh = Mesh(dp=4)\n`);
  const assumed = compiled.diagnostics.find(({ code }) => code === "document/assumed-shape");
  const [edit] = assumed?.fixes?.[0]?.edits ?? [];
  expect(edit?.text).toBe("shapes(x=(8, 8), w=(8, 8))\n");
  const written = compile(compiled.source + (edit?.text ?? ""));
  expect(written.diagnostics).toEqual([]);
  expect(layouts(written)).toEqual(layouts(compiled));
});

test("sizes that nobody gave divide by what cuts them", () => {
  const compiled = compile(
    `${project}mesh = Mesh(dp=3)\nx = Tensor()\ny = project(x, Parameter())\nstrategy(y, m="dp")\n`,
  );
  expect(compiled.graph.tensors.find(({ name }) => name === "x")?.shape).toEqual([9, 8]);
  expect(compiled.diagnostics.some(({ severity }) => severity === "error")).toBe(false);
});

test("names are the first that a value is bound to, and repeated calls have a prefix", () => {
  const compiled = compile(`
w = Parameter((8, 8))
def block(x):
    h = gelu(x)
    return matmul(h, w)
x = Tensor((8, 8))
y = block(x)
z = block(y)
y = relu(z)
alias = y
`);
  expect(compiled.graph.tensors.map(({ name }) => name)).toEqual([
    "w",
    "x",
    "block[0].h",
    "y",
    "block[1].h",
    "z",
    "y#2",
  ]);
});

test("the resharding of jax#21562 is one all-to-all of 448 elements, fewer than any policy", () => {
  const compiled = compile(exampleText("jax-reshard").replace("(256, 256, 256)", "(16, 16, 16)"));
  expect(compiled.diagnostics).toEqual([]);
  expect(collectives(compiled).filter((step) => !step.startsWith("slice"))).toEqual([
    "all-to-all x,y",
  ]);
  expect(compiled.program.redistributions[0]?.elements).toBe(448);
  const [first] = compiled.program.redistributions;
  const { outcomes } = first ? comparePolicies(compiled.program, first) : { outcomes: [] };
  const bytes = outcomes.map((outcome) =>
    outcome.kind === "planned" ? [outcome.policy, outcome.bytes / 4] : [],
  );
  expect(bytes).toEqual([
    ["shardy", 640],
    ["dtensor", 1280],
    ["mindspore", 2048],
    ["nnscaler", 3584],
  ]);
});

test("every redistribution is held against every policy", () => {
  for (const { program } of examples) {
    const compiled = compile(program);
    for (const redistribution of compiled.program.redistributions) {
      expect(comparePolicies(compiled.program, redistribution).outcomes).toHaveLength(4);
    }
  }
});

test.each`
  annotation                 | left        | right
  ${"m k+, k+ n -> m n"}     | ${"(4, 8)"} | ${"(8, 4)"}
  ${"a b, a b -> a b"}       | ${"(4, 8)"} | ${"(4, 8)"}
  ${"a+ b, a+ b -> b"}       | ${"(4, 8)"} | ${"(4, 8)"}
  ${"(a 2) b, b -> a (2 b)"} | ${"(4, 8)"} | ${"(8,)"}
  ${"a b^, 8 -> a b^"}       | ${"(4, 8)"} | ${"(8,)"}
  ${"a b^, c -> a c"}        | ${"(4, 8)"} | ${"(8,)"}
`("training through a function of annotation $annotation runs or says why", (row) => {
  const { annotation, left, right } = row;
  const compiled = compile(`mesh = Mesh(dp=2)
# annotation: ${annotation}
def f(x, w): ...
x = Parameter(${left})
w = Parameter(${right})
y = f(x, w)
strategy(y, {"${/[a-z]/.exec(annotation)?.[0]}": "dp"})
train(y)
`);
  expect(compiled.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  const run = runPlan(compiled.plan, compiled.program, { seed: 1, values: "integers" });
  expect(run.ok && run.value.equal).toBe(true);
  expect(compiled.program.graph.operators.some(({ phase }) => phase === "update")).toBe(
    !compiled.diagnostics.some(({ code }) => code === "training/no-gradient"),
  );
});

test("of a very long program no training step is made, and that is said", () => {
  const program = (count: number) =>
    `x = Tensor((8, 8))\nfor _ in range(${count}): x = matmul(x, Parameter((8, 8)))\ntrain(x)\n`;
  const { program: lowered, diagnostics } = compile(program(2_501));
  const operators = lowered.graph.operators.length;
  expect(operators).toBe(2_501);
  expect(diagnostics).toMatchObject([
    {
      ...{ code: "training/too-many-operators", severity: "warning" },
      message: expect.stringContaining("2501 operators"),
    },
  ]);
  expect(compile(program(20)).program.graph.operators.length).toBeGreaterThan(60);
});
