import { expect, test } from "vitest";
import { examples } from "#app/examples";
import type { SystemRow } from "#systems/system";
import { compile } from "./compile.ts";
import { type SystemRun, upstreamRun } from "./upstream-run.ts";

/** A MindSpore net from the lines of its `__init__` and `construct`. */
function net(made: string, body: string, takes: string, shapes: string, rest = ""): string {
  return `import mindspore.nn as nn
from mindspore import ops
from mindspore.parallel.auto_parallel import AutoParallel

class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        ${made}
    def construct(self, ${takes}):
        ${body}

net = AutoParallel(Net(), parallel_mode="semi_auto")
${shapes}
${rest}`;
}

function runOf(source: string): SystemRun {
  const run = upstreamRun(compile(source));
  if (run === undefined) throw new Error("a program of no one system");
  return run;
}

/** A row as `name reason: ours | theirs`; an operator by its name and slices. */
function written(row: SystemRow): string {
  const times = row.count === 1 ? "" : `${row.count} × `;
  if (row.kind === "operator") return `${times}${row.name} = ${row.op} ${row.slices}`;
  const ours = row.ours.steps.map(({ collective }) => collective).join(", ") || "nothing";
  const theirs =
    row.theirs.kind === "declined"
      ? "no plan"
      : row.theirs.steps.map(({ words }) => words).join("; ") || "nothing";
  return `${times}${row.name} ${row.reason}: ${ours} | ${theirs}`;
}

function whyOf(run: SystemRun, at: number): string {
  const row = run.rows.filter((each) => each.kind === "edge")[at];
  return row?.theirs.kind === "planned" ? row.theirs.why : "";
}

const rowsToColumns = net(
  "self.first = ops.ReLU().shard(((4, 1),)); self.second = ops.ReLU().shard(((1, 4),))",
  "return self.second(self.first(x))",
  "x",
  "shapes(x=(8, 8))",
);

test("a net of MindSpore stands with its slices and the AllGather between them", () => {
  const program = examples.find(({ name }) => name === "mindspore-net")?.program ?? "";
  const run = runOf(program);
  expect(run.system).toBe("mindspore");
  expect(run.rows.map(written)).toEqual([
    "y = MatMul (2, 4), (4, 6) → (2, 6)",
    "y operand: all-gather | AllGather",
    "z = MatMul (8, 6), (6, 2) → (8, 2)",
  ]);
  expect(run.theirs).toEqual(run.ours);
  expect(whyOf(run, 0)).toBe("The same steps as ours.");
});

test("where ours sends pieces, MindSpore gathers and cuts", () => {
  const run = runOf(rowsToColumns);
  expect(run.rows.map(written)[1]).toMatch(/operand: all-to-all \| AllGather; StridedSlice$/);
  expect(whyOf(run, 0)).toContain("its AllToAll is off unless enable_alltoall is set");
  expect(run.theirs.bytes).toBeGreaterThan(run.ours.bytes);
});

test("a gather along columns is AllGather, Split and Concat", () => {
  const columns = rowsToColumns.replace("((1, 4),)", "((1, 1),)").replace("((4, 1),)", "((1, 4),)");
  expect(runOf(columns).rows.map(written)[1]).toMatch(/all-gather \| AllGather, Split, Concat$/);
});

/** Lists of primitives of the first redistribution, by form. */
function listsOf(run: SystemRun) {
  const [row] = run.rows.flatMap((each) => (each.kind === "edge" ? [each.theirs] : []));
  return row?.kind === "planned" ? row.lists?.map(({ form, text }) => `${form}: ${text}`) : [];
}

