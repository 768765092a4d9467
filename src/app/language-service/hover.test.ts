import { expect, test } from "vitest";
import { hoverAt } from "./hover-at.ts";
import { exampleMarked, markedFacts } from "./marked.testing.ts";

const layouts = `from mindspore.parallel import Layout
layout = Layout((2, 2), ("dp", "mp"))
x = Tensor((8, 4))
w = Parameter((4, 6))
matmul = ops.MatMul().shard((layout("dp", "None"), layout("None", "mp")))
y = matmul(x, w)
`;

/** The title and all lines of the hover at `‸`; empty without a hover. */
function saidAt(marked: string): readonly string[] {
  const { facts, offset } = markedFacts(marked);
  const hover = hoverAt(facts, offset);
  return hover === undefined ? [] : [hover.title, ...hover.lines];
}

test("an operator says what its passes take, and what that rests on", () => {
  const marked = `${layouts.replace("y = matmul", "y = ‸matmul")}train(y)\n`;
  expect(saidAt(marked).join(" ")).toMatch(
    /Takes [\d.]+ .s, its backward pass [\d.]+ .s \(model, (measured|scaled|sheet)\)\./,
  );
  const view = "mesh = Mesh(p=1)\nx = Tensor((8, 4))\ny = x.‸view(32)\n";
  expect(saidAt(view).join(" ")).not.toContain("Takes");
});

test.each`
  example              | place                   | title                                              | line
  ${"two-matmuls"}     | ${"(‸dp=2"}             | ${"mesh axis dp = 2"}                              | ${"Splits b of x, b of h, b of y."}
  ${"two-matmuls"}     | ${"mp=‸2"}              | ${"mesh axis mp = 2"}                              | ${"Device groups {0, 1}, {2, 3}."}
  ${"two-matmuls"}     | ${'f="‸mp"'}            | ${"mesh axis mp = 2"}                              | ${"h = project(x, w1): cut by mp into 2 pieces of 2048, set."}
  ${"two-matmuls"}     | ${'f="‸mp"'}            | ${"mesh axis mp = 2"}                              | ${"Carries all-gather: each device receives 1.05 MB in 11.5 µs."}
  ${"two-matmuls"}     | ${": b ‸k+"}            | ${"k+ = 1024, 4096"}                               | ${"k+ is summed: devices that each hold a piece have partial sums."}
  ${"two-matmuls"}     | ${"-> b ‸f"}            | ${"f = 4096, 1024"}                                | ${"y = project(h, w2): not cut."}
  ${"two-matmuls"}     | ${'‸f="mp"'}            | ${"f = 4096"}                                      | ${"It is dim 1 of w1, dim 1 of h."}
  ${"two-matmuls"}     | ${"‸project(x, w1)"}    | ${"project: b k+, k+ f -> b f"}                    | ${"x[b@dp, k], w1[k, f@mp] → h[b@dp, f@mp]"}
  ${"two-matmuls"}     | ${"y = ‸project"}       | ${"project: b k+, k+ f -> b f"}                    | ${"Needs all-gather over mp: 1.05 MB in 11.5 µs."}
  ${"two-matmuls"}     | ${"torch.‸matmul"}      | ${"matmul(x, y)"}                                  | ${"a m k+, k+ n -> a m n"}
  ${"two-matmuls"}     | ${"\n‸h = "}            | ${"h: bf16[512, 4096]"}                            | ${"Layout [b@dp, f@mp], set."}
  ${"two-matmuls"}     | ${"project(‸h"}         | ${"h: bf16[512, 4096]"}                            | ${"Redistributed from [b@dp, f@mp] to [b@dp, f]: 1.05 MB in 11.5 µs."}
  ${"two-matmuls"}     | ${"matmul(‸x"}          | ${"x: bf16[512, 1024]"}                            | ${"And h."}
  ${"two-matmuls"}     | ${"‸strategy(h"}        | ${"strategy(target, identifier=axes, carry=axes)"} | ${"How the operator that made a tensor is split: mesh axes per identifier, outermost first."}
  ${"two-matmuls"}     | ${'"‸bf16"'}            | ${"bf16"}                                          | ${"A data type: 2 bytes an element."}
  ${"mindspore-net"}   | ${"((‸4, 1)"}           | ${"in_strategy[0][0] = 4"}                         | ${"Input 0 of MatMul is x; its dim 0 (m, size 8): 4 pieces over d0."}
  ${"mindspore-net"}   | ${"(1, ‸4)))"}          | ${"in_strategy[1][1] = 4"}                         | ${"Each slice of v is (6, 2) of (6, 8)."}
  ${"mindspore-net"}   | ${"(1, ‸4)))"}          | ${"in_strategy[1][1] = 4"}                         | ${"Device matrix [1, 1, 4] on 4 devices."}
  ${"mindspore-net"}   | ${"y = self.‸matmul1"}  | ${"MatMul: m k+, k+ n -> m n"}                     | ${"x[m@d0, k], w[k, n] → y[m@d0, n]"}
  ${"mindspore-net"}   | ${"self.‸matmul2 ="}    | ${"MatMul: m k+, k+ n -> m n"}                     | ${"Split n over d0, set."}
  ${"mindspore-net"}   | ${"construct(self, ‸x"} | ${"x: f32[8, 4]"}                                  | ${"An input."}
  ${"mindspore-net"}   | ${"ops.‸MatMul()"}      | ${"MatMul(transpose_a, transpose_b)"}              | ${"a m k+, k+ n -> a m n"}
  ${"mindspore-net"}   | ${"shapes(‸x"}          | ${"x: f32[8, 4]"}                                  | ${"An input."}
  ${"mindspore-net"}   | ${"‸parallel_mode"}     | ${'AutoParallel(parallel_mode="semi_auto")'}       | ${'"semi_auto", "sharding_propagation" or "recursive_programming".'}
  ${"nnscaler-matmul"} | ${": ‸m^"}              | ${"m^ = 4"}                                        | ${"m^ may not be cut."}
  ${"nnscaler-matmul"} | ${"strategy(‸out"}      | ${"out: f32[4, 8]"}                                | ${"Layout [m, n]{Σ tp}, set."}
  ${"jax-reshard"}     | ${'layout("‸y"'}        | ${"mesh axis y = 2"}                               | ${"Dim 0 of t (a, size 256): 2 pieces of 128."}
  ${"jax-reshard"}     | ${'"‸None"'}            | ${'"None"'}                                        | ${"No mesh axis cuts this dim: every device holds it whole."}
`("at $place of $example stands $title: $line", ({ example, place, title, line }) => {
  const said = saidAt(exampleMarked(example, place));
  expect(said[0]).toBe(title);
  expect(said).toContain(line);
});

