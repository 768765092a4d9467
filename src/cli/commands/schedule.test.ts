import { expect, test } from "vitest";
import { answerTo } from "../commands.ts";

const blocks = (train: string) => `from torch import nn
mesh = Mesh(dp=8, hardware="8xH100")
class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.w1 = Parameter((2048, 8192), "bf16")
        self.w2 = Parameter((8192, 2048), "bf16")
    def forward(self, x):
        h = matmul(x, self.w1)
        a = gelu(h)
        y = matmul(a, self.w2)
        z = add(x, y)
        return z
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([Block() for _ in range(4)])
    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x
x = Tensor((131072, 2048), "bf16")
loss = Net()(x)
place(x, layout("dp", "None"))
${train}
`;

interface Item {
  readonly name: string;
  readonly lane: string;
  readonly phase: string;
  readonly start: number;
  readonly end: number;
  readonly steps?: readonly number[];
  readonly repeat?: { readonly count: number; readonly every: number };
}

function scheduleOf(train: string) {
  const answer = answerTo("schedule", { program: blocks(train) });
  expect(answer.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  const items: readonly Item[] = Object(answer.items);
  return { answer, items };
}

test("parameters of a block are gathered while the block before it computes, in one bucket", () => {
  const { answer, items } = scheduleOf('train(loss, optimizer="adam", zero=3, compiled=True)');
  const gathers = items.filter(({ name, phase }) => /all-gather/.test(name) && phase === "forward");
  expect(gathers.map(({ name }) => name)).toEqual(Array(4).fill("2 × all-gather dp"));
  const starts = [1, 2, 3].map((at) => items.find(({ name }) => name === `layers[${at}].h`)?.start);
  for (const [at, { start, lane }] of gathers.slice(2).entries()) {
    expect(lane).toBe("node");
    // A step starts with its preceding block, not earlier.
    expect(start).toBeGreaterThanOrEqual((starts[at] ?? 0) - 1e-9);
    expect(start).toBeLessThan(starts[at + 1] ?? 0);
  }
  const reduced = items.filter(({ name }) => /reduce-scatter/.test(name));
  expect(reduced).toHaveLength(4);
  expect(Number(answer.hidden)).toBeGreaterThan(Number(answer.exposed));
  expect(Number(answer.exposed) + Number(answer.hidden)).toBeCloseTo(
    Number(answer.communication),
    12,
  );
  expect(Math.max(...items.map(({ end }) => end))).toBeCloseTo(Number(answer.seconds), 12);
});

test('overlap="none" is the sum of all steps', () => {
  const { answer, items } = scheduleOf(
    'train(loss, optimizer="adam", zero=3, compiled=True, overlap="none")',
  );
  expect(answer).toMatchObject({ hidden: 0, bubble: 0, overlap: "none" });
  const sum = items.reduce((all, { start, end }) => all + end - start, 0);
  expect(Number(answer.seconds)).toBeCloseTo(sum, 9);
});

test("micro-batches but the last are one pattern, and the last one hides its reductions", () => {
  const { items } = scheduleOf(
    'train(loss, optimizer="adam", microbatches=4, zero=2, compiled=True)',
  );
  const counts = new Set(items.map(({ repeat }) => repeat?.count ?? 1));
  expect([...counts].sort()).toEqual([1, 3]);
});

test("a small eager step is limited by launches", () => {
  const { answer, items } = scheduleOf(
    'small = Tensor((8, 2048), "bf16")\ntrain(loss, optimizer="adam", zero=3)',
  );
  expect(items.some(({ lane }) => lane === "host")).toBe(true);
  const tiny = `import torch
mesh = Mesh(dp=1, hardware="H100")
x = Tensor((8, 8), "bf16")
for _ in range(20):
    x = torch.relu(x)
`;
  expect(answer.limit).toBe("device");
  const limited = answerTo("schedule", { program: tiny });
  expect(limited).toMatchObject({ ok: true, limit: "host" });
  expect(limited.seconds).toBeCloseTo(Number(limited.host), 12);
});

test("of a program with an operator that nobody knows no figure is said of the whole", () => {
  const program = "x = Tensor((4, 4))\nw = Parameter((4, 4))\ny = somebody(x @ w)\n";
  const schedule = JSON.parse(JSON.stringify(answerTo("schedule", { program })));
  const unknown = { seconds: null, compute: null, exposed: null, hidden: null };
  expect(schedule).toMatchObject({ ok: true, ...unknown, bubble: null, host: null });
  const { cost } = JSON.parse(JSON.stringify(answerTo("plan", { program })));
  expect(cost).toMatchObject({ ...unknown, host: null, flops: null });
});

test("a trace has a thread per lane, and events in microseconds", () => {
  const trace = answerTo("schedule", {
    program: blocks('train(loss, optimizer="adam", zero=3)'),
    as: "chrome-trace",
  });
  const events: readonly { ph: string; tid?: number; name: string; dur?: number }[] = Object(
    trace.traceEvents,
  );
  const names = events.filter(({ ph, name }) => ph === "M" && name === "thread_name");
  expect(names).toHaveLength(4);
  const spans = events.filter(({ ph }) => ph === "X");
  expect(spans.every(({ dur = 0 }) => dur > 0)).toBe(true);
  expect(events.some(({ ph }) => ph === "C")).toBe(true);
});

test.each`
  args                  | says
  ${{ as: "svg" }}      | ${"chrome-trace"}
  ${{ model: "plain" }} | ${"cost model"}
`("$args is refused", ({ args, says }) => {
  const program = "x = Tensor((4, 4))\ny = gelu(x)\n";
  const answer = answerTo("schedule", { program, ...args });
  expect(answer.ok).toBe(false);
  expect(answer.diagnostics[0]?.message).toContain(says);
});

test("a word of overlap that nobody knows is an error", () => {
  const answer = answerTo("plan", { program: blocks('train(loss, overlap="some")') });
  expect(answer.ok).toBe(false);
  expect(answer.diagnostics.map(({ message }) => message).join()).toContain('"weights", "none"');
});
