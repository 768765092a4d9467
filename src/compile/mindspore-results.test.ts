import { expect, test } from "vitest";
import { printLayout } from "#core/mesh";
import { runPlan } from "#execute/verify";
import { compile } from "./compile.ts";

function compiled(lines: string) {
  return compile(`from mindspore import ops
x = Tensor((8, 4, 16))
w = Parameter((8, 4))
g = Parameter((16,))
b = Parameter((16,))
${lines}
`);
}

// mindspore.md §5.3: moments have x's layout, but whole from begin_norm_axis on; §6.5 for the
// others
test.each`
  line                                                                            | layouts
  ${"y, mean, var = ops.LayerNorm(2, 2).shard(((4, 2, 1), (1,), (1,)))(x, g, b)"} | ${{ y: "d0,d1,_", mean: "d0,d1,_", var: "d0,d1,_" }}
  ${"y, root = ops.RmsNorm().shard(((2, 4, 1), (1,)))(x, g)"}                     | ${{ y: "d0,d1,_", root: "d0,d1,_" }}
  ${"y, mask = ops.Dropout(0.75).shard(((2, 2, 2),))(x)"}                         | ${{ y: "d0,d1,d2", mask: "d0,d1,d2" }}
  ${"y = ops.Tile().shard(((2, 4),))(w, (1, 4))"}                                 | ${{ w: "d0,_", y: "d0,d1" }}
  ${"y = ops.Tile().shard(((2, 2),))(w, (2, 1))"}                                 | ${{ w: "_,d1", y: "d0,d1" }}
`("$line lies as $layouts and runs right", ({ line, layouts }) => {
  const { plan, program, tensors, graph } = compiled(line);
  const laid = tensors.map(({ tensor, layout }) => [
    graph.tensors.find(({ id }) => id === tensor)?.name,
    printLayout(layout),
  ]);
  expect(Object.fromEntries(laid)).toMatchObject(layouts);
  for (const values of ["integers", "floats"] as const) {
    const run = runPlan(plan, program, { seed: 1, values });
    expect(run.ok && run.value.equal).toBe(true);
  }
});

test("gradients pass norms with moments, masks and repetitions that are cut", () => {
  const { plan, program, diagnostics } =
    compiled(`y, mean, _ = ops.LayerNorm(2, 2).shard(((4, 2, 1), (1,), (1,)))(x, g, b)
d, mask = ops.Dropout(0.75).shard(((4, 2, 1),))(y)
v = ops.Tile().shard(((2, 4),))(w, (1, 4))
u = ops.Reshape()(v, (8, 4, 4))
loss = ops.ReduceSum().shard(((4, 2, 1),))(d, ()) + ops.ReduceSum().shard(((4, 2, 1),))(u, ())
train(loss)`);
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  const run = runPlan(plan, program, { seed: 2, values: "floats" });
  if (!run.ok) throw new Error(run.diagnostics[0]?.message);
  expect(run.value.equal).toBe(true);
  const names = run.value.tensors.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(["g.grad", "b.grad", "w.grad"]));
});
