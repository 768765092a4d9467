import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { examples } from "#app/examples";
import { exampleText } from "#app/first-example";
import { asked } from "../../cli/asked.testing.ts";

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
  return asked<Written>("export", { program, to: "torch" });
}

function textOf(program: string): string {
  const [file] = written(program).files;
  return file?.text ?? "";
}

/** The lines of the program of one rank, without their indent. */
function rankLines(program: string): readonly string[] {
  const text = textOf(program);
  const body = text.slice(text.indexOf("def run("), text.indexOf("def block("));
  return body.split("\n").map((line) => line.trim());
}

const matmuls = `mesh = Mesh(d=4)
x = Tensor((8, 16))
w1 = Parameter((16, 32))
w2 = Parameter((32, 12))
h = matmul(x, w1)
y = matmul(h, w2)
strategy(h, n="d")
strategy(y, n="d")
`;

test("two products with a gather between them are three lines, and the claims are the plan's", () => {
  expect(rankLines(matmuls).slice(4, 9)).toEqual([
    "h = x @ w1",
    "# all-gather, 768 B: y reads it so",
    'h_2 = all_gather(h, 1, groups("d"))',
    "y = h_2 @ w2",
    'return {"y": y}',
  ]);
  const { claims } = written(matmuls);
  expect(claims.collectives).toEqual([
    { collective: "all-gather", groups: [[0, 1, 2, 3]], bytesPerDevice: 768 },
  ]);
  expect(claims.slices.w1?.[1]).toEqual({
    device: 1,
    ranges: [
      [0, 16],
      [8, 16],
    ],
  });
});

const outerLeaves = `mesh = Mesh(q=2, r=2)
x = Tensor((4, 8))
y = relu(x)
z = neg(y)
strategy(y, b=("q", "r"))
strategy(z, a="q")
`;

test("a part that was outside of another leaves two pieces, and what is gathered goes into each", () => {
  const lines = rankLines(outerLeaves);
  expect(lines.filter((line) => line.startsWith("y_"))).toEqual([
    'y_2 = all_to_all(y, 1, 0, groups("q"))',
    'y_3 = all_gather(y_2[None], 0, groups("r"))',
    "y_3 = y_3.reshape(2, 2, 2, 2).permute(1, 2, 0, 3).reshape(2, 8)",
  ]);
});

test("a result without dims is whole on every rank, in the check of the file too", () => {
  const trained = matmuls.replace("strategy(y", "loss = y.sum()\ntrain(loss)\nstrategy(y");
  const text = textOf(trained);
  expect(text).toMatch(/"loss\w*": "",/);
  expect(text).toContain('axes = [axis for axis in text.split("*") if axis not in ("", "_")]');
});

test("a file has the collectives that it calls, and no others", () => {
  const text = textOf(matmuls);
  expect(text).toContain("def all_gather(");
  expect(text).not.toContain("def all_reduce(");
  expect(text).not.toContain("def element(");
});

test("a mesh whose devices stand in another order says so", () => {
  const order = "mesh = Mesh(x=2, y=2, devices=[0, 2, 1, 3])\na = Tensor((4, 4))\nb = relu(a)\n";
  expect(textOf(order)).toContain("DEVICES = [0, 2, 1, 3]");
});

test("a function of plain numbers is one of Python, and a bound is a clamp", () => {
  const wide = "mesh = Mesh(d=2)\nx = Tensor((4, 4))\ny = relu(x)\nz = gelu(y)\n";
  const lines = rankLines(wide);
  expect(lines).toContain("y = x.clamp(min=0)");
  expect(lines.some((line) => /torch\.\w+\([\d.]+\)/.test(line))).toBe(false);
});

