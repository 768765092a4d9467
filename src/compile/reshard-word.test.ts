import { expect, test } from "vitest";
import { runPlan } from "#execute/verify";
import { compile } from "./compile.ts";
import type { Compiled } from "./compiled.ts";
import { createSystemSteps } from "./system-answers.ts";

/**
 * A tensor redistributed from dims 0 and 2 to dim 1: one step over 8 devices, or two over fewer.
 */
const swap = `mesh = Mesh(x=4, y=2)
t = Tensor((16, 16, 16), "f32")
u = neg(t)
place(t, layout("y", "None", "x"))
strategy(u, b=("x", "y"))
`;

/** Collectives such as `1 all-to-all x,y`, each with the index of its redistribution. */
function sent({ program }: Compiled): readonly string[] {
  const steps = program.stages.flatMap((stage) => stage.steps);
  return steps.flatMap((step) =>
    step.kind === "collective" ? [`${step.reshard} ${step.collective} ${step.axes.join()}`] : [],
  );
}

function said({ diagnostics }: Compiled): readonly string[] {
  return diagnostics.map(({ severity, message }) => `${severity}: ${message}`);
}

test.each`
  line                                                                               | steps
  ${""}                                                                              | ${["0 all-to-all x,y"]}
  ${"reshard(t, steps=1)"}                                                           | ${["0 all-to-all x,y"]}
  ${'reshard(t, steps="shardy")'}                                                    | ${["0 all-to-all x", "0 all-to-all y"]}
  ${'reshard(t, steps="dtensor")'}                                                   | ${["0 all-gather y", "0 all-to-all x", "0 slice y"]}
  ${'reshard(t, steps="mindspore")'}                                                 | ${["0 all-gather x", "0 slice x", "0 all-gather y", "0 slice y"]}
  ${'reshard(t, steps="nnscaler")'}                                                  | ${["0 all-gather y", "0 all-gather x", "0 slice x,y"]}
  ${'reshard(t, steps="shardy", to=layout("None", ("x", "y"), "None"))'}             | ${["0 all-to-all x", "0 all-to-all y"]}
  ${'reshard("t", steps="shardy")\nreshard("*", steps=1)'}                           | ${["0 all-to-all x", "0 all-to-all y"]}
  ${'reshard("*", steps=1)\nreshard("*", steps="shardy")'}                           | ${["0 all-to-all x", "0 all-to-all y"]}
  ${'reshard(t, steps="shardy", to=layout("None", ("x", "y")))'}                     | ${["0 all-to-all x,y"]}
  ${'reshard(t, 1, layout("None", ("x", "y"), "None"))\nreshard(t, steps="shardy")'} | ${["0 all-to-all x,y"]}
`("the text chooses the steps: $line", ({ line, steps }) => {
  expect(sent(compile(`${swap}${line}\n`))).toEqual(steps);
});

test.each`
  line                                                             | words
  ${"reshard(t, steps=2)"}                                         | ${'warning: no plan for "t" has 2 steps: the numbers of steps that pay are 1 (448 elements); the default stands'}
  ${"reshard(u, steps=1)"}                                         | ${'warning: "u" is not redistributed: there are no steps to choose'}
  ${'reshard("v*", steps=1)'}                                      | ${'error: no tensor is called "v*"'}
  ${'reshard("v", steps=1)'}                                       | ${'error: no tensor is called "v"'}
  ${'reshard(t, steps="mindspor")'}                                | ${'error: "steps" is a number of steps, or one of "shardy", "dtensor", "mindspore", "nnscaler"'}
  ${"reshard(t, steps=-1)"}                                        | ${'error: "steps" is a number of steps, or one of "shardy", "dtensor", "mindspore", "nnscaler"'}
  ${"reshard(t)"}                                                  | ${'error: "steps" is a number of steps, or one of "shardy", "dtensor", "mindspore", "nnscaler"'}
  ${'reshard(t, steps=1, to="x")'}                                 | ${'error: "to" is a layout of the mesh, e.g. to=layout("None", "mp")'}
  ${"reshard(steps=1)"}                                            | ${"error: reshard() needs a tensor or a name first, e.g. reshard(h, steps=1)"}
  ${"reshard(t, steps=1, by=2)"}                                   | ${"error: reshard() takes target, steps, to"}
  ${'reshard(t, steps=1, to=layout("x", "None", "None"))'}         | ${'warning: "t" is not redistributed to that layout: there are no steps to choose'}
  ${'reshard(t, steps=1, to=layout("None", ("x", "y")))'}          | ${'error: the layout has 2 dims, but "t" has 3'}
  ${'reshard(t, steps=1, to=layout("None", ("x", "zz"), "None"))'} | ${'error: the mesh has no axis "zz"; it has "x", "y"'}
`("a choice that cannot be followed is said: $line", ({ line, words }) => {
  const compiled = compile(`${swap}${line}\n`);
  expect(said(compiled)).toContain(words);
  expect(sent(compiled)).toEqual(["0 all-to-all x,y"]);
});

