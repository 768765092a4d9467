import { expect, test } from "vitest";
import { answerTo, plainAnswer } from "./index.ts";

interface Slice {
  readonly ranges: readonly (readonly [number, number])[];
}

/** A net under semi_auto that returns the result of one primitive or a chain of them. */
function net(primitives: Readonly<Record<string, string>>, construct: string, shapes: string) {
  const lines = Object.entries(primitives).map(([name, text]) => `        self.${name} = ${text}`);
  const inputs = [...shapes.matchAll(/(\w+)=/g)].map(([, name]) => name).join(", ");
  return `import mindspore.nn as nn
from mindspore import ops, Layout
from mindspore.parallel.auto_parallel import AutoParallel
l = Layout((2, 2), ("dp", "mp"))
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
${lines.join("\n")}
    def construct(self, ${inputs}):
        y = ${construct}
        return y
net = AutoParallel(Net(), parallel_mode='semi_auto')
shapes(${shapes})
`;
}

function answer(command: string, args: Readonly<Record<string, unknown>>) {
  return JSON.parse(JSON.stringify(plainAnswer(answerTo(command, args), args)));
}

/**
 * Whether devices compute the unsharded program's result, and the collectives that the plan needs.
 */
function outcome(program: string): readonly [equal: boolean, sent: readonly string[]] {
  const { equal } = answer("run", { program, engine: "cpu", seed: 1, values: "integers" });
  const steps: readonly { readonly collective: string; readonly groups?: unknown }[] = answer(
    "plan",
    { program },
  ).steps;
  const sent = steps.filter(({ collective }) => collective !== "operator");
  return [equal, sent.map((step) => `${step.collective} ${JSON.stringify(step.groups)}`)];
}

/** Ranges of one dim of a tensor, in device order. */
function ranges(program: string, tensor: string, dim: number): readonly string[] {
  const { slices }: { readonly slices: readonly Slice[] } = answer("slices", { program, tensor });
  return slices.map((slice) => slice.ranges[dim]?.join("-") ?? "");
}

// mindspore.md §5.5
test.each`
  param       | indices     | ids       | columns                         | sent
  ${"(4, 1)"} | ${"(1, 1)"} | ${"8, 4"} | ${["0-2", "2-4", "4-6", "6-8"]} | ${["reduce-scatter [[0,1,2,3]]"]}
  ${"(4, 1)"} | ${"(1, 1)"} | ${"6, 4"} | ${["0-6", "0-6", "0-6", "0-6"]} | ${["all-reduce [[0,1,2,3]]"]}
  ${"(2, 1)"} | ${"(2, 1)"} | ${"8, 4"} | ${["0-4", "0-4", "4-8", "4-8"]} | ${["all-reduce [[0,1],[2,3]]"]}
  ${"(1, 2)"} | ${"(2, 1)"} | ${"8, 4"} | ${["0-4", "0-4", "4-8", "4-8"]} | ${[]}
  ${"(2, 2)"} | ${"(1, 1)"} | ${"8, 4"} | ${["0-4", "0-4", "4-8", "4-8"]} | ${["reduce-scatter [[0,2],[1,3]]"]}
`(
  "Gather of $param and $indices on indices ($ids) leaves dim 0 as $columns",
  ({ param, indices, ids, columns, sent }) => {
    const gather = `ops.Gather().shard((${param}, ${indices}))`;
    const program = net({ g: gather }, "self.g(t, i, 0)", `t=(64, 8), i=(${ids})`);
    expect(ranges(program, "y", 0)).toEqual(columns);
    expect(outcome(program)).toEqual([true, sent]);
  },
);

test("fewer pieces than devices: copies of a gather that cuts its axis are outermost", () => {
  const program = net(
    { g: "ops.Gather().shard(((2, 1), (1, 1)))" },
    "self.g(t, i, 0)",
    "t=(64, 8), i=(8, 4)",
  );
  const text = `${program}mesh = Mesh(d=4)\n`;
  expect(ranges(text, "t", 0)).toEqual(["0-32", "32-64", "0-32", "32-64"]);
  expect(outcome(text)).toEqual([true, ["reduce-scatter [[0,1],[2,3]]"]]);
});

test("manual_split gives every device its own number of rows and its columns of the indices", () => {
  const attribute = 'add_prim_attr("manual_split", (10, 20, 30, 4))';
  const program = net(
    { g: `ops.Gather().shard(((4, 1), (1, 4))).${attribute}` },
    "self.g(t, i, 0)",
    "t=(64, 8), i=(8, 8)",
  );
  expect(ranges(program, "t", 0)).toEqual(["0-10", "10-30", "30-60", "60-64"]);
  expect(ranges(program, "y", 1)).toEqual(["0-2", "2-4", "4-6", "6-8"]);
  // A run's indices are in the rows of the device that looks them up, as the split intends.
  expect(outcome(program)).toEqual([true, []]);
});

const relu = (pieces: string) => `ops.ReLU().shard((${pieces},))`;

