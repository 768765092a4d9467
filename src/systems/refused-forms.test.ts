import { expect, test } from "vitest";
import { examples } from "#app/examples";
import { compile } from "#compile";
import { allTargets, targetNamed } from "./code.testing.ts";

/** A program for each form, the reason expected for it, and its plan. */
const programs = {
  uneven: {
    program: 'mesh = Mesh(d=4)\nx = Tensor((6, 4))\ny = relu(x)\nstrategy(y, a="d")\n',
    found: "x is cut unevenly",
  },
  "several pieces": {
    ...exampleNamed("mindspore-interleaved"),
    found: "a device holds several pieces of x",
  },
  windows: {
    ...exampleNamed("loom-convolution"),
    found: "image lies in windows",
  },
  "micro-batches": {
    program: `mesh = Mesh(d=2)
x = Tensor((8, 4))
w = Parameter((4, 4))
y = matmul(x, w)
loss = y.sum()
train(loss, microbatches=2)
`,
    found: "micro-batches run one after the other",
  },
} as const;

function exampleNamed(name: string) {
  const { program, plan } = examples.find((each) => each.name === name) ?? {};
  return { program: program ?? "", ...(plan !== undefined && { plan }) };
}

const forms = Object.entries(programs);
const cases = allTargets.flatMap(({ target }) =>
  forms.map(([form, { found, ...given }]) => ({ target, form, found, given })),
);

test.each(cases)(
  "$form for $target: written, or refused with its reason",
  ({ target, form, found, given: { program, ...beside } }) => {
    const planText = "plan" in beside ? { planText: beside.plan } : {};
    const { write, refuses } = targetNamed(target);
    const written = write(compile(program, planText));
    const why = { ...refuses }[form];
    if (why === undefined) expect(written).toMatchObject({ ok: true });
    else expect(written).toEqual({ ok: false, reason: `${found}: ${why}` });
  },
);

test.each(["jax", "torch"])("%s is refused nothing but micro-batches", (target) => {
  expect(Object.keys(targetNamed(target).refuses ?? {})).toEqual(["micro-batches"]);
});
