import { describe, expect, test } from "vitest";
import { compileDocument } from "#compile";
import { modelOf } from "#core/cost";
import { fromSheet } from "#core/cost/machines";
import { readDocument } from "#systems";
import { optimizeAnswer } from "../cli/commands/optimize.ts";
import { readPlatform } from "../cli/commands/platform-request.ts";
import { passedValue } from "../core/mesh/layouts.testing.ts";

/** The facts of planner.md §3 that no case of conformance/planner.json covers. */
const words = `import nnscaler
@nnscaler.register_op("m k+, k+ n -> m n")
def mm(x, w): ...
@nnscaler.register_op("m n -> m n")
def act(x): ...
@nnscaler.register_op("m^ k+, k+ n -> m^ n")
def part(x, w): ...
@nnscaler.register_op("m^ n -> m^ n")
def part_act(x): ...
@nnscaler.register_op("m^ n^, n^ -> m^ n^")
def norm(x, g): ...
@nnscaler.register_op("n s c+, c+ k -> n s k")
def conv(x, w): ...
@nnscaler.register_op("n s+ c -> n c")
def pool(x): ...
`;

interface Link {
  readonly latency: number;
  readonly bandwidth: number;
  readonly fabric?: "ring";
}

type Links = Readonly<Record<string, Link>>;

function optimized(body: string, args: Readonly<Record<string, unknown>>) {
  const answer = optimizeAnswer({ program: words + body, ...args });
  if (!answer.ok) throw new Error(answer.diagnostics.map(({ message }) => message).join("; "));
  return answer;
}

function compiled(body: string, hardware: unknown, model: string, outputs = {}) {
  const document = readDocument(words + body, passedValue(readPlatform(hardware)));
  return compileDocument(document, { model, outputs });
}

