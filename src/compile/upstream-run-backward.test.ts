import { expect, test } from "vitest";
import { groupsOf } from "#core/collective";
import { wholeAxis } from "#core/mesh";
import { priceSteps } from "#core/reshard";
import type { SystemRow } from "#systems/system";
import { layoutFrom, meshOf } from "../core/reshard/layouts.testing.ts";
import { compile } from "./compile.ts";
import { type SystemRun, upstreamRun } from "./upstream-run.ts";

function runOf(lines: string): SystemRun {
  const run = upstreamRun(compile(`from mindspore import ops\n${lines}train(loss)\n`));
  if (run === undefined) throw new Error("a program of no one system");
  return run;
}

/** Rows of the backward pass as `h.grad: ours | theirs`, without operators and mirrors. */
function backwardOf({ rows }: SystemRun): readonly string[] {
  return rows.flatMap((row) => {
    if (row.phase !== "backward") return [];
    if (row.kind === "operator")
      return row.op === "_VirtualDiv" ? [`${row.name} ${row.slices}`] : [];
    if (row.reason === "gradient" || row.theirs.kind !== "planned") return [];
    const ours = row.ours.steps.map(({ collective }) => collective).join(", ") || "nothing";
    const theirs = row.theirs.steps.map(({ words }) => words).join("; ") || "nothing";
    return [`${row.name}: ${ours} | ${theirs}`];
  });
}

function whyOf(row: SystemRow | undefined): string {
  return row?.kind === "edge" && row.theirs.kind === "planned" ? row.theirs.why : "";
}

const summed = "loss = ops.ReduceSum().shard(((1, 4),))(z, ())\n";
const product = (first: string, second: string) => `x = Tensor((8, 8))
w = Parameter((8, 8))
y = ops.MatMul().shard(${first})(x, w)
z = ops.ReLU().shard(${second})(y)
`;

// grad_comm_ops.py: bprop of AllGather, AllReduce, ReduceScatter; grad_array_ops.py: bprop of
// StridedSlice
test.each`
  what                        | first                            | second         | back
  ${"a gather and a cut"}     | ${"((4, 1), (1, 1))"}            | ${"((1, 4),)"} | ${"all-to-all | StridedSliceGrad; ReduceScatter"}
  ${"a gather of columns"}    | ${"((1, 1), (1, 4))"}            | ${"((1, 1),)"} | ${"slice | Split, Concat, ReduceScatter"}
  ${"a cut"}                  | ${"((1, 1), (1, 1))"}            | ${"((1, 4),)"} | ${"all-gather | StridedSliceGrad"}
  ${"a sum"}                  | ${"((1, 4), (4, 1))"}            | ${"((1, 1),)"} | ${"nothing | AllReduce"}
  ${"a sum that leaves rows"} | ${"((1, 4), (4, 1)), ((4, 1),)"} | ${"((4, 1),)"} | ${"all-gather | AllGather"}
`("on the way back $what is $back", ({ first, second, back }) => {
  const rows = backwardOf(runOf(product(first, second) + summed.replace("((1, 4),)", second)));
  expect(rows.filter((row) => row.startsWith("y.grad"))).toEqual([`y.grad: ${back}`]);
});

test("a sum and the cut behind it come back as a padded slice, then a sum", () => {
  const rows = backwardOf(runOf(product("((1, 4), (4, 1))", "((1, 4),)") + summed));
  // The gradient of the loss is a constant, so the compiler multiplies it instead of sending it.
  expect(rows).toEqual([
    "loss.grad ÷ 4",
    "y.grad: all-gather | StridedSliceGrad",
    "y.grad: nothing | AllReduce",
  ]);
});

test("an extreme sends its gradient to where it came from", () => {
  const extreme =
    "m = ops.ReduceMax().shard(((1, 4),))(z, 1)\nloss = ops.ReduceSum().shard(((1,),))(m, ())\n";
  const rows = backwardOf(runOf(product("((4, 1), (1, 1))", "((1, 4),)") + extreme));
  expect(rows).toContain("m.grad: nothing | AllReduce, Equal, Mul");
});

test.each`
  loss                                                       | isSent
  ${"ops.Neg()(ops.ReduceSum().shard(((1, 4),))(z, ()))"}    | ${false}
  ${"ops.Square()(ops.ReduceSum().shard(((1, 4),))(z, ()))"} | ${true}
  ${"ops.Sqrt()(ops.ReduceMean().shard(((1, 4),))(z, ()))"}  | ${true}
`("of $loss the sum of the forward pass is turned round: $isSent", ({ loss, isSent }) => {
  const rows = backwardOf(runOf(`${product("((4, 1), (1, 1))", "((1, 4),)")}loss = ${loss}\n`));
  expect(rows.some((row) => row.endsWith("| AllReduce"))).toBe(isSent);
});

test("a parameter that two operators read has one mirror", () => {
  const { rows } = runOf(`x = Tensor((8, 8))
w = Parameter((8, 8))
y = ops.MatMul().shard(((4, 1), (1, 1)))(x, w)
z = ops.MatMul().shard(((4, 1), (1, 1)))(y, w)
${summed.replace("((1, 4),)", "((4, 1),)")}`);
  expect(rows.filter(({ name, phase }) => name === "w" && phase === "backward").length).toBe(1);
});

test("the gradient of copies stays in parts, which ours adds at once", () => {
  const run = runOf(`x = Tensor((8, 8))
w = Parameter((8, 8))
v = Parameter((8, 8))
y = ops.MatMul().shard(((1, 1), (1, 1)))(x, w)
z = ops.MatMul().shard(((1, 1), (1, 4)))(y, v)
${summed}`);
  expect(backwardOf(run)).toContain("y.grad: all-reduce | nothing");
  const row = run.rows.find(({ name }) => name === "y.grad");
  expect(
    whyOf(run.rows.find((each) => each.name === "y.grad" && each.kind === "edge") ?? row),
  ).toMatch(/leaves the gradient of copies in parts/u);
});

test("without train there is no way back, and the notes say so", () => {
  const source = `from mindspore import ops\n${product("((4, 1), (1, 1))", "((1, 4),)")}`;
  const run = upstreamRun(compile(source));
  expect(run && backwardOf(run)).toEqual([]);
  expect(run?.notes.at(-1)).toContain("train(…) shows the rest");
  expect(runOf(product("((4, 1), (1, 1))", "((1, 4),)") + summed).notes.at(-1)).toContain(
    "AllGather becomes ReduceScatter",
  );
});

test("a gather and the scattered sum that it becomes cost the same", () => {
  const mesh = meshOf("d=4");
  const part = wholeAxis(mesh, "d");
  const [cut, whole, sums] = [
    layoutFrom("d,_", mesh),
    layoutFrom("_,_", mesh),
    layoutFrom("_,_|d", mesh),
  ];
  const groups = groupsOf(mesh, [part]);
  const slot = { dim: 0, position: 0 };
  const priced = [
    { collective: "all-gather", moves: [{ part, from: slot }], groups, before: cut, after: whole },
    { collective: "reduce-scatter", moves: [{ part, to: slot }], groups, before: sums, after: cut },
  ] as const;
  const [gather, scatter] = priced.map((step) => priceSteps([step], [8, 8]));
  expect(scatter?.bytes).toBe(gather?.bytes);
  expect(scatter?.seconds).toBe(gather?.seconds);
});
