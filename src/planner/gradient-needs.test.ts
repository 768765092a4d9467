import fc from "fast-check";
import { expect, test } from "vitest";
import { examples } from "#app/examples";
import { exampleText } from "#app/first-example";
import { expandTraining, gradientsInBackward } from "#core/training";
import { planDocument } from "#edit";
import { smallPrograms, textOf } from "./small-programs.testing.ts";

/**
 * The gradients in the backward pass of a program: those written, and those counted; none without
 * training.
 */
function bothOf(text: string): readonly (readonly string[])[] {
  const { graph, mesh, training } = planDocument(text);
  if (training === undefined) return [[], []];
  const plan = { mesh: mesh.mesh, operators: new Map(), placements: new Map() };
  const step = expandTraining(graph, plan, { ...training, recompute: new Set() });
  const written = new Set(step.graph.tensors.flatMap(({ gradientOf }) => gradientOf ?? []));
  const counted = gradientsInBackward(graph, mesh.mesh, training.loss);
  return [written, counted].map((made) =>
    graph.tensors.filter(({ id }) => made.has(id)).map(({ name }) => name),
  );
}

test("the gradients of every example are those that its backward pass writes", () => {
  const trained = examples.flatMap((example) => {
    const [written, counted] = bothOf(exampleText(example));
    expect({ [example.name]: counted }).toEqual({ [example.name]: written });
    return written ?? [];
  });
  expect(trained.length).toBeGreaterThan(50);
});

test("the same of small programs, with functions that have no derivative", () => {
  fc.assert(
    fc.property(smallPrograms, (program) => {
      const [written, counted] = bothOf(textOf({ ...program, trains: true }));
      expect(counted).toEqual(written);
    }),
  );
});

test.each([
  ["of a result that nobody reads there is a gradient of zeros", "y, z = split(h, 2, dim=1)"],
  ["a look-up passes none to what it looks up", "i = argmax(h, dim=1)\ny = F.embedding(i, w)"],
  ["what is read twice", "y = h * h"],
  ["what the text cuts off", "y = h.detach() * h"],
])("%s", (_, lines) => {
  const [written, counted] = bothOf(`import torch
import torch.nn.functional as F
mesh = Mesh(dp=2)
x = Tensor((8, 4))
w = Parameter((4, 4))
h = x @ w
${lines}
loss = y.sum()
train(loss)
`);
  expect(written).not.toEqual([]);
  expect(counted).toEqual(written);
});
