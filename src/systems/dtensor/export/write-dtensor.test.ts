import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { examples } from "#app/examples";
import { compile } from "#compile";
import { asked } from "../../../cli/asked.testing.ts";
import { writeCode } from "../../code.testing.ts";

interface Written {
  readonly ok: boolean;
  readonly files: readonly { readonly name: string; readonly text: string }[];
  readonly claims: {
    readonly slices: Readonly<
      Record<string, readonly { readonly device: number; readonly ranges: readonly number[][] }[]>
    >;
    readonly collectives: readonly {
      readonly collective: string;
      readonly groups: readonly (readonly number[])[];
      readonly bytesPerDevice: number;
    }[];
  };
  readonly diagnostics: readonly { readonly code: string; readonly message: string }[];
}

function written(program: string): Written {
  return asked<Written>("export", { program, to: "dtensor" });
}

function textOf(program: string): string {
  return written(program).files[0]?.text ?? "";
}

/** Lines of the program on DTensors, after those that name its inputs. */
function runLines(program: string): readonly string[] {
  const text = textOf(program);
  const body = text.slice(text.indexOf("def run("), text.indexOf("def low("));
  const lines = body.split("\n").slice(1);
  return lines.filter((line) => !/ = given\["/.test(line)).map((line) => line.slice(4));
}

const megatron = `mesh = Mesh(dp=2, mp=2)
x = Tensor((8, 16))
w1 = Parameter((16, 32))
w2 = Parameter((32, 12))
h = matmul(x, w1)
a = gelu(h)
y = matmul(a, w2)
z = softmax(y)
strategy(h, m="dp", n="mp")
strategy(y, m="dp", k="mp")
`;

test("a product that is cut by columns and rows is what one writes, and ends in one redistribution", () => {
  const lines = runLines(megatron);
  expect(lines.slice(0, 5)).toEqual([
    'h = on_axis(layers.h, x, mesh, "mp")',
    "a = 0.5 * h * (1 + torch.erf(0.707106781187 * h))",
    'y = on_axis(layers.y, a, mesh, "mp")',
    "# all-reduce over mp, 192 B: z reads it so",
    "y_2 = y.redistribute(placements=[Shard(0), Replicate()])",
  ]);
  const { claims } = written(megatron);
  expect(claims.collectives).toEqual([
    {
      collective: "all-reduce",
      groups: [
        [0, 1],
        [2, 3],
      ],
      bytesPerDevice: 192,
    },
  ]);
  expect(textOf(megatron)).toContain('"w1": ((16, 32), "float32", [Replicate(), Shard(1)]),');
});

test("where DTensor sends more than the plan, both are said, and claimed is what DTensor sends", () => {
  const both = `mesh = Mesh(a=2, b=2)
x = Tensor((16, 16))
y = relu(x)
strategy(y, a=("a", "b"))
place(x, layout("None", ("a", "b")))
`;
  expect(runLines(both)[0]).toBe(
    "# all-gather over b, all-to-all over a, 512 B; the plan sends 192 B: y reads it so",
  );
  expect(textOf(both)).toContain(
    "Its collectives bring each device 512 B; the plan's own bring 192 B.",
  );
  expect(written(both).claims.collectives.map((each) => each.bytesPerDevice)).toEqual([256, 256]);
});

test("what DTensor would cut otherwise runs on the blocks of the plan, by local_map", () => {
  const looked = `mesh = Mesh(tp=2)
ids = Tensor((4, 4), "int32")
table = Parameter((16, 4))
e = embedding(ids, table)
strategy(e, n="tp")
train(e.sum())
`;
  const lines = runLines(looked);
  expect(lines[0]).toBe("correction1, correction2 = corrections(step)");
  expect(lines[1]).toMatch(/^def on_blocks\(/);
  expect(lines.join("\n")).toContain('position(mesh, "tp") * 8');
  expect(lines.join("\n")).toContain("out_placements=[Partial()]");
});

test("ranks count along the mesh, and the launcher puts them on the devices of the plan", () => {
  const order = `mesh = Mesh(x=2, y=2, devices=[2, 0, 3, 1])
a = Tensor((4, 4))
b = relu(a)
strategy(b, a="x")
`;
  const text = textOf(order);
  expect(text).toContain("CUDA_VISIBLE_DEVICES=2,0,3,1 torchrun");
  const { claims } = written(order);
  expect(claims.slices.a?.map(({ ranges }) => ranges[0])).toEqual([
    [0, 2],
    [0, 2],
    [2, 4],
    [2, 4],
  ]);
});

test("axes stand in the order in which they cut dims, which is the only one of placements", () => {
  const inner = `mesh = Mesh(x=2, y=4)
a = Tensor((8, 4))
b = relu(a)
strategy(b, a=("y", "x"))
`;
  const text = textOf(inner);
  expect(text).toContain('MESH = {"y": 4, "x": 2}');
  expect(text).toContain("CUDA_VISIBLE_DEVICES=0,4,1,5,2,6,3,7");
});

test.each([
  [
    "a dim that is cut in two orders",
    `mesh = Mesh(x=2, y=2)
a = Tensor((8, 4))
b = relu(a)
c = neg(b)
strategy(b, a=("x", "y"))
strategy(c, a=("y", "x"))
`,
    "different orders (a by x and then y, b by y and then x)",
  ],
  [
    "an uneven dim",
    'mesh = Mesh(d=4)\nx = Tensor((6, 4))\ny = relu(x)\nstrategy(y, a="d")\n',
    "x is cut unevenly",
  ],
  [
    "numbers that are drawn",
    "mesh = Mesh(d=2)\nx = Tensor((4, 4))\ny = dropout(x, 0.5)\n",
    "draws its own",
  ],
])("%s is refused with its cause", (_, program, cause) => {
  const answer = written(program);
  expect(answer.ok).toBe(false);
  const refusal = answer.diagnostics.find(({ code }) => code === "export/not-written");
  expect(refusal?.message).toContain(cause);
});

const all = examples.flatMap(({ name, program }) => {
  const answer = program === undefined ? undefined : written(program);
  return answer?.ok ? [{ name, answer }] : [];
});

test("most examples can be written, and what is written is Python", () => {
  expect(all.length).toBeGreaterThan(25);
  const texts = JSON.stringify(all.map(({ answer }) => answer.files[0]?.text));
  const check = "import ast, json, sys\nfor t in json.load(sys.stdin): ast.parse(t)";
  const run = spawnSync("python3", ["-c", check], { input: texts, encoding: "utf8" });
  expect(run.error ?? run.stderr).toBe("");
});

test("every claimed collective stands in a comment, with its axes and in order", () => {
  for (const { name, answer } of all) {
    const text = answer.files[0]?.text ?? "";
    const said = [...text.matchAll(/^ {4}# (.*)$/gmu)].flatMap(([, line = ""]) =>
      [...line.matchAll(/(all-gather|all-to-all|all-reduce|reduce-scatter) over/g)].map(
        ([, kind]) => kind,
      ),
    );
    const claimed = answer.claims.collectives.map(({ collective }) => collective);
    expect([name, said]).toEqual([name, claimed]);
  }
});

const layers = `mesh = Mesh(tp=4)
x = Tensor((8, 4, 16))
w1 = Parameter((16, 32))
w2 = Parameter((12, 32))
h = matmul(x, w1)
a = gelu(h)
y = linear(a, w2)
z = softmax(y)
strategy(h, n="tp")
strategy(y, k="tp")
`;

test("products with parameters that one axis cuts by columns or rows are layers, with their plan", () => {
  const text = textOf(layers);
  expect(text).toContain('        "h": ColwiseParallel(use_local_output=False),\n');
  expect(text).toContain(
    '        "y": RowwiseParallel(output_layouts=Partial(), use_local_output=False),\n',
  );
  expect(text).toContain('    "w1": ("h", True),\n    "w2": ("y", False),\n');
  expect(text).toContain("        self.y = nn.Linear(32, 12, bias=False)\n");
  expect(runLines(layers).slice(0, 4)).toEqual([
    "h = layers.h(x)",
    "a = 0.5 * h * (1 + torch.erf(0.707106781187 * h))",
    "y = layers.y(a)",
    "# all-reduce over tp, 2.3 kB: z reads it so",
  ]);
});

test("a table that is cut by columns is a layer", () => {
  const table = `mesh = Mesh(tp=4)
ids = Tensor((8, 4), "int32")
table = Parameter((32, 16))
x = embedding(ids, table)
y = relu(x)
strategy(x, e="tp")
`;
  const keys = table.replace('e="tp"', `${embeddingColumns(table)}="tp"`);
  const text = textOf(keys);
  expect(text).toContain("        self.x = nn.Embedding(32, 16)\n");
  expect(text).toContain('        "x": ColwiseParallel(use_local_output=False),\n');
  expect(runLines(keys)[0]).toBe("x = layers.x(ids)");
});

/** Identifier of the columns of an embedding table. */
function embeddingColumns(program: string): string {
  const { graph } = compile(program);
  return graph.operators[0]?.inputs[1]?.dims[1]?.identifiers[0] ?? "";
}

const wholeWeight = `mesh = Mesh(dp=2)
x = Tensor((8, 4))
w = Parameter((4, 4))
y = matmul(x, w)
strategy(y, m="dp")
`;
const twoAxes = wholeWeight.replace("dp=2", "a=2, b=2").replace('m="dp"', 'n="a", k="b"');

test.each([
  [
    "of whole weights",
    wholeWeight,
    "No layer of parallelize_module holds w, since no axis cuts it.",
  ],
  [
    "of weights on two axes",
    twoAxes,
    "holds w, since several axes cut it, and such a layer lies on one.",
  ],
  ["of training", `${layers}train(z.sum())\n`, "it states their gradients and updates itself"],
])("a file %s says why it has no layers, and so does its answer", (_, program, why) => {
  const code = writeCode(compile(program), "dtensor");
  expect(code.ok && code.note).toContain(why);
  expect(textOf(program)).toContain(why);
});

const ofTwoAxes = `mesh = Mesh(dp=2, tp=2)
ids = Tensor((8, 4), "int32")
table = Parameter((32, 16))
g = Parameter((16,))
w1 = Parameter((16, 32))
w2 = Parameter((16, 32))
w3 = Parameter((16, 8))
x = embedding(ids, table)
n = layer_norm(x, g)
h = matmul(n, w1)
y = linear(h, w2)
z = matmul(y, w3)
strategy(x, a="dp", n="tp")
strategy(n, a="dp", b="tp")
strategy(h, a="dp", n="tp")
strategy(y, a="dp", k="tp")
`;

test("on a mesh of two axes, layers lie on that which cuts their weights", () => {
  const text = textOf(ofTwoAxes);
  expect(text).toContain(`PLANS = {  # by the axis of the mesh along which the layers are cut
    "tp": {
        "x": RowwiseParallel(input_layouts=Replicate(), output_layouts=Shard(1), use_local_output=False),
        "n": SequenceParallel(sequence_dim=1, use_local_output=False),
        "h": ColwiseParallel(use_local_output=False),
        "y": RowwiseParallel(output_layouts=Partial(), use_local_output=False),
    },
}
`);
  expect(text).toContain("        self.n = nn.LayerNorm(16, eps=0.00001, bias=False)\n");
  // The table adds up its zeros itself, in place of the plan's reduce-scatter.
  expect(runLines(ofTwoAxes).slice(0, 2)).toMatchObject([
    expect.stringMatching(/^# reduce-scatter over tp/),
    expect.stringMatching(/ = on_axis\(layers\.x, ids, mesh, "tp"\)$/),
  ]);
});

test("what has no layer beside others is named with its cause", () => {
  expect(textOf(ofTwoAxes)).toContain(
    "No layer of parallelize_module holds w3, since no axis cuts it.",
  );
});

test("a norm of rows of the batch is no layer", () => {
  const batch = ofTwoAxes.replace('strategy(n, a="dp", b="tp")', 'strategy(n, a="dp")');
  expect(textOf(batch)).not.toContain("LayerNorm");
});

test("a file with layers says nothing of their absence, nor one without weights", () => {
  const bare = 'mesh = Mesh(d=2)\nx = Tensor((4, 4))\ny = relu(x)\nstrategy(y, a="d")\n';
  for (const program of [layers, bare]) expect(textOf(program)).not.toContain("no layers");
});

test.each([
  ["a step of training", `${layers}train(z.sum())\n`],
  ["a weight that two read", `${layers}v = matmul(x, w1)\n`],
  ["rows of the batch", layers.replace('strategy(h, n="tp")', 'strategy(h, m="tp")')],
])("%s makes no layer of the first product", (_, program) => {
  expect(textOf(program)).not.toContain("layers.h(");
  expect(textOf(program)).toContain("def run(");
});

test("a step is told its number and rate, and what it replaces stands in the file", () => {
  const text = textOf(
    `mesh = Mesh(dp=2)\nx = Tensor((8, 8))\nw = Parameter((8, 8))\ny = matmul(x, w)\nstrategy(y, m="dp")\ntrain(y)\n`,
  );
  expect(text).toContain("def run(given, mesh, step=1, lr=0.001):");
  expect(text).toContain("return 1 - 0.9**step, 1 - 0.999**step");
  expect(text).toContain("after run(given, mesh, step, lr), by name as given is.");
});

test("what our own route passes through is no reason to refuse: DTensor is asked for the end", () => {
  // Between cuts by rows and by heads each device holds several pieces of the rows.
  const program = `mesh = Mesh(dp=8, ep=8)
x = Tensor((512, 8, 64))
h = relu(x)
y = gelu(h)
strategy(h, a="ep", c="dp")
strategy(y, a=("dp", "ep"))
`;
  const { steps } = asked<{ steps: { layout?: string }[] }>("plan", { program });
  expect(steps.some(({ layout }) => layout?.includes("~"))).toBe(true);
  const { ok, claims } = written(program);
  expect(ok).toBe(true);
  expect(claims.collectives.length).toBeGreaterThan(0);
});
