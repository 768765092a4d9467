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

// Truth tables in the order: neither, only the second, only the first, both.
test.each`
  line                        | values
  ${"~a"}                     | ${[1, 1, 0, 0]}
  ${"torch.logical_or(a, b)"} | ${[0, 1, 1, 1]}
  ${"a.logical_xor(b)"}       | ${[0, 1, 1, 0]}
  ${"x != y"}                 | ${[0, 1, 1, 1]}
  ${"torch.logical_not(x)"}   | ${[1, 1, 0, 0]}
  ${"torch.logical_and(x,y)"} | ${[0, 0, 0, 1]}
  ${"x.ne(y)"}                | ${[0, 1, 1, 1]}
  ${"a & b"}                  | ${[0, 0, 0, 1]}
  ${"torch.bitwise_or(a, b)"} | ${[0, 1, 1, 1]}
  ${"~(a ^ b)"}               | ${[1, 0, 0, 1]}
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

test.each`
  line       | of
  ${"x & y"} | ${(a: bigint, b: bigint) => a & b}
  ${"x | y"} | ${(a: bigint, b: bigint) => a | b}
  ${"x ^ y"} | ${(a: bigint, b: bigint) => a ^ b}
`(
  "$line of whole numbers goes over their bits, below 0 and beyond 32 of them too",
  ({ line, of }) => {
    const head = 'import torch\nx = Tensor((5,), "i64")\ny = Tensor((5,), "i64")\n';
    const { graph } = compileDocument(readDocument(`${head}z = ${line}\n`));
    const [a, b] = [
      [6, -7, 2 ** 31, -(2 ** 40) - 1, 2 ** 52 - 5],
      [3, 12, 2 ** 31 + 5, 2 ** 41 + 3, -(2 ** 33)],
    ];
    const leaves = graph.tensors.filter(({ producer }) => producer === undefined);
    const given = new Map(
      leaves.map(({ id, name }) => [id, Float64Array.from(name === "x" ? a : b)]),
    );
    const z = graph.tensors.find(({ name }) => name === "z");
    const made = z && runReference(graph, given, "floats").tensors.get(z.id)?.values;
    expect(z?.dtype).toBe("i64");
    expect([...(made ?? [])]).toEqual(
      a.map((each, at) => Number(of(BigInt(each), BigInt(b[at] ?? 0)))),
    );
  },
);