describe("[planner §3]", () => {
  test("fact 1: columns, then rows: one all-reduce forward and one backward", () => {
    const answer = optimized(
      `mesh = Mesh(tp=4)
x = Tensor((2048, 512))
g = Parameter((512,))
w1 = Parameter((512, 2048))
w2 = Parameter((2048, 512))
g2 = Parameter((512,))
n = norm(x, g)
h = part(n, w1)
a = part_act(h)
y = part(a, w2)
z = norm(y, g2)
train(z)
`,
      {
        model: "plain",
        hardware: { flops: 1e14, links: { tp: { latency: 1e-6, bandwidth: 1e11 } } },
      },
    );
    expect(answer).toMatchObject({
      pattern: "megatron",
      strategies: { h: { n: ["tp"] }, a: { n: ["tp"] }, y: { k: ["tp"] } },
    });
    const bytes = 2048 * 512 * 4;
    const allReduce = 2 * 3 * (1e-6 + bytes / 4 / 1e11);
    expect(answer.cost).toMatchObject({ communication: expect.closeTo(2 * allReduce, 12) });
  });

  test.each([2, 3, 4, 5])("fact 2: %i products in a chain take one sum less", (count) => {
    const weights = Array.from({ length: count }, (_, at) => `w${at} = Parameter((1024, 1024))`);
    const layers = weights.map((_, at) => `h${at + 1} = mm(h${at}, w${at})`);
    const answer = optimized(
      `mesh = Mesh(a=4)
h0 = Tensor((128, 1024))
${[...weights, ...layers].join("\n")}
train(h${count})
`,
      {
        model: "alpa-prototype",
        redundant: false,
        forbid: ["all-gather", "all-to-all", "reduce-scatter"],
        hardware: { links: { a: { latency: 1, bandwidth: 1 } } },
      },
    );
    const sums = Object.entries(Object(answer.collectives)).reduce(
      (sum, [kind, times]) => (kind === "slice" ? sum : sum + Number(times)),
      0,
    );
    expect(sums).toBe(count - 1);
  });

  test("fact 9: early layers cut the batch, late ones the channels", () => {
    const answer = optimized(
      `mesh = Mesh(a=8)
x = Tensor((64, 4096, 64), "bf16")
place(x, layout("a", "None", "None"))
w1 = Parameter((64, 64), "bf16")
w2 = Parameter((64, 65536), "bf16")
w3 = Parameter((65536, 64), "bf16")
c = conv(x, w1)
p = pool(c)
h = mm(p, w2)
y = mm(h, w3)
train(y)
`,
      {
        model: "plain",
        hardware: { flops: 1e14, links: { a: { latency: 1e-6, bandwidth: 1e10 } } },
      },
    );
    expect(answer.strategies).toMatchObject({
      c: { n: ["a"] },
      p: { n: ["a"] },
      h: { n: ["a"] },
      y: { k: ["a"] },
    });
  });

  /**
   * Seconds of the forward communication in a block of FSDP over X times tensor parallel over Y.
   */
  function mixedSeconds(
    [x, y]: readonly [number, number],
    [batch, width, inner]: readonly [number, number, number],
    links: Links,
  ): number {
    const none = { flops: 1, memoryBandwidth: 1, memoryBytes: 1, name: "book" };
    const link = { latency: 0, bandwidth: 1 };
    const mesh = { axes: [], devices: [] };
    const { priceMove } = passedValue(modelOf("book", fromSheet({ ...none, link }), mesh));
    const price = (collective: "all-gather" | "reduce-scatter", axis: string, bytes: number) => {
      const size = axis === "X" ? x : y;
      const own = links[axis] ?? link;
      return size === 1 ? 0 : priceMove({ collective, axes: [{ size, link: own }], bytes });
    };
    const activation = (2 * batch * width) / x;
    const weight = (2 * width * inner) / y;
    return (
      price("all-gather", "Y", activation / y) +
      2 * price("all-gather", "X", weight / x) +
      price("reduce-scatter", "Y", activation)
    );
  }

  const two = { latency: 0, bandwidth: 9e10, fabric: "ring" } as const;
  const one = { latency: 0, bandwidth: 4.5e10, fabric: "ring" } as const;

  test.each`
    devices | batch      | inner    | exact                                      | best
    ${64}   | ${48_000}  | ${32768} | ${Math.sqrt((48_000 * 2 * 64) / 32768)}    | ${16}
    ${8192} | ${2 ** 22} | ${28672} | ${Math.sqrt((2 ** 22 * 2 * 8192) / 28672)} | ${2048}
  `("fact 10: $devices devices do best with FSDP over $best", (given) => {
    const { devices, batch, inner, exact, best } = given as Readonly<Record<string, number>>;
    const degrees = Array.from({ length: Math.log2(devices ?? 1) + 1 }, (_, power) => 2 ** power);
    const seconds = degrees.map((x) =>
      mixedSeconds([x, (devices ?? 1) / x], [batch ?? 0, 8192, inner ?? 0], { X: two, Y: one }),
    );
    const fastest = degrees[seconds.indexOf(Math.min(...seconds))];
    expect(fastest).toBe(best);
    expect(fastest ?? 0).toBeGreaterThan((exact ?? 0) / 2);
    expect(fastest ?? 0).toBeLessThan((exact ?? 0) * 2);
  });

  test("fact 10: the program of that scheme takes what the formula says", () => {
    const program = `mesh = Mesh(X=16, Y=4)
x = Tensor((48000, 1024), "bf16")
w1 = Parameter((1024, 32768), "bf16")
w2 = Parameter((32768, 1024), "bf16")
place(x, layout("X", "Y"))
place(w1, layout("X", "Y"))
place(w2, layout("Y", "X"))
t = mm(x, w1)
y = mm(t, w2)
strategy(t, m="X", n="Y")
strategy(y, m="X", k="Y")
`;
    const hardware = { flops: 1e30, links: { X: two, Y: one } };
    const { cost } = compiled(program, hardware, "book", { y: "X,Y" });
    const formula = mixedSeconds([16, 4], [48_000, 1024, 32768], { X: two, Y: one });
    expect(cost.communicationSeconds).toBeCloseTo(formula, 12);
  });

  test("fact 11: the mixed scheme's backward pass moves 4BD/X bytes of activations", () => {
    const [batch, width, x, y] = [64, 128, 4, 2];
    const { program } = compiled(
      `mesh = Mesh(X=${x}, Y=${y})
x = Tensor((${batch}, ${width}), "bf16")
s = Parameter((${width},), "bf16")
w1 = Parameter((${width}, 512), "bf16")
w2 = Parameter((512, ${width}), "bf16")
place(w1, layout("X", "Y"))
place(w2, layout("Y", "X"))
i = mul(x, s)
t = mm(i, w1)
o = mm(t, w2)
z = add(x, o)
strategy(i, a="X", b="Y")
strategy(t, m="X", n="Y")
strategy(o, m="X", k="Y")
strategy(z, a="X", b="Y")
train(z)
`,
      { flops: 1e12, links: { X: two, Y: one } },
      "book",
    );
    const steps = program.stages.flatMap((stage) => stage.steps);
    const received = steps.reduce((sum, step) => {
      const isCounted =
        step.kind === "collective" && step.phase === "backward" && step.axes.includes("Y");
      return isCounted ? sum + step.bytes : sum;
    }, 0);
    expect((received * y) / (y - 1)).toBeCloseTo((4 * batch * width) / x, 9);
  });

  test.each`
    each    | isBound
    ${2176} | ${"communication"}
    ${2208} | ${"compute"}
  `("fact 11: on a v5e, $each rows per device are bound by $isBound: it turns at 2189", (given) => {
    const { each, isBound } = given as { readonly each: number; readonly isBound: string };
    const { cost } = compiled(
      `mesh = Mesh(X=16)
x = Tensor((${16 * each}, 1024), "bf16")
w1 = Parameter((1024, 4096), "bf16")
w2 = Parameter((4096, 1024), "bf16")
place(w1, layout("X", "None"))
place(w2, layout("X", "None"))
t = mm(x, w1)
y = mm(t, w2)
strategy(t, m="X")
strategy(y, m="X")
`,
      { flops: 1.97e14, links: { X: one } },
      "book",
    );
    const longer = cost.computeSeconds > cost.communicationSeconds ? "compute" : "communication";
    expect(longer).toBe(isBound);
    expect(1.97e14 / (2 * one.bandwidth)).toBeCloseTo(2189, 0);
  });

  test.each`
    width  | collective
    ${256} | ${"all-gather"}
    ${480} | ${"all-gather"}
    ${544} | ${"all-reduce"}
    ${768} | ${"all-reduce"}
  `("a weight of $width rows: $collective, the turn is at twice the batch", (given) => {
    const { width, collective } = given as { readonly width: number; readonly collective: string };
    const answer = optimized(
      `mesh = Mesh(X=8)
a = Tensor((256, ${width}), "bf16")
place(a, layout("None", "None"))
w = Parameter((${width}, 1024), "bf16")
place(w, layout("X", "None"))
c = mm(a, w)
`,
      {
        model: "plain",
        forbid: ["all-to-all"],
        outputs: { c: "_,_" },
        hardware: { flops: 1e30, links: { X: { latency: 0, bandwidth: 1e10 } } },
      },
    );
    expect(answer.collectives).toMatchObject({ [collective]: 1 });
  });

  test("an axis that cuts nothing makes no device faster", () => {
    const seconds = (axes: string) => {
      const { cost } = compiled(
        `mesh = Mesh(a=2, b=2)
x = Tensor((64, 64))
w = Parameter((64, 64))
y = mm(x, w)
strategy(y, m=${axes})
`,
        { flops: 1e12, links: { a: one, b: one } },
        "plain",
      );
      return cost.operators.find(({ operator }) => operator === "y")?.seconds ?? 0;
    };
    expect(seconds('"a"')).toBeGreaterThan(0);
    expect(seconds('"a"')).toBe(2 * seconds('("a", "b")'));
  });
});