test("a misspelt system has a fix, and the text binds the word itself if it wants", () => {
  const text = `${swap}reshard(t, steps="mindspor")\n`;
  const [fault] = compile(text).diagnostics;
  expect(fault?.code).toBe("document/reshard-steps");
  expect(fault?.fixes?.map(({ title }) => title)).toEqual(['Write "mindspore"']);
  expect(
    said(compile(`def reshard(x, steps):\n    return x\n${swap}reshard(t, steps=7)\n`)),
  ).toEqual([]);
});

test("a system without steps for the edge is said, with its reason, and the default stands", () => {
  const compiled = compile(
    `${swap.replace("(16, 16, 16)", "(16, 12, 16)")}reshard(t, steps="nnscaler")\n`,
  );
  expect(said(compiled)).toContain(
    'warning: "nnscaler" has no steps of its own for "t": nnScaler has no uneven layouts; the default stands',
  );
});

/** One tensor whose three readers want two other layouts. */
const fanned = `mesh = Mesh(x=2, y=2)
t = Tensor((8, 8), "f32")
place(t, layout(("x", "y"), "None"))
u = neg(t)
v = exp(t)
strategy(u, b=("y", "x"))
strategy(v, b=("x", "y"))
`;

test("`to` chooses for one of several layouts of a tensor", () => {
  const plain = compile(fanned);
  expect(sent(plain)).toEqual(["0 all-to-all x,y", "1 all-to-all x,y"]);
  const one = compile(`${fanned}reshard(t, steps="mindspore", to=layout("None", ("x", "y")))\n`);
  expect(one.program.redistributions.map(({ chosen }) => chosen?.steps)).toEqual([
    undefined,
    "mindspore",
  ]);
  const both = compile(`${fanned}reshard(t, steps="mindspore")\n`);
  expect(both.program.redistributions.map(({ chosen }) => chosen?.steps)).toEqual([
    "mindspore",
    "mindspore",
  ]);
});

test("in a training step a gradient's steps can be chosen by its name", () => {
  const text = `mesh = Mesh(dp=2, mp=2)
x = Tensor((8, 8), "f32")
w = Parameter((8, 8), "f32")
h = matmul(x, w)
strategy(h, m="dp")
train(h)
`;
  const names = ({ program }: Compiled) =>
    program.redistributions.map(({ tensor, chosen }) => [tensor, chosen?.steps]);
  expect(names(compile(text))).toEqual([["w.grad", undefined]]);
  const chosen = compile(`${text}reshard("w.grad", steps="shardy")\n`);
  expect(names(chosen)).toEqual([["w.grad", "shardy"]]);
  expect(said(chosen)).toEqual([]);
});

test("a run on smaller sizes takes the very steps that the text chooses, or that the plan has", () => {
  for (const [line, kinds] of [
    ["", ["all-to-all"]],
    ['reshard(t, steps="shardy")\n', ["all-to-all", "all-to-all"]],
    ['reshard(t, steps="mindspore")\n', ["all-gather", "slice", "all-gather", "slice"]],
  ] as const) {
    const { plan, program } = compile(
      `${swap.replace("(16, 16, 16)", "(4096, 4096, 512)")}${line}`,
    );
    const steps = program.stages.flatMap((stage) => stage.steps);
    expect(steps.flatMap((s) => (s.kind === "collective" ? [s.collective] : []))).toEqual(kinds);
    const systems = createSystemSteps();
    const sabotage = { step: kinds.length - 1, how: "drop" } as const;
    const options = { seed: 1, values: "integers", systems } as const;
    const run = runPlan(plan, program, options);
    expect(run.ok && run.value.equal).toBe(true);
    expect(run.diagnostics.map(({ code }) => code)).toEqual(["execute/reduced-sizes"]);
    // A fault can be injected into the same step: it is identified by position and kind.
    const broken = runPlan(plan, program, { ...options, sabotage });
    expect(broken.diagnostics.map(({ code }) => code)).not.toContain("execute/other-step");
  }
});