test("averages of an optimizer are written once, as the results that they are", () => {
  const { program = "" } = examples.find(({ name }) => name === "zero") ?? {};
  const lines = rankLines(program);
  const at = lines.findIndex((line) => line.startsWith("w2_m_new = "));
  expect(lines.slice(at, at + 3)).toEqual([
    expect.stringMatching(/^w2_m_new = 0\.9 \* w2_m \+ 0\.1 \* /),
    expect.stringMatching(/^w2_v_new = 0\.999 \* w2_v \+ /),
    expect.stringMatching(/^w2_master_new = w2_master - .*w2_m_new.*w2_v_new/),
  ]);
});

const step = `mesh = Mesh(dp=2)
x = Tensor((8, 16))
lr = Parameter((16, 4))
loss = matmul(x, lr).sum()
train(loss, `;

test.each`
  asked                                      | corrections                         | update
  ${'"adam")'}                               | ${"1 - 0.9**step, 1 - 0.999**step"} | ${"lr_new = lr_2 - lr * (lr_m_new / correction1 / (torch.sqrt(torch.abs(lr_v_new / correction2)) + 1e-8))"}
  ${'"adamw", lr=1, betas=(0.5, 0), eps=0)'} | ${"1 - 0.5**step"}                  | ${"lr_new = (1 - lr * 0.01) * lr_2 - lr * (lr_m_new / correction1 / torch.sqrt(torch.abs(lr_v_new)))"}
  ${'"sgd", weight_decay=0.1)'}              | ${undefined}                        | ${"lr_new = lr_2 - lr * (lr_grad + 0.1 * lr_2)"}
  ${'"sgd", momentum=0.5)'}                  | ${undefined}                        | ${"lr_new = lr_2 - lr * lr_m_new"}
`("a step of $asked is told its number and rate", ({ asked, corrections, update }) => {
  const text = textOf(step + asked);
  const made = /def corrections\(step\):\n.*\n {4}return (.*)\n/.exec(text)?.[1];
  expect(made).toBe(corrections);
  const rate = asked.includes("lr=1") ? 1 : 0.001;
  expect(text).toContain(`def run(given, groups, step=1, lr=${rate}):`);
  expect(text.replaceAll("lr_grad_2", "lr_grad")).toContain(update);
  expect(text).toMatch(/STATE = \{\n {4}"lr_2": "lr_new",\n/);
  expect(text).toContain("def advanced(given, results):");
});

test("what does not train is told nothing", () => {
  expect(textOf(matmuls)).toContain("def run(given, groups):");
  expect(textOf(matmuls)).not.toMatch(/STATE|advanced/);
});

test("an embedding cut along its rows looks into its part", () => {
  const { program = "" } = examples.find(({ name }) => name === "vocabulary-embedding") ?? {};
  expect(rankLines(program)).toContainEqual(
    expect.stringMatching(/^e = element\(table, \(tokens - groups\.index\("tp"\) \* 6288\)/),
  );
});

test("a comparison is a number before it is subtracted, which PyTorch refuses of truth values", () => {
  const trained = `mesh = Mesh(dp=2)
x = Tensor((8, 16))
t = Tensor((8,), dtype="int32")
w = Parameter((16, 32))
y = matmul(x, w)
loss = cross_entropy(y, t)
train(loss)
`;
  const gradient = rankLines(trained).find((line) => line.startsWith("y_grad = "));
  expect(gradient).toContain(" - (torch.arange(32) == t[:, None]).to(torch.float32)");
});

test("sums of integers have the width that they are asked to have", () => {
  const sums = (more: string) =>
    `mesh = Mesh(d=2)\nx = Tensor((4, 4), dtype="int32")\ny = x.sum(dim=1${more})\n`;
  expect(rankLines(sums(', dtype="int32"'))).toContain("y = torch.sum(x, dim=1).to(torch.int32)");
  expect(rankLines(sums(""))).toContain("y = torch.sum(x, dim=1).to(torch.int64)");
});

test.each([
  [
    "numbers that are drawn",
    "mesh = Mesh(d=2)\nx = Tensor((4, 4))\ny = dropout(x, 0.5)\n",
    "draws its own",
  ],
  [
    "devices that are not all there",
    "mesh = Mesh(d=2, devices=[4, 5])\nx = Tensor((4, 4))\ny = relu(x)\n",
    "numbered from 0",
  ],
])("%s is refused with its cause", (_, program, cause) => {
  const answer = written(program);
  expect(answer.ok).toBe(false);
  const refusal = answer.diagnostics.find(({ code }) => code === "export/not-written");
  expect(refusal?.message).toContain(cause);
});

const all = examples.flatMap((example) => {
  const program = exampleText(example);
  const answer = written(program);
  return answer.ok ? [{ name: example.name, answer, program }] : [];
});

test("every example is written that has no fault", () => {
  const missing = examples.filter(({ name }) => all.every((each) => each.name !== name));
  expect(missing.map(({ name }) => name)).toEqual(
    examples.filter(({ fault }) => fault !== undefined).map(({ name }) => name),
  );
});

test("a rank of an uneven dim has its own rows, and a length that it looks up", () => {
  const filled = `mesh = Mesh(d=4)
x = Tensor((6, 4))
y = x.sum(dim=1, keepdim=True)
z = softmax(y, dim=1)
strategy(y, a="d")
strategy(z, a="d")
`;
  expect(textOf(filled)).toContain(
    '"x": [(("d",), [range(0, 2), range(2, 4), range(4, 6), range(0)]), ((), [range(0, 4)])],',
  );
  const { claims } = written(filled);
  expect(claims.slices.x?.map(({ ranges }) => ranges[0])).toEqual([
    [0, 2],
    [2, 4],
    [4, 6],
    [6, 6],
  ]);
});

test("the halo of a convolution is one exchange, of which every rank is claimed its own bytes", () => {
  const example = examples.find(({ name }) => name === "loom-convolution");
  const { claims } = written(example === undefined ? "" : exampleText(example));
  expect(claims.collectives).toEqual([
    {
      collective: "exchange",
      groups: [[0, 1, 2, 3]],
      bytesPerDevice: 132,
      received: [0, 68, 68, 132],
    },
  ]);
});

test("what is written is Python", () => {
  const texts = JSON.stringify(all.map(({ answer }) => answer.files[0]?.text));
  const check = "import ast, json, sys\nfor t in json.load(sys.stdin): ast.parse(t)";
  const run = spawnSync("python3", ["-c", check], { input: texts, encoding: "utf8" });
  expect(run.error ?? run.stderr).toBe("");
});

const calls: Readonly<Record<string, string>> = {
  all_gather: "all-gather",
  reduce_scatter: "reduce-scatter",
  all_to_all: "all-to-all",
  all_reduce: "all-reduce",
  permute: "collective-permute",
  exchange: "exchange",
};

test("a rank calls the collectives of the plan in their order, and they are what is claimed", () => {
  for (const { name, answer, program } of all) {
    const plan = asked<{
      readonly steps: readonly { readonly collective: string; readonly bytes?: number }[];
    }>("plan", { program });
    const moved = plan.steps.filter(
      ({ collective }) => !["operator", "slice"].includes(collective),
    );
    const called = rankLines(program).flatMap((line) => {
      const [, call = ""] = /^\S+ = (\w+)\(.*(?:groups\b|\[)/.exec(line) ?? [];
      return calls[call.replace("_uneven", "")] ?? [];
    });
    expect([name, called]).toEqual([name, moved.map(({ collective }) => collective)]);
    const said = answer.claims.collectives.map((each) => [each.collective, each.bytesPerDevice]);
    expect([name, said]).toEqual([name, moved.map(({ collective, bytes }) => [collective, bytes])]);
  }
});

test("a convolution with a bias is summed at every place of its result", () => {
  const program = `import torch
y = torch.nn.Conv2d(3, 8, 4, stride=4)(torch.rand(2, 3, 8, 8))
`;
  const lines = rankLines(program).filter((line) => /^(product|y) = /.test(line));
  expect(lines[0]).toContain("input_1.reshape((2, 3, 2, 4, 2, 4))");
  expect(lines[1]).toBe("y = product + bias[:, None, None]");
});
