import { expect, test } from "vitest";
import { compileRequest } from "./compile-request.ts";

const program = `mesh = Mesh(dp=2)
x = Tensor((8, 8))
y = relu(x)
`;

function compiledBy(more: Readonly<Record<string, unknown>>) {
  const compiled = compileRequest({ program, ...more });
  if (!compiled.ok) throw new Error(compiled.diagnostics[0]?.message);
  return compiled.value;
}

test("what is asked of one program in a row compiles it once, and another program between anew", () => {
  const first = compiledBy({ to: "loom" });
  expect(compiledBy({})).toBe(first);
  expect(compiledBy({ program: `${program}z = relu(y)\n` })).not.toBe(first);
  expect(compiledBy({})).not.toBe(first);
});

const link = { latency: 1e-6, bandwidth: 1e11 };
const chip = { flops: 1e15, memoryBandwidth: 1e12, node: 8, links: { dp: link } };

test.each`
  what             | more
  ${"a machine"}   | ${{ hardware: "8xH100" }}
  ${"figures"}     | ${{ hardware: chip }}
  ${"more memory"} | ${{ hardware: { ...chip, memory: 8e10 } }}
  ${"an output"}   | ${{ outputs: { y: "dp,_" } }}
  ${"a model"}     | ${{ model: "plain" }}
  ${"rules"}       | ${{ as: "mindspore" }}
`("a program that is asked for with $what is another compilation", ({ more }) => {
  const plain = compiledBy({});
  const other = compiledBy(more);
  expect(other).not.toBe(plain);
  expect(compiledBy(more)).toBe(other);
});
