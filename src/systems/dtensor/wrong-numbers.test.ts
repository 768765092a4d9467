import { expect, test } from "vitest";
import { compile } from "#compile";
import { applyEdits, type Diagnostic } from "#core/diagnostics";
import { asked } from "../../cli/asked.testing.ts";
import { layoutFrom, meshOf } from "../../core/reshard/layouts.testing.ts";
import { wrongBlocks, wrongMesh } from "./wrong-numbers.ts";

// engines/replay_dtensor.py runs each of these forms, and the safe form that replaces it.

test.each`
  axes         | devices         | form
  ${"x=4"}     | ${[2, 0, 3, 1]} | ${"dtensor/rows-not-ascending"}
  ${"x=2,y=2"} | ${[1, 0, 3, 2]} | ${"dtensor/rows-not-ascending"}
  ${"x=2,y=2"} | ${[2, 3, 0, 1]} | ${"dtensor/rows-not-ascending"}
  ${"x=2,y=2"} | ${[0, 2, 1, 3]} | ${"dtensor/flattened-transpose"}
  ${"x=2,y=2"} | ${[0, 1, 2, 3]} | ${undefined}
  ${"x=2,y=1"} | ${[4, 7]}       | ${undefined}
`("devices $devices on $axes: $form", ({ axes, devices, form }) => {
  expect(wrongMesh({ ...meshOf(axes), devices })).toBe(form);
});

test.each`
  layout   | size | form
  ${"x*y"} | ${5} | ${"dtensor/flattened-uneven"}
  ${"x"}   | ${5} | ${"dtensor/uneven-from-local"}
  ${"x*y"} | ${8} | ${undefined}
  ${"_"}   | ${5} | ${undefined}
`("$size cut by $layout: $form", ({ layout, size, form }) => {
  expect(wrongBlocks(layoutFrom(layout, meshOf("x=2,y=2")), [size])).toBe(form);
});

function said(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.filter(({ code }) => code.startsWith("dtensor/"));
}

const gathered = (mesh: string, steps: string, size = 8) => `mesh = Mesh(${mesh})
x = Tensor((${size}, 4))
h = relu(x)
y = neg(h)
strategy(h, a=("x", "y"))
strategy(y, a=())
${steps}
`;

test.each`
  form                             | mesh                                | size
  ${"dtensor/rows-not-ascending"}  | ${"x=2, y=2, devices=[2, 0, 3, 1]"} | ${8}
  ${"dtensor/flattened-transpose"} | ${"x=2, y=2, devices=[0, 2, 1, 3]"} | ${8}
`("steps of DTensor warn of $form, and each rewriting takes the warning away", ({ form, mesh }) => {
  const call = 'reshard(h, steps="dtensor")';
  const text = gathered(mesh, call);
  const [warning, ...others] = said(compile(text).diagnostics);
  expect(others).toEqual([]);
  expect(warning).toMatchObject({ code: form, severity: "warning" });
  expect(text.slice(warning?.span?.from, warning?.span?.to)).toBe(call);
  expect(warning?.fixes).toHaveLength(2);
  for (const { edits } of warning?.fixes ?? []) {
    const mended = compile(applyEdits(text, edits));
    expect(mended.diagnostics.filter(({ severity }) => severity !== "info")).toEqual([]);
  }
});

test("the plan's own steps on such a mesh are right, and nothing is said", () => {
  const text = gathered("x=2, y=2, devices=[2, 0, 3, 1]", "");
  expect(said(compile(text).diagnostics)).toEqual([]);
});

interface Answer {
  readonly ok: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

function exported(program: string, to: string): Answer {
  return asked<Answer>("export", { program, to });
}

test("an export for DTensor says what it does about the order of the devices, others say nothing", () => {
  const text = gathered("x=2, y=2, devices=[2, 0, 3, 1]", "");
  expect(said(exported(text, "torch").diagnostics)).toEqual([]);
  const answer = exported(text, "dtensor");
  expect(answer.ok).toBe(true);
  const [warning] = said(answer.diagnostics);
  expect(warning?.message).toContain("the file counts ranks along the mesh instead");
  const [fix] = warning?.fixes ?? [];
  const mended = applyEdits(text, fix?.edits ?? []);
  expect(mended).toContain("devices=[0, 1, 2, 3]");
  expect(said(exported(mended, "dtensor").diagnostics)).toEqual([]);
});

test.each`
  what                   | program                                                                                                                                                    | code
  ${"uneven blocks"}     | ${'mesh = Mesh(d=4)\nx = Tensor((6, 4))\ny = relu(x)\nstrategy(y, a="d")\n'}                                                                               | ${"dtensor/uneven-from-local"}
  ${"nested uneven"}     | ${'mesh = Mesh(d=2, e=2)\nx = Tensor((6, 4))\ny = relu(x)\nstrategy(y, a=("d", "e"))\n'}                                                                   | ${"dtensor/flattened-uneven"}
  ${"a cut convolution"} | ${'mesh = Mesh(d=2)\nx = Tensor((2, 4, 8, 8))\nw = Parameter((8, 4, 3, 3))\ny = conv2d(x, w, padding=1)\nplace(w, layout("d", "None", "None", "None"))\n'} | ${"dtensor/cut-convolution"}
`("an export for DTensor warns of $what", ({ program, code }) => {
  expect(said(exported(program, "dtensor").diagnostics).map((each) => each.code)).toContain(code);
});
