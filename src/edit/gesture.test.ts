import { expect, test } from "vitest";
import { compile } from "#compile";
import { operatorId, tensorId } from "#core/ir";

import { applyGesture } from "./gesture.ts";
import type { DimGesture } from "./gesture-kinds.ts";

const head = `mesh = Mesh(dp=2, mp=2)

# annotation: b k+, k+ f -> b f
def project(x, w):
    return torch.matmul(x, w)

x = Tensor((8, 16))
w1 = Parameter((16, 32))
w2 = Parameter((32, 16))
h = project(x, w1)
y = project(h, w2)
`;

test("a dim that is named by a word of Python is split", () => {
  const text = head.replaceAll(/\bf\b/g, "in");
  expect(applyGesture(text, gestureOf("split h 1 mp"))).toMatchObject({
    source: `${text}strategy(h, {"in": "mp"})\n`,
  });
});

const kinds = ["split", "unsplit", "whole", "set", "move", "cycle", "scatter"] as const;

/**
 * A gesture from its short text: `split w2 0 mp`, `set h 0 mp,dp`, `cycle h 0`, `cycle h 0 back`.
 */
function gestureOf(text: string): DimGesture {
  const [word = "", tensor = "", dim = "0", axis] = text.split(" ");
  const kind = kinds.find((each) => each === word);
  if (kind === undefined) throw new Error(word);
  const target = { kind, tensor: tensorId(tensor), dim: Number(dim) };
  if (kind === "set") return { ...target, axes: axis === undefined ? [] : axis.split(",") };
  if (kind === "cycle") return { ...target, isBackward: axis === "back" };
  return axis === undefined ? target : { ...target, axis };
}

test.each`
  before                                                  | gesture             | after
  ${""}                                                   | ${"split h 0 dp"}   | ${'strategy(h, b="dp")\n'}
  ${'strategy(h, b="dp")\n'}                              | ${"split h 1 mp"}   | ${'strategy(h, b="dp", f="mp")\n'}
  ${'strategy(h, b="dp",)\n'}                             | ${"split h 1 mp"}   | ${'strategy(h, b="dp", f="mp",)\n'}
  ${'strategy(h, b="dp")  # rows\nstrategy(y, b="dp")\n'} | ${"split h 0 mp"}   | ${'strategy(h, b=("dp", "mp"))  # rows\nstrategy(y, b="dp")\n'}
  ${'strategy(h, b=("dp", "mp"))\n'}                      | ${"unsplit h 0 dp"} | ${'strategy(h, b="mp")\n'}
  ${'strategy(h, b="dp", f="mp")\n'}                      | ${"unsplit h 0 dp"} | ${'strategy(h, f="mp")\n'}
  ${'strategy(h,\n         b="dp",\n         f="mp")\n'}  | ${"whole h 1"}      | ${'strategy(h,\n         b="dp")\n'}
  ${'strategy(h, b="dp", f="mp")\nstrategy(y, b="dp")\n'} | ${"split w2 0 mp"}  | ${'strategy(h, b="dp", f="mp")\nstrategy(y, b="dp", k="mp")\n'}
  ${'strategy("h", b="dp")\n'}                            | ${"split h 1 mp"}   | ${'strategy("h", b="dp", f="mp")\n'}
  ${'strategy("*", b="dp")\n'}                            | ${"split h 1 mp"}   | ${'strategy("*", b="dp")\nstrategy(h, b="dp", f="mp")\n'}
  ${'strategy(h, {"b": "dp", "f": "mp"})\n'}              | ${"unsplit h 1 mp"} | ${'strategy(h, {"b": "dp", "f": ()})\n'}
  ${""}                                                   | ${"split x 0 dp"}   | ${'place(x, layout("dp", "None"))\n'}
  ${'place(x, layout("dp", "None"))\n'}                   | ${"split x 0 mp"}   | ${'place(x, layout(("dp", "mp"), "None"))\n'}
  ${'place(x, layout("dp", "None"))\n'}                   | ${"whole x 0"}      | ${'place(x, layout("None", "None"))\n'}
  ${'strategy(h, b=("dp", "mp"))\n'}                      | ${"set h 0 mp,dp"}  | ${'strategy(h, b=("mp", "dp"))\n'}
  ${'strategy(h, b="dp")\n'}                              | ${"set h 0 mp"}     | ${'strategy(h, b="mp")\n'}
  ${'strategy(h, b="dp")\n'}                              | ${"set h 0"}        | ${"strategy(h)\n"}
  ${'strategy(h, b="dp", f="mp")\n'}                      | ${"move h 0 mp"}    | ${'strategy(h, b=("dp", "mp"))\n'}
  ${'strategy(h, f="mp", b="dp")\n'}                      | ${"move h 1 dp"}    | ${'strategy(h, f=("mp", "dp"))\n'}
  ${'place(x, layout("dp", "mp"))\n'}                     | ${"move x 1 dp"}    | ${'place(x, layout("None", ("mp", "dp")))\n'}
  ${'strategy(h, f="dp")\n'}                              | ${"cycle h 0"}      | ${'strategy(h, f="dp", b="mp")\n'}
  ${'strategy(h, b="dp")\n'}                              | ${"cycle h 0"}      | ${'strategy(h, b="mp")\n'}
  ${'strategy(h, b="mp")\n'}                              | ${"cycle h 0"}      | ${"strategy(h)\n"}
  ${'strategy(h, b="mp")\n'}                              | ${"cycle h 0 back"} | ${'strategy(h, b="dp")\n'}
  ${'strategy(h, b=("dp", "mp"))\n'}                      | ${"cycle h 0"}      | ${"strategy(h)\n"}
  ${'strategy(h, k="mp")\n'}                              | ${"scatter h 0 mp"} | ${'strategy(h, k="mp")\nplace(h, layout("mp", "None"))\n'}
  ${'strategy(h, b="dp", k="mp")\n'}                      | ${"scatter h 0 mp"} | ${'strategy(h, b="dp", k="mp")\nplace(h, layout(("dp", "mp"), "None"))\n'}
`("$gesture writes $after", ({ before, gesture, after }) => {
  const outcome = applyGesture(head + before, gestureOf(gesture));
  expect(outcome.ok ? outcome.source : outcome.reason).toBe(head + after);
});

