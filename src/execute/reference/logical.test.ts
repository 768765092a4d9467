import { expect, test } from "vitest";
import { compileDocument } from "#compile";
import { readDocument } from "#systems";
import { runReference } from "./index.ts";

const head = `import torch
x = Tensor((2, 2))
y = Tensor((2, 2))
a, b = x > 0, y > 0
`;
const [x, y] = [Float64Array.of(0, 0, 3, 3), Float64Array.of(0, 2, 0, 2)];

// Rows: neither, the second, the first, both.
test.each`
  line                        | values
  ${"~a"}                     | ${[1, 1, 0, 0]}
  ${"torch.logical_or(a, b)"} | ${[0, 1, 1, 1]}
  ${"a.logical_xor(b)"}       | ${[0, 1, 1, 0]}
  ${"x != y"}                 | ${[0, 1, 1, 1]}
  ${"torch.logical_not(x)"}   | ${[1, 1, 0, 0]}
  ${"torch.logical_and(x,y)"} | ${[0, 0, 0, 1]}
  ${"x.ne(y)"}                | ${[0, 1, 1, 1]}
  ${"~a.logical_and(~b)"}     | ${[1, 1, 0, 1]}
`("$line is computed, and none of it is assumed", ({ line, values }) => {
  const { graph } = compileDocument(readDocument(`${head}z = ${line}\n`));
  const leaves = graph.tensors.filter(({ producer }) => producer === undefined);
  const given = new Map(leaves.map(({ id, name }) => [id, name === "x" ? x : y]));
  const { tensors, assumed } = runReference(graph, given, "singles");
  const z = graph.tensors.find(({ name }) => name === "z");
  expect(z?.dtype).toBe("bool");
  expect(z && [...(tensors.get(z.id)?.values ?? [])]).toEqual(values);
  expect(assumed).toEqual([]);
});