test.each`
  what                                                  | attribute                           | equal
  ${"a mean of its own part"}                           | ${"cross_batch on a mean"}          | ${false}
  ${"a reduction of its own part"}                      | ${"cross_batch"}                    | ${false}
  ${"a reshape of its own block, which moves nothing"}  | ${"skip_redistribution of rows"}    | ${true}
  ${"a reshape of its own block, which would move all"} | ${"skip_redistribution of columns"} | ${false}
  ${"an update of the rows that it holds"}              | ${"self_define_shard"}              | ${false}
`("$attribute: each device makes $what, and nothing is sent", ({ attribute, equal }) => {
  const program = unverified[attribute];
  if (program === undefined) throw new Error(attribute);
  expect(outcome(program)).toEqual([equal, []]);
  const said = answer("check", { program }).diagnostics;
  expect(said.map(({ code }: { readonly code: string }) => code)).toEqual(["mindspore/as-given"]);
});

const skipping = 'ops.Reshape().add_prim_attr("skip_redistribution", True)';

const unverified: Readonly<Record<string, string>> = {
  cross_batch: net(
    { s: 'ops.ReduceSum().add_prim_attr("cross_batch", True).shard(((4, 1),))' },
    "self.s(x, 0)",
    "x=(8, 6)",
  ),
  "cross_batch on a mean": net(
    { s: 'ops.ReduceMean().add_prim_attr("cross_batch", True).shard(((4, 1),))' },
    "self.s(x, 0)",
    "x=(8, 6)",
  ),
  "skip_redistribution of rows": net(
    { a: relu("(4, 1)"), s: skipping, b: relu("(4, 1)") },
    "self.b(self.s(self.a(x), (16, 8)))",
    "x=(8, 16)",
  ),
  "skip_redistribution of columns": net(
    { a: relu("(4, 1)"), s: skipping, b: relu("(1, 4)") },
    "self.b(self.s(self.a(x), (16, 8)))",
    "x=(8, 16)",
  ),
  self_define_shard: net(
    {
      s: 'ops.TensorScatterUpdate().add_prim_attr("self_define_shard", True).shard((l("dp", "mp"), l("None", "None"), l("None", "mp")), (l("dp", "mp"),))',
    },
    "self.s(x, i, u)",
    "x=(8, 16), i=(4, 1), u=(4, 16)",
  ),
};

test.each`
  primitives                                                                                      | construct                               | shapes                              | says
  ${{ a: relu("(4, 1)"), s: skipping, b: relu("(2, 1)") }}                                        | ${"self.b(self.s(self.a(x), (16, 8)))"} | ${"x=(8, 16)"}                      | ${"as many pieces"}
  ${{ s: 'ops.ReduceSum().add_prim_attr("cross_batch", 1).shard(((4, 1),))' }}                    | ${"self.s(x, 0)"}                       | ${"x=(8, 6)"}                       | ${'"cross_batch": a bool'}
  ${{ s: "ops.TensorScatterUpdate().shard(((2, 1), (1, 1), (1, 1)))" }}                           | ${"self.s(x, i, u)"}                    | ${"x=(8, 16), i=(4, 1), u=(4, 16)"} | ${"its strategy value must be 1"}
  ${{ s: 'ops.ReduceSum().shard((l("dp", "mp"),))' }}                                             | ${"self.s(x, 0)"}                       | ${"x=(8, 6)"}                       | ${"does not support config layout"}
  ${{ s: "ops.ReLU().shard(((4, 1),), ((4, 1),))" }}                                              | ${"self.s(x)"}                          | ${"x=(8, 6)"}                       | ${"takes no out_strategy"}
  ${{ g: 'ops.Gather().shard(((4, 1), (1, 4))).add_prim_attr("manual_split", (10, 20, 30, 5))' }} | ${"self.g(t, i, 0)"}                    | ${"t=(64, 8), i=(8, 8)"}            | ${"adds up to 65, not to 64 rows (Operator-level Parallelism"}
`("$primitives is refused: $says", ({ primitives, construct, shapes, says }) => {
  const { diagnostics } = answer("check", { program: net(primitives, construct, shapes) });
  const errors = diagnostics.filter(
    ({ severity }: { readonly severity?: string }) =>
      severity === undefined || severity === "error",
  );
  const [error] = errors;
  expect(error).toMatchObject({ code: "mindspore/strategy-refused", upstream: "RuntimeError" });
  expect(error.message).toContain(says);
});

test.each`
  op              | sent
  ${"ReduceSum"}  | ${["all-reduce [[0,1,2,3]]"]}
  ${"ReduceMean"} | ${["all-reduce [[0,1,2,3]]"]}
`("$op over a cut dim is combined at once", ({ op, sent }) => {
  const program = net({ s: `ops.${op}().shard(((4, 1),))` }, "self.s(x, 0)", "x=(8, 6)");
  expect(outcome(program)).toEqual([true, sent]);
});