test("an edge of MindSpore's has its list raw, cleaned up and with AllToAll", () => {
  const [gather, cut] = ["AllGather {0, 1, 2, 3}", "StridedSlice dim 1 by 4"];
  expect(listsOf(runOf(rowsToColumns))).toEqual([
    `both: ${gather}, ${cut}`,
    "all-to-all: AlltoAll {0, 1, 2, 3} from dim 0 to dim 1",
  ]);
  const order = net(
    'l = Layout((2, 2), ("a", "b")); self.first = ops.ReLU().shard((l("a", "b"),)); self.second = ops.ReLU().shard((l("b", "a"),))',
    "return self.second(self.first(x))",
    "x",
    "shapes(x=(8, 8))",
  ).replace("import ops", "import Layout, ops");
  expect(listsOf(runOf(order))?.map((list) => list.split(":")[0])).toEqual([
    "raw",
    "clean",
    "all-to-all",
  ]);
});

test("a sum inside an operator is none of the list behind it", () => {
  const run = (body: string) =>
    runOf(
      net(
        `self.mm = ops.MatMul()${body}`,
        "return self.mm(x, w)",
        "x, w",
        "shapes(x=(8, 8), w=(8, 8))",
      ),
    );
  expect(listsOf(run(".shard(((1, 4), (4, 1)))"))).toBe(undefined);
  expect(listsOf(run(".shard(((1, 4), (4, 1)), ((4, 1),))"))).toBe(undefined);
});

test("MindSpore redistributes once per reader, ours once for all", () => {
  const run = runOf(
    net(
      "self.mm = ops.MatMul().shard(((4, 1), (1, 1))); self.a = ops.MatMul().shard(((1, 1), (1, 4))); self.b = ops.MatMul().shard(((1, 1), (1, 4)))",
      "y = self.mm(x, w); return self.a(y, v) , self.b(y, u)",
      "x, w, v, u",
      "shapes(x=(8, 4), w=(4, 6), v=(6, 8), u=(6, 8))",
    ),
  );
  const edges = run.rows.filter(({ kind }) => kind === "edge").map(written);
  expect(edges).toEqual(["y operand: all-gather | AllGather", "y again: nothing | AllGather"]);
  expect(run.theirs).toEqual({
    steps: 2,
    bytes: 2 * run.ours.bytes,
    seconds: 2 * run.ours.seconds,
  });
  expect(whyOf(run, 1)).toContain("for each of its readers");
});

test("a sum is completed inside the operator, then redistributed", () => {
  const run = runOf(
    net(
      "self.mm = ops.MatMul().shard(((1, 4), (4, 1))); self.relu = ops.ReLU().shard(((4, 1),))",
      "return self.relu(self.mm(x, w))",
      "x, w",
      "shapes(x=(8, 8), w=(8, 8))",
    ),
  );
  expect(run.rows.map(written).slice(0, 3)).toEqual([
    expect.stringMatching(/= MatMul \(8, 2\), \(2, 8\) → \(8, 8\)$/),
    expect.stringMatching(/reduction: all-reduce \| AllReduce$/),
    expect.stringMatching(/operand: slice \| StridedSlice$/),
  ]);
});

test("a program mixed of both systems, of library operators alone or of nothing has no switch", () => {
  const own = "x = Tensor((4, 4))\ny = relu(x)\n";
  for (const source of ["", own, `${rowsToColumns}\n${own}`]) {
    expect(compile(source).system).toBeUndefined();
    expect(upstreamRun(compile(source))).toBeUndefined();
  }
  for (const { program, plan } of examples.filter(({ name }) => name.startsWith("loom-"))) {
    expect(compile(program, plan === undefined ? {} : { planText: plan }).system).toBeUndefined();
  }
});

test("MindSpore's mirrors stand aside until the program is trained", () => {
  const source = `from mindspore import ops
x = Tensor((8, 8))
w = Parameter((8, 8))
y = ops.MatMul().shard(((4, 2), (2, 1)))(x, w)
`;
  const run = runOf(source);
  const mirror = run.rows.at(-1);
  expect(mirror).toMatchObject({ kind: "edge", name: "w", reason: "gradient", isAside: true });
  expect(mirror && written(mirror)).toBe("w gradient: nothing | _MirrorOperator");
  expect(run.theirs.steps).toBe(1);
  expect(whyOf(run, 1)).toMatch(/^In training only/);
});