test.each`
  before                     | gesture              | reason
  ${'strategy(h, b="dp")\n'} | ${"split h 1 dp"}    | ${'"dp" already splits "b" of "x"'}
  ${'strategy(h, b="dp")\n'} | ${"split h 0 dp"}    | ${'"dp" already splits "b"'}
  ${'strategy(h, b="dp")\n'} | ${"unsplit h 1 mp"}  | ${'"mp" does not split "f"'}
  ${""}                      | ${"split h 0 tp"}    | ${'the mesh has no axis "tp"'}
  ${""}                      | ${"split h 7 dp"}    | ${'"h" has no dim 7'}
  ${""}                      | ${"split q 0 dp"}    | ${'no tensor is called "q"'}
  ${'strategy(h, b="dp")\n'} | ${"scatter h 0 mp"}  | ${'"h" is no sum over "mp"'}
  ${""}                      | ${"scatter w1 0 mp"} | ${'"w1" is no sum over "mp"'}
`("$gesture after $before is refused: $reason", ({ before, gesture, reason }) => {
  expect(applyGesture(head + before, gestureOf(gesture))).toMatchObject({ ok: false, reason });
});

const net = (first: string, second: string) => `from mindspore import ops, nn

class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.matmul1 = ops.MatMul().shard(${first})
        self.matmul2 = ops.MatMul().shard(${second})
    def construct(self, x, w, v):
        y = self.matmul1(x, w)
        return self.matmul2(y, v)

net = Net()
shapes(x=(8, 8), w=(8, 8), v=(8, 8))
`;

test.each`
  first                 | gesture             | after
  ${"((4, 1), (1, 1))"} | ${"unsplit y 0 d0"} | ${"((1, 1), (1, 1))"}
  ${"((1, 1), (1, 1))"} | ${"split y 1 d0"}   | ${"((1, 1), (1, 4))"}
  ${"((1, 1), (1, 1))"} | ${"split x 1 d0"}   | ${"((1, 4), (4, 1))"}
  ${"((1, 1), (1, 4))"} | ${"whole w 1"}      | ${"((1, 1), (1, 1))"}
`("in a strategy tuple $first, $gesture writes $after", ({ first, gesture, after }) => {
  const second = "((1, 1), (1, 4))";
  const outcome = applyGesture(net(first, second), gestureOf(gesture));
  expect(outcome.ok ? outcome.source : outcome.reason).toBe(net(after, second));
});

test("the result of a gesture reads back to the split that was asked for", () => {
  const outcome = applyGesture(
    `${head}strategy(h, b="dp", f="mp")\nstrategy(y, b="dp")\n`,
    gestureOf("split w2 0 mp"),
  );
  const compiled = compile(outcome.ok ? outcome.source : "");
  const [operator] = [...compiled.plan.operators].filter(([id]) => id === "y");
  expect(operator?.[1].strategy.cuts).toMatchObject({ k: [{ axis: "mp" }] });
});

test("an axis that splits another dim is refused, and can be moved", () => {
  const outcome = applyGesture(`${head}strategy(h, b="dp")\n`, gestureOf("split h 1 dp"));
  expect(outcome).toEqual({
    ok: false,
    reason: '"dp" already splits "b" of "x"',
    instead: { gesture: { ...gestureOf("split h 1 dp"), kind: "move" }, label: "Move dp to h.f" },
  });
});

