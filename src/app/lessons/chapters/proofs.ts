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
      say: "A plan can be run here, on small numbers, beside the program that is not split. This run leaves something out: press the button that runs it with its fault, and look at what the devices have in the end.",
      show: {
        text: "net",
        panel: "run",
        fault: { how: "drop", step: 3, collective: "all-reduce", tensor: "y" },
      },
      ask: {
        kind: "choice",
        question:
          "Every device has other numbers in `y`, and none of them is right. Which step is missing?",
        options: [
          {
            text: "A gather of `x`",
            isRight: false,
            says: "Each device holds all of `x` from the beginning.",
          },
          {
            text: "A gather of `a`",
            isRight: false,
            says: "The second matmul is cut by `k`, and wants just the columns that a device has.",
          },
          { text: "The all-reduce of `y`", isRight: true },
        ],
      },
      reveal:
        "The all-reduce of `y`: each device has its own part of the sum, and the parts were never added. In which order they are added would make no difference: a sum does not mind.",
      hints: [
        "Which numbers would be right on one device and wrong on another, if a gather were missing?",
      ],
      claims: ["count(all-reduce) = 1", "count(all-gather) = 0", 'strategy(y).k = "tp"'],
    },
    {
      say: "Put it right: run the plan as it is written, with nothing left out.",
      show: { text: "net", panel: "run" },
      act: {
        task: "Let the plan give the values of the program that is not split.",
        goal: "same(program) and equal",
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
      say: "`k` is cut, so `y` is a partial sum, and an all-reduce of {bytes} makes it whole. A strategy for the result can leave it cut.",
      show: { text: "reduced", tensor: "y" },
      act: {
        task: "Leave the rows of `y` cut by `mp`, `sp` and `dp`, in this order, with one reduce-scatter.",
        goal: 'ok and same(program) and layout(y) = "mp*sp*dp,_" and count(reduce-scatter) = 1 and count(all-reduce) = 0',
        solution: "scattered",
      },
      reveal:
        "The reduce-scatter sends {bytes(scattered)} instead of {bytes(reduced)}. The page warns of something else: MindSpore 2.10 emits the group of this step in ascending order, so that blocks would lie on other devices than the layout says.",
      hints: [
        "`shard` takes the strategies of the results behind those of the operands.",
        'Write `out_strategy = (layout(("mp", "sp", "dp"), "None"), )` and pass it to `shard`.',
      ],
      claims: ["bytes(scattered) = bytes(reduced) / 2"],
    },
  ],
};