test("in training MindSpore sums copies of a gradient that ours knows to be equal", () => {
  const run = runOf(`from mindspore import ops
x = Tensor((8, 8))
w = Parameter((8, 8))
v = Parameter((8, 8))
y = ops.MatMul().shard(((1, 1), (1, 1)))(x, w)
z = ops.MatMul().shard(((4, 1), (1, 1)))(y, v)
loss = ops.ReduceSum()(z)
train(loss)
`);
  const rows = run.rows.filter((row) => row.kind === "edge" && row.reason === "gradient");
  expect(rows.map(written)).toEqual([
    "w gradient: nothing | _MirrorOperator",
    "v gradient: all-reduce | _MirrorOperator",
  ]);
  const whys = rows.flatMap((row) =>
    row.kind === "edge" && row.theirs.kind === "planned" ? [row.theirs.why] : [],
  );
  expect(whys[0]).toContain("copies of the same calculation too");
  expect(whys[1]).toBe("The same steps as ours.");
  expect(rows.every((row) => row.kind === "edge" && row.isAside === undefined)).toBe(true);
});

const annotated = examples.find(({ name }) => name === "nnscaler-matmul")?.program ?? "";

test("nnScaler's adapters stand for a partial sum and vanish with it", () => {
  expect(runOf(annotated).rows.map(written)).toEqual([
    "out = operator (4, 3), (3, 8) → (4, 8)",
    "out output: all-reduce | all-reduce",
  ]);
  const moved = runOf(annotated.replace('kd="tp"', 'n="tp"'));
  expect(moved.rows.map(written)).toEqual(["out = operator (4, 6), (6, 4) → (4, 4)"]);
});

test("blocks that repeat stand once, with their number", () => {
  const source = `# annotation: b k+, k+ f -> b f
def project(x, w):
    return torch.matmul(x, w)

mesh = Mesh(mp=4)

def block(x, w):
    h = project(x, w)
    return h

x = Tensor((8, 8))
for _ in range(6):
    x = block(x, Parameter((8, 8)))
strategy("block[*].h", f="mp")
`;
  const run = runOf(source);
  expect(run.rows.map(written)).toEqual([
    "6 × block[*].h = project (8, 8), (8, 2) → (8, 2)",
    "5 × block[*].h operand: all-gather | all-gather",
  ]);
  expect(run.ours).toMatchObject({ steps: 5, bytes: compile(source).cost.bytes });
});

test.each(examples.filter(({ program }) => compile(program).system !== undefined))(
  "$name: ours sends what the cost says, and the system as much as its lines say",
  ({ program }) => {
    const compiled = compile(program);
    const run = runOf(program);
    expect(run.ours.bytes).toBe(compiled.cost.bytes);
    const theirs = run.rows.flatMap((row) =>
      row.kind === "edge" && row.theirs.kind === "planned" ? [row.count * row.theirs.bytes] : [],
    );
    expect(run.theirs.bytes).toBe(theirs.reduce((sum, bytes) => sum + bytes, 0));
    expect(run.declined).toBe(0);
  },
);

test.each`
  mode                       | theirs                 | how
  ${"sharding_propagation"}  | ${/^\(\(4, 1\),\)$/}   | ${"least redistribution"}
  ${"recursive_programming"} | ${/^\(\(\d, \d\),\)$/} | ${"halves the devices"}
`("$mode says what it would choose for an open operator, beside ours", ({ mode, theirs, how }) => {
  const source = net(
    "self.mm = ops.MatMul().shard(((4, 1), (1, 1))); self.relu = ops.ReLU()",
    "h = self.mm(x, w); y = self.relu(h); return y",
    "x, w",
    "shapes(x=(8, 8), w=(8, 8))",
  ).replace("semi_auto", mode);
  const { choices } = runOf(source);
  expect(choices).toMatchObject({
    mode,
    how: expect.stringContaining(how),
    chosen: [{ name: "y", op: "ReLU", theirs: expect.stringMatching(theirs), ours: "a over d0" }],
  });
  expect(runOf(source.replace(mode, "semi_auto"))).not.toHaveProperty("choices");
});
