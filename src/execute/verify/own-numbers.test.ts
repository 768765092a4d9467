import { expect, test } from "vitest";
import { compileDocument } from "#compile";
import { readDocument } from "#systems";
import { runPlan } from "./index.ts";
import type { RunOptions } from "./run-options.ts";

const text = `mesh = Mesh(p=2)
x = Tensor((2, 4))
w = Parameter((4, 2))
y = matmul(x, w)
strategy(y, k="p")
s = sqrt(Tensor((4,)))
e = embedding(Tensor((3,), dtype="int64"), Parameter((5, 2)))
c = Tensor((5,), dtype="int64") + 1
`;
const { plan, program } = compileDocument(readDocument(text));
const named = (role: string, shape: readonly number[]) =>
  program.graph.tensors.find(
    (each) =>
      each.producer === undefined && each.role === role && String(each.shape) === String(shape),
  )?.name ?? "";
const [root, indices, counts] = [[4], [3], [5]].map((shape) => named("input", shape));

function run(options: Partial<RunOptions>) {
  return runPlan(plan, program, { seed: 1, values: "integers", ...options });
}

test("a run takes own numbers for a tensor by its name, on every device and unsharded", () => {
  const own = [
    { tensor: "x", numbers: [1, 2, 3, 4, 5, 6, 7, 8] },
    { tensor: "w", numbers: [1, 0, 0, 1, 1, 0, 0, 1] },
  ];
  const result = run({ own });
  if (!result.ok) throw new Error(result.diagnostics[0]?.message);
  expect(result.diagnostics).toEqual([]);
  expect(result.value.equal).toBe(true);
  const { ran } = result.value;
  const y = program.graph.tensors.find(({ name }) => name === "y");
  if (y === undefined) throw new Error("the program makes no y");
  expect([...(ran.wanted.get(y.id)?.values ?? [])]).toEqual([4, 6, 12, 14]);
  const x = program.values.find(
    ({ tensor }) => tensor === program.graph.tensors.find(({ name }) => name === "x")?.id,
  );
  const blocks = [...(x === undefined ? [] : (ran.run.held.get(x.id) ?? []))].map(([, own]) =>
    own.map(({ values }) => [...values]),
  );
  expect(blocks.flat()).toEqual([
    [1, 2, 5, 6],
    [3, 4, 7, 8],
  ]);
});

test("own numbers find what drawn ones do: a sum that is left out", () => {
  const own = [{ tensor: "x", numbers: [1, 0, 0, 0, 0, 0, 0, 0] }];
  const step = program.stages[0]?.steps.findIndex(({ kind }) => kind === "collective") ?? -1;
  const result = run({ own, sabotage: { step, how: "drop" } });
  expect(result.ok && result.value.first?.tensor).toBe("y");
});

test.each`
  tensor     | numbers                             | values        | says
  ${"x"}     | ${[1, 2, 3]}                        | ${"integers"} | ${'warning the 3 numbers given for "x" are left aside: in this run "x" has 8 cells (2×4)'}
  ${"y"}     | ${[1, 2, 3, 4]}                     | ${"integers"} | ${'warning the 4 numbers given for "y" are left aside: the run has no input or parameter "y"'}
  ${"none"}  | ${[1]}                              | ${"integers"} | ${'warning the 1 numbers given for "none" are left aside: the run has no input or parameter "none"'}
  ${"x"}     | ${[0.5, 1, 1, 1, 1, 1, 1, 1]}       | ${"integers"} | ${'error "x" cannot be given the number 0.5: the run is on integers, where every cell has to agree bit for bit'}
  ${"x"}     | ${[0.5, 1, 1, 1, 1, 1, 1, 1]}       | ${"floats"}   | ${undefined}
  ${"x"}     | ${[2e7, 1, 1, 1, 1, 1, 1, 1]}       | ${"integers"} | ${'error "x" cannot be given the number 20000000: integers are exact up to 16777216 only'}
  ${"x"}     | ${[1e39, 1, 1, 1, 1, 1, 1, 1]}      | ${"floats"}   | ${'error "x" cannot be given the number 1e+39: it is too large for a single'}
  ${"x"}     | ${[-Infinity, 1, 1, 1, 1, 1, 1, 1]} | ${"floats"}   | ${undefined}
  ${root}    | ${[1, 4, -9, 16]}                   | ${"floats"}   | ${`error "${root}" cannot be given the number -9: its logarithm or root is taken, so it has to be above 0`}
  ${indices} | ${[0, 4, 5]}                        | ${"integers"} | ${`error "${indices}" cannot be given the number 5: it is read as an index from 0 to 4`}
  ${indices} | ${[0, 4, 4]}                        | ${"integers"} | ${undefined}
  ${counts}  | ${[0, 4, -5, 6, 700]}               | ${"floats"}   | ${undefined}
  ${counts}  | ${[0, 0.5, 0, 0, 0]}                | ${"floats"}   | ${`error "${counts}" cannot be given the number 0.5: its type has whole numbers alone`}
`("$numbers for $tensor on $values: $says", ({ tensor, numbers, values, says }) => {
  const result = run({ values, own: [{ tensor, numbers }] });
  const said = result.diagnostics.map(({ severity, message }) => `${severity} ${message}`);
  expect(said).toEqual(says === undefined ? [] : [says]);
  expect(result.ok).toBe(says?.startsWith("error") !== true);
  const code = result.ok ? "execute/own-left-aside" : "execute/own-number";
  expect(result.diagnostics.map((each) => each.code)).toEqual(says === undefined ? [] : [code]);
  if (result.ok) expect(result.value.equal).toBe(true);
});