test("an alias of a Layout says its place in the device matrix", () => {
  expect(saidAt(layouts.replace('("dp", "mp")', '("‸dp", "mp")'))).toContain(
    "Alias of dim 0 of device_matrix (2, 2); 1 in a tensor_map.",
  );
  expect(saidAt(layouts.replace('layout("dp"', 'layout("‸dp"'))[0]).toBe("mesh axis dp = 2");
});

test.each(["# ‸Two", "import ‸nope", "‸", "x ‸= 1", "y = ‸unknown"])(
  "nothing is said at %s",
  (text) => {
    expect(saidAt(`${text}\n`)).toEqual([]);
  },
);

test("the sound parts of a text with a fault in the middle are explained", () => {
  const broken = exampleMarked("two-matmuls", "\n‸h = ").replace("w2 = ", "w2 = = ");
  expect(saidAt(broken)[0]).toBe("h: bf16[512, 4096]");
});

test("a module in a strategy says which operators it names, and one alone what it makes", () => {
  const net = (target: string) => `mesh = Mesh(tp=2)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.ModuleList([nn.Linear(8, 8) for _ in range(3)])
    def forward(self, x):
        for fc in self.fc:
            x = fc(x)
        return x
y = Net()(Tensor((4, 8)))
strategy("‸${target}")
`;
  expect(saidAt(net("fc[*]"))).toEqual(["fc[*]", "Names 3 operators: fc[0], fc[1], fc[2]."]);
  expect(saidAt(net("fc[1]")).join(" ")).toMatch(/f32\[4, 8\].*Made by/);
});
