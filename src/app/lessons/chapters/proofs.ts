import type { Lesson } from "../lesson.ts";

const chapter = "Proofs and documents";

export const findTheFault: Lesson = {
  id: "find-the-fault",
  title: "Find the fault",
  chapter,
  minutes: 5,
  needs: ["columns-then-rows"],
  words: ["all-reduce", "partial sum"],
  texts: {
    net: `mesh = Mesh(tp=4)

x = Tensor((4, 8), "f32")
w1 = Parameter((8, 8), "f32")
w2 = Parameter((8, 4), "f32")

h = matmul(x, w1)
a = relu(h)
y = matmul(a, w2)

strategy(h, n="tp")
strategy(y, k="tp")
`,
  },
  steps: [
    {
      say: "A plan can be run here, on small numbers, beside the program that is not split. This time the one step that sends something is left out: press `Run it broken`, and look at what each device has in `y`.",
      show: {
        text: "net",
        panel: "run",
        fault: { how: "drop", step: 3, collective: "all-reduce", tensor: "y" },
      },
      ask: {
        kind: "choice",
        question: "Every device ends with other numbers in `y`. What are they?",
        options: [
          {
            text: "The right ones, added in another order",
            isRight: false,
            says: "An order would make no difference: a sum does not mind.",
          },
          {
            text: "Each device's own part of the sum, which nobody has added to the others",
            isRight: true,
          },
          {
            text: "Blocks of another device, since a gather of `a` is missing",
            isRight: false,
            says: "The second matmul is cut by `k`, and wants just the columns of `a` that a device has.",
          },
        ],
      },
      reveal:
        "Its own part of the sum. The all-reduce of `y` would have added them; without it every device goes on with what it has, and no number is right.",
      hints: ["What does the cut of `k` leave on each device?"],
      claims: ["count(all-reduce) = 1", "count(all-gather) = 0", 'strategy(y).k = "tp"'],
    },
    {
      say: "Put it right: run the plan as it is written, with nothing left out.",
      show: { text: "net", panel: "run" },
      act: {
        task: "Let the plan give the values of the program that is not split.",
        goal: "ok and same(program) and equal",
        solution: "net",
        solved: { isEqual: true },
      },
      reveal:
        "Equal. A plan that leaves out nothing and sends {bytes} gives the same numbers as one device alone.",
      hints: ["Press Run."],
      claims: ["bytes > 0"],
    },
  ],
};

const higherOrder = (out: string, call: string) =>
  `import mindspore.nn as nn
from mindspore import ops, Layout
from mindspore.parallel.auto_parallel import AutoParallel

class DenseMatMulNet(nn.Cell):
    def __init__(self):
        super(DenseMatMulNet, self).__init__()
        layout = Layout((2, 2, 2), alias_name = ("dp", "sp", "mp"))
        in_strategy = (layout("mp", ("sp", "dp")), layout(("sp", "dp"), "None"))
${out}        self.matmul1 = ops.MatMul().shard(${call})
    def construct(self, x, w):
        y = self.matmul1(x, w)
        return y

net = DenseMatMulNet()
paralell_net = AutoParallel(net, parallel_mode='semi_auto')
shapes(x=(16, 8), w=(8, 6))
`;

export const layoutsFromDocument: Lesson = {
  id: "layouts-from-a-document",
  title: "Layouts from a document",
  chapter,
  minutes: 6,
  needs: ["order-of-axes", "summed-dim"],
  words: ["layout", "reduce-scatter"],
  texts: {
    reduced: higherOrder("", "in_strategy"),
    scattered: higherOrder(
      '        out_strategy = (layout(("mp", "sp", "dp"), "None"), )\n',
      "in_strategy, out_strategy",
    ),
  },
  steps: [
    {
      say: "A net as MindSpore's documentation writes it. `layout` names the axes of eight devices, `dp` outermost and `mp` innermost; `x` is cut by `mp` along its rows, and along its columns by `sp` first and `dp` inside it.",
      show: { text: "reduced", tensor: "x" },
      ask: {
        kind: "cells",
        question:
          "Which block of `x` does device 2 hold? Its rows are cut in two, its columns in four.",
        tensor: "x",
        device: 2,
        rows: 2,
        columns: 4,
      },
      reveal:
        "Device 2 is `dp` 0, `sp` 1, `mp` 0: the first half of the rows, and of the columns the quarter 1 · 2 + 0, since `sp` counts first.",
      hints: [
        "Eight devices in the order `dp`, `sp`, `mp`: 2 is 0, 1, 0.",
        "The columns count `sp` twos and `dp` ones.",
      ],
      claims: ['hold(2, x) = "0:8,4:6"', 'layout(x) = "mp,sp*dp"'],
    },
    {
      say: "`k` is cut, so `y` is a partial sum, and an all-reduce of {bytes} makes it whole. A *strategy* for the result can leave it cut.",
      show: { text: "reduced", tensor: "y" },
      act: {
        task: "Leave the rows of `y` cut by `mp`, `sp` and `dp`, in this order, with one reduce-scatter.",
        goal: 'ok and same(program) and same(machine) and devices = start(devices) and layout(y) = "mp*sp*dp,_" and count(reduce-scatter) = 1 and count(all-reduce) = 0',
        solution: "scattered",
      },
      reveal:
        "The reduce-scatter sends {bytes(scattered)} instead of {bytes(reduced)}. The page warns of something else: MindSpore 2.10 emits the *group* of this step in ascending order, so that blocks would lie on other devices than the *layout* says.",
      hints: [
        "`shard` takes the strategies of the results behind those of the operands.",
        'Write `out_strategy = (layout(("mp", "sp", "dp"), "None"), )` and pass it to `shard`.',
      ],
      claims: ["bytes(scattered) = bytes(reduced) / 2"],
    },
  ],
};
