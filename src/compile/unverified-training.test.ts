import { expect, test } from "vitest";
import { runPlan } from "#execute/verify";
import { compile } from "./compile.ts";

/** A net of primitives over a parameter `w`, trained with its result as the loss. */
function net(primitives: Readonly<Record<string, string>>, construct: string, shapes: string) {
  const lines = Object.entries(primitives).map(([name, text]) => `        self.${name} = ${text}`);
  const inputs = [...shapes.matchAll(/(\w+)=/g)]
    .map(([, name]) => name)
    .filter((name) => name !== "w");
  return `import mindspore.nn as nn
from mindspore import Parameter, Tensor, ops, Layout
from mindspore.parallel.auto_parallel import AutoParallel
l = Layout((2, 2), ("dp", "mp"))
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
${lines.join("\n")}
        self.w = Parameter(Tensor(${/w=(\([^)]*\))/.exec(shapes)?.[1]}))
    def construct(self, ${inputs.join(", ")}):
        y = ${construct}
        return y
net = AutoParallel(Net(), parallel_mode='semi_auto')
shapes(${shapes})
train("y")
`;
}

/**
 * Whether the parameter's gradient equals that of the unsharded program, and the diagnostics about
 * it.
 */
function outcomeOf(program: string) {
  const compiled = compile(program);
  const run = runPlan(compiled.plan, compiled.program, { seed: 2, values: "integers" });
  if (!run.ok) throw new Error(run.diagnostics[0]?.message);
  const gradient = run.value.tensors.find(({ name }) => name === "w.grad");
  const said = compiled.diagnostics.filter(({ code }) => code === "mindspore/as-given-gradient");
  return { isReference: gradient?.equal, said: said.map(({ message }) => message) };
}

const rows = "ops.MatMul().shard(((4, 1), (1, 1)))";
const columns = "ops.MatMul().shard(((1, 1), (1, 4)))";
const act = "ops.ReLU().shard(((4, 1),))";
const skip = 'ops.Reshape().add_prim_attr("skip_redistribution", True)';
const reduce = (op: string) => `ops.${op}().add_prim_attr("cross_batch", True).shard(((4, 1),))`;
const manual =
  'ops.Gather().add_prim_attr("manual_split", (10, 20, 30, 4)).shard(((4, 1), (1, 4)))';
const own =
  'ops.TensorScatterUpdate().add_prim_attr("self_define_shard", True).shard((l("dp", "None"), l("None", "None"), l("None", "None")), (l("dp", "None"),))';

const product = "x=(8, 4), w=(4, 8)";
const programs: Readonly<Record<string, string>> = {
  "cross_batch on ReduceSum": net(
    { m: rows, s: reduce("ReduceSum") },
    "self.s(self.m(x, self.w), 0)",
    product,
  ),
  "cross_batch on ReduceMean": net(
    { m: rows, s: reduce("ReduceMean") },
    "self.s(self.m(x, self.w), 0)",
    product,
  ),
  "cross_batch on ReduceMax": net(
    { m: rows, s: reduce("ReduceMax") },
    "self.s(self.m(x, self.w), 0)",
    product,
  ),
  "skip_redistribution of rows": net(
    { m: rows, r: skip, a: act },
    "self.a(self.r(self.m(x, self.w), (16, 4)))",
    product,
  ),
  "skip_redistribution of columns": net(
    { m: columns, r: skip, a: act },
    "self.a(self.r(self.m(x, self.w), (16, 4)))",
    product,
  ),
  manual_split: net({ g: manual }, "self.g(self.w, i, 0)", "i=(8, 8), w=(64, 8)"),
  self_define_shard: net({ u: own }, "self.u(self.w, i, v)", "i=(4, 1), v=(4, 8), w=(8, 8)"),
};

test.each`
  program                             | isReference | why
  ${"cross_batch on ReduceSum"}       | ${true}     | ${undefined}
  ${"cross_batch on ReduceMean"}      | ${true}     | ${"divides by the length of its own part"}
  ${"cross_batch on ReduceMax"}       | ${false}    | ${"passes back to the extremes of its own part"}
  ${"skip_redistribution of rows"}    | ${true}     | ${undefined}
  ${"skip_redistribution of columns"} | ${false}    | ${"reshapes back the block that it holds"}
  ${"manual_split"}                   | ${true}     | ${"adds up only what it looked up in its own rows"}
  ${"self_define_shard"}              | ${true}     | ${"passes back through its own blocks alone"}
`("training through $program: $why", ({ program, isReference, why }) => {
  const outcome = outcomeOf(programs[program] ?? "");
  expect(outcome.isReference).toBe(isReference);
  if (why === undefined) expect(outcome.said).toEqual([]);
  else expect(outcome.said).toEqual([expect.stringContaining(why)]);
});

test("without train() nothing is said of gradients", () => {
  const text = (programs.self_define_shard ?? "").replace('train("y")\n', "");
  const codes = compile(text).diagnostics.map(({ code }) => code);
  expect(codes).toEqual(["mindspore/as-given"]);
});
