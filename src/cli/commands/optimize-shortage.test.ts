import { expect, test } from "vitest";
import { optimizeAnswer } from "./optimize.ts";

interface Shortage {
  readonly limit: number;
  readonly missing: number;
  readonly leanest: {
    readonly bytes: number;
    readonly largest: readonly { readonly name: string; readonly bytes: number }[];
  } & Readonly<Record<"parameters" | "inputs" | "activations" | "gradients" | "optimizer", number>>;
  readonly remedies: readonly {
    readonly kind: string;
    readonly text: string;
    readonly bytes: number;
  }[];
  readonly untried: readonly string[];
}

function shortageOf(args: Parameters<typeof optimizeAnswer>[0]): Shortage {
  const answer = optimizeAnswer(args);
  expect(answer).toMatchObject({ ok: false, code: "infeasible-memory" });
  return answer.shortage as Shortage;
}

/** Bytes of the leanest plan found. */
function leastOf(args: Parameters<typeof optimizeAnswer>[0]): number {
  return Number(optimizeAnswer({ ...args, memoryLimit: 1 }).minimum);
}

/** A limit between the leanest plans of two requests. */
function between(...both: readonly Parameters<typeof optimizeAnswer>[0][]): number {
  const [most = 0, least = 0] = both.map(leastOf);
  expect(most).toBeGreaterThan(1.1 * least);
  return Math.round((most + least) / 2);
}

/** A training step of two products. */
function mlp({ mesh = "dp=2", zero = 0, places = "" } = {}): string {
  return `mesh = Mesh(${mesh})
x = Tensor((64, 1024), "bf16")
w1 = Parameter((1024, 4096), "bf16")
w2 = Parameter((4096, 1024), "bf16")
${places}
h = matmul(x, w1)
a = gelu(h)
y = matmul(a, w2)
train(y, optimizer="adam", zero=${zero})
`;
}

const pins = { h: { m: ["dp"] } };

test("what is missing adds up, and its largest items come first", () => {
  const memoryLimit = between({ program: mlp(), pins }, { program: mlp() });
  const { limit, missing, leanest } = shortageOf({ program: mlp(), memoryLimit, pins });
  expect(limit).toBe(memoryLimit);
  const { parameters, inputs, activations, gradients, optimizer, largest } = leanest;
  expect(leanest.bytes).toBe(limit + missing);
  expect(parameters + inputs + activations + gradients + optimizer).toBe(leanest.bytes);
  const sizes = largest.map(({ bytes }) => bytes);
  expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
  expect(largest.slice(0, 7).map(({ name }) => name)).toContain("w2.m");
});

test("a pin that is in the way is named, and so is a mesh that is large enough", () => {
  const memoryLimit = between({ program: mlp(), pins }, { program: mlp() });
  const { remedies, untried } = shortageOf({ program: mlp(), memoryLimit, pins });
  expect(untried).toEqual([]);
  expect(remedies).toMatchObject([
    { kind: "pin", operator: "h", text: 'releasing the pin of "h"' },
    { kind: "axis", axis: "dp", size: 4, devices: 4 },
  ]);
  for (const { bytes } of remedies) expect(bytes).toBeLessThanOrEqual(memoryLimit);
  expect(optimizeAnswer({ program: mlp(), memoryLimit }).ok).toBe(true);
  expect(optimizeAnswer({ program: mlp({ mesh: "dp=4" }), memoryLimit, pins }).ok).toBe(true);
});

test("the lowest level of ZeRO that does is named, and it does", () => {
  const places = 'place(w1, layout("None", "None"))\nplace(w2, layout("None", "None"))';
  const [without, split] = [mlp({ places }), mlp({ places, zero: 1 })];
  const memoryLimit = between({ program: without, pins }, { program: split, pins });
  const { remedies } = shortageOf({ program: without, memoryLimit, pins });
  const zero = remedies.find(({ kind }) => kind === "zero");
  expect(zero).toMatchObject({ level: 1, text: "zero=1 in train(…)" });
  expect(zero?.bytes).toBeLessThanOrEqual(memoryLimit);
  expect(optimizeAnswer({ program: split, memoryLimit, pins }).ok).toBe(true);
});

test("computing again is offered where it does", () => {
  const layers = Array.from({ length: 8 }, (_, at) => `h${at + 1} = gelu(h${at})`);
  const program = `mesh = Mesh(dp=2)
x = Tensor((4096, 1024), "bf16")
w = Parameter((1024, 16), "bf16")
g = Parameter((1024,), "bf16")
h0 = mul(x, g)
${layers.join("\n")}
y = matmul(h8, w)
train(y, optimizer="sgd")
`;
  const { minimum } = optimizeAnswer({ program, memoryLimit: 1 });
  const memoryLimit = 0.8 * Number(minimum);
  const { remedies } = shortageOf({ program, memoryLimit });
  const recompute = remedies.find(({ kind }) => kind === "recompute");
  expect(recompute?.text).toMatch(/^computing \d operators again/u);
  expect(recompute?.bytes).toBeLessThanOrEqual(memoryLimit);
});

test("under a model that counts memory its own way the parts are those of the model", () => {
  const { limit, missing, leanest, remedies } = shortageOf({
    program: mlp(),
    hardware: { flops: 1e12, links: { dp: { latency: 1e-6, bandwidth: 1e9 } } },
    model: "plain",
    memoryLimit: 50e6,
  });
  expect(leanest.bytes).toBe(limit + missing);
  expect(remedies).toMatchObject([{ kind: "axis", axis: "dp" }]);
});

test("demands that no plan meets together are named", () => {
  const answer = optimizeAnswer({
    program: "mesh = Mesh(a=2)\nx = Tensor((4, 4))\ny = relu(x)\nz = relu(y)",
    hardware: { flops: 1e9, links: { a: { latency: 1e-6, bandwidth: 1e9 } } },
    model: "plain",
    pins: { y: { a: ["a"] }, z: {} },
    forbid: ["all-gather", "all-to-all"],
  });
  expect(answer).toMatchObject({
    ok: false,
    code: "planner/no-plan",
    conflict: [
      { kind: "pin", name: "y" },
      { kind: "pin", name: "z" },
      { kind: "forbid", name: "all-gather" },
    ],
  });
  expect(answer.diagnostics.at(-1)?.message).toContain(
    'the pin of "y", the pin of "z", all-gather being forbidden',
  );
});