test("a press on a dim that no free axis may split says that the first can be moved", () => {
  const text = `${head}strategy(h, b=("dp", "mp"))\n`;
  const outcome = applyGesture(text, gestureOf("cycle h 1"));
  const instead = outcome.ok ? undefined : outcome.instead;
  expect(instead?.label).toBe("Move dp to h.f");
  const moved = applyGesture(text, instead?.gesture ?? gestureOf("whole h 0"));
  expect(moved.ok && moved.source).toBe(`${head}strategy(h, b="mp", f="dp")\n`);
});

test("the parts of a sum are added into blocks of another dim, however it is looked at", () => {
  const summed = `${head}strategy(h, k="mp")\n`;
  const placed = (layout: string) => `${summed}place(h, layout(${layout}))\n`;
  const reader = { operator: operatorId("h"), operand: "made" } as const;
  for (const from of [{}, { reader }]) {
    const outcome = applyGesture(placed('"mp", "None"'), {
      ...gestureOf("scatter h 1 mp"),
      ...from,
    });
    expect(outcome.ok ? outcome.source : outcome.reason).toBe(placed('"None", "mp"'));
  }
});

test("axes that are set where others have them can take them over", () => {
  const text = `${head}strategy(h, b="dp", f="mp")\n`;
  const outcome = applyGesture(text, gestureOf("set h 0 mp,dp"));
  const instead = outcome.ok ? undefined : outcome.instead;
  expect(instead?.label).toBe("Split h.b over mp, dp");
  const taken = applyGesture(text, instead?.gesture ?? gestureOf("whole h 0"));
  expect(taken.ok && taken.source).toBe(`${head}strategy(h, b=("mp", "dp"))\n`);
});

test("in a strategy tuple an axis moves from one entry to another, contracted partner included", () => {
  const second = "((1, 1), (1, 4))";
  const outcome = applyGesture(net("((4, 1), (1, 1))", second), gestureOf("move y 1 d0"));
  expect(outcome.ok ? outcome.source : outcome.reason).toBe(net("((1, 1), (1, 4))", second));
});

const policy = (config: string, more = "") => `import torch
import nnscaler

@nnscaler.register_op('m k+, k+ n -> m n', name='mm')
def mm(x: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
    return torch.matmul(x, w)

mesh = Mesh(gpus=4)
x = Tensor((8, 16))
w = Parameter((16, 32))
y = mm(x, w)

def PAS(graph, cfg):
    for node in graph.nodes():
        config = ${config}
        for device, piece in enumerate(graph.partition(node, node.algorithm('dim'), **config)):
            graph.assign(piece, device)
    return graph
${more}`;

test.each`
  config                              | gesture            | after
  ${"dict(idx=0, dim=1, num=4)"}      | ${"move y 1 gpus"} | ${"dict(idx=1, dim=1, num=4)"}
  ${"dict(idx=0, dim=1, num=4)"}      | ${"move x 0 gpus"} | ${"dict(idx=0, dim=0, num=4)"}
  ${"{'idx': 1, 'dim': 1, 'num': 4}"} | ${"move y 0 gpus"} | ${"{'idx': 0, 'dim': 0, 'num': 4}"}
`("in the config $config of a partition, $gesture writes $after", ({ config, gesture, after }) => {
  const outcome = applyGesture(policy(config), gestureOf(gesture));
  expect(outcome.ok ? outcome.source : outcome.reason).toBe(policy(after));
});

test("a partition that the text computes stays, and a strategy of its own goes before it", () => {
  const before = policy("dict(idx=0, dim=1, num=cfg.plan_ngpus // 1)");
  const outcome = applyGesture(before, gestureOf("move y 1 gpus"));
  expect(outcome.ok ? outcome.source : outcome.reason).toBe(`${before}strategy(y, n="gpus")\n`);
});

const layouts = (first: string, second: string) => `from mindspore import Layout, ops

layout = Layout((2, 2), ("dp", "mp"))
net = ops.MatMul().shard((${first}, ${second}))
y = net(Tensor((8, 16)), Parameter((16, 32)))
`;

test.each`
  first                     | second                      | gesture           | then                              | and
  ${"layout('dp', 'None')"} | ${"layout('None', 'None')"} | ${"split y 1 mp"} | ${"layout('dp', 'None')"}         | ${"layout('None', 'mp')"}
  ${"layout('dp', 'None')"} | ${"layout('None', 'None')"} | ${"whole y 0"}    | ${"layout('None', 'None')"}       | ${"layout('None', 'None')"}
  ${"layout('dp', 'None')"} | ${"layout('None', 'None')"} | ${"split y 0 mp"} | ${"layout(('dp', 'mp'), 'None')"} | ${"layout('None', 'None')"}
`(
  "in the layouts $first and $second, $gesture writes $then and $and",
  ({ first, second, gesture, then, and }) => {
    const outcome = applyGesture(layouts(first, second), gestureOf(gesture));
    expect(outcome.ok ? outcome.source : outcome.reason).toBe(layouts(then, and));
  },
);
