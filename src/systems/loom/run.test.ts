import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { examples } from "#app/examples";
import { compile } from "#compile";
import { type RunOptions, runPlan } from "#execute/verify";

const { cases } = JSON.parse(readFileSync("conformance/loom.json", "utf8"));

function run(source: string, planText: string, options: Partial<RunOptions> = {}) {
  const { plan, program } = compile(source, { planText });
  return runPlan(plan, program, { seed: 1, values: "integers", ...options });
}

function exampleNamed(name: string): { readonly program: string; readonly plan: string } {
  const found = examples.find((example) => example.name === name);
  return { program: found?.program ?? "", plan: found?.plan ?? "" };
}

test.each(["loom-convolution", "loom-split-k", "loom-broadcast-add"])(
  "%s on its devices equals the unsharded graph, in integers and in floats",
  (name) => {
    const { program, plan } = exampleNamed(name);
    for (const values of ["integers", "floats"] as const) {
      const made = run(program, plan, { values });
      expect(made.diagnostics).toEqual([]);
      expect(made.ok && made.value.first).toBeUndefined();
      expect(made.ok && made.value.tensors.length).toBeGreaterThan(2);
    }
  },
);

test("without the exchange of its halos the convolution of the gallery differs", () => {
  const { program, plan } = exampleNamed("loom-convolution");
  const steps = compile(program, { planText: plan }).program.stages.flatMap((stage) => stage.steps);
  const step = steps.findIndex(({ kind }) => kind === "collective");
  const made = run(program, plan, { sabotage: { step, how: "drop" } });
  expect(made.ok && made.value.first?.tensor).toBe("image");
});

test.each`
  case                          | cut                 | size
  ${"conv-3x3-dense"}           | ${'i0="a"'}         | ${2}
  ${"conv-3x3-dense"}           | ${'i0="a", i1="b"'} | ${3}
  ${"conv1d-stride-2"}          | ${'i0=("a", "b")'}  | ${3}
  ${"conv1d-stride-2"}          | ${'i0="a"'}         | ${2}
  ${"doc-matmul-corrected"}     | ${'i0="a", i1="b"'} | ${2}
  ${"linear-relu-2x2"}          | ${'i0="a", i2="b"'} | ${4}
  ${"matmul-split-k-two-stage"} | ${'i0="a"'}         | ${2}
`("[2.4] $case cut by $cut over $size runs as a whole does", ({ case: id, cut, size }) => {
  const found = cases.find((each: { readonly id: string }) => each.id === id);
  const planText = `mesh = Mesh(a=${size}, b=2)\nstrategy("*", ${cut})\n`;
  const made = run(found.request.args.program, planText);
  expect(made.diagnostics).toEqual([]);
  expect(made.ok && made.value.first).toBeUndefined();
});

test("a kernel that nobody knows is refused by its name", () => {
  const { program, plan } = exampleNamed("loom-convolution");
  const made = run(program.replace("op:conv2d", "op:whirl"), plan);
  expect(made.ok).toBe(false);
  expect(made.diagnostics.map(({ message }) => message).join()).toContain('the kernel "op:whirl"');
});
