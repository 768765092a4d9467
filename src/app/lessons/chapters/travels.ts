import type { Lesson } from "../lesson.ts";

const chapter = "What is sent";

export const gatherTravels: Lesson = {
  id: "gather-travels",
  title: "How a gather travels",
  chapter,
  minutes: 5,
  needs: ["summed-dim"],
  words: ["all-gather", "ring", "hop"],
  texts: {
    net: `import mindspore.nn as nn
from mindspore import ops
from mindspore.parallel.auto_parallel import AutoParallel

class DenseMatMulNet(nn.Cell):
    def __init__(self):
        super(DenseMatMulNet, self).__init__()
        self.matmul1 = ops.MatMul().shard(((4, 1), (1, 1)))
        self.matmul2 = ops.MatMul().shard(((1, 1), (1, 4)))
    def construct(self, x, w, v):
        y = self.matmul1(x, w)
        z = self.matmul2(y, v)
        return z

net = DenseMatMulNet()
paralell_net = AutoParallel(net, parallel_mode='semi_auto')
shapes(x=(8, 4), w=(4, 6), v=(6, 8))
`,
  },
  steps: [
    {
      say: "The first operator leaves `y` cut by rows, a quarter on each of four devices. The second wants all of it, so an *all-gather* is sent. On a *ring* each device hands one block to the next one, again and again: each time is a *hop*. The program is a net of MindSpore; what counts of it is on the board.",
      show: { text: "net", step: 1, hop: 0, panel: "steps" },
      ask: {
        kind: "cells",
        question: "Which quarters of the rows of `y` does device 2 have after the first hop?",
        tensor: "y",
        device: 2,
        after: { step: 1, hop: 1 },
        rows: 4,
        columns: 1,
      },
      reveal:
        "Its own, the third, and the second, which device 1 handed on: devices count from 0, quarters from 1. After each hop it has one more.",
      hints: [
        "Device 2 begins with its own quarter, the third.",
        "Device 1 hands its block to device 2.",
      ],
      claims: ["count(all-gather) = 1", 'hold(2, y) = "4:6,0:6"'],
    },
    {
      say: "Now the whole way round.",
      how: {
        wide: "Go through the hops with the double arrows beside Ring, or with the keys `<` and `>`. The arrows of the steps, `,` and `.`, stop within a hop too.",
        touch:
          "Go through the hops with the double arrows beside Ring. The arrows of the steps stop within a hop too.",
      },
      show: { step: 1, hop: 0, panel: "steps" },
      act: {
        task: "Stop behind the hop after which device 0 has all of `y`.",
        goal: "same(steps) and at(1, 3)",
        solution: "net",
        solved: { view: { step: 1, hop: 3 } },
      },
      reveal:
        "Three hops, one less than there are devices, each of {bytes / 3}: {bytes} in all. Sent at once, or hop by hop, it is the same number of bytes.",
      hints: [
        "A device misses three quarters, and gets one in each hop.",
        "Hops are shown one by one where the switch below the drawing stands on Ring.",
      ],
      claims: ["bytes = 3 / 4 * size(y)", "devices = 4"],
    },
  ],
};

const turned = (columns: string) =>
  `mesh = Mesh(d=4)

t = Tensor((4096, 4096), "bf16")
rows = neg(t)
columns = neg(rows)

strategy(rows, a="d")
strategy(columns, ${columns})
`;

export const rowsToColumns: Lesson = {
  id: "rows-to-columns",
  title: "Rows to columns",
  chapter,
  minutes: 4,
  needs: ["gather-travels"],
  words: ["all-to-all", "all-gather"],
  texts: { gathered: turned("a=()"), traded: turned('b="d"') },
  steps: [
    {
      say: "`rows` lies cut by rows. Here every device gathers all of it, for which it receives {bytes}. If the reader wants it cut by columns, an *all-to-all* is enough: each device keeps a quarter of its block and trades the others.",
      show: { text: "gathered", step: 1 },
      ask: {
        kind: "choice",
        question: "How many bytes does a device receive in the all-to-all, next to the all-gather?",
        options: [
          {
            text: "The same",
            isRight: false,
            says: "In the gather a device receives all that it lacks of `rows`; here only what it lacks of its own columns.",
          },
          {
            text: "Half",
            isRight: false,
            says: "Half would be right with two devices. Each of four ends with a quarter of the columns, and lacks three quarters of those.",
          },
          { text: "A quarter", isRight: true },
          {
            text: "An eighth",
            isRight: false,
            says: "Four devices cut the columns into four: a device lacks three quarters of its own quarter.",
          },
        ],
      },
      reveal:
        "{bytes(traded):exact} against {bytes(gathered):exact}, exactly a quarter: of n devices one n-th, since a device ends with one n-th of the *tensor* and not with all of it.",
      hints: [
        "With four devices a device ends with a quarter of the tensor.",
        "It had a quarter of that already, as it had of the whole in the gather.",
      ],
      claims: ["bytes(traded) = bytes(gathered) / 4", "devices = 4"],
    },
    {
      say: "Make it so: `rows` by rows, `columns` by columns.",
      show: { text: "gathered", tensor: "columns" },
      act: {
        task: "Leave `rows` cut by its first dim and `columns` by its second, and send at most {bytes(traded)}.",
        goal: 'ok and same(program) and same(machine) and devices = start(devices) and layout(rows) = "d,_" and layout(columns) = "_,d" and bytes <= 6291456',
        solution: "traded",
      },
      reveal: "One all-to-all, {time(traded)} for the step instead of {time(gathered)}.",
      hints: ["The second dim of `columns` is `b`.", 'Write `strategy(columns, b="d")`.'],
      claims: ["of(traded, count(all-to-all)) = 1", "time(traded) < time(gathered)"],
    },
  ],
};

const ordered = (second: string) =>
  `mesh = Mesh(a=2, b=4)

t = Tensor((64, 8), "f32")
u = neg(t)
v = neg(u)

strategy(u, a=("a", "b"))
strategy(v, a=(${second}))
`;

export const orderOfAxes: Lesson = {
  id: "order-of-axes",
  title: "The order of axes",
  chapter,
  minutes: 4,
  needs: ["rows-to-columns"],
  words: ["collective-permute", "axis"],
  texts: { turned: ordered('"b", "a"'), alike: ordered('"a", "b"') },
  steps: [
    {
      say: "Two axes cut the same dim of `u` and `v` into eight. `u` counts `a` first and `b` inside it, `v` the other way round.",
      show: { text: "turned", step: 1 },
      ask: {
        kind: "choice",
        question: "What is sent between `u` and `v`?",
        options: [
          {
            text: "Nothing: both are cut into the same eight blocks",
            isRight: false,
            says: "The blocks are the same, but they lie on other devices.",
          },
          {
            text: "An all-gather and a slice",
            isRight: false,
            says: "Nobody needs more than one block of another device.",
          },
          { text: "One collective-permute: whole blocks change their places", isRight: true },
          {
            text: "An all-to-all",
            isRight: false,
            says: "No block has to be cut: each goes whole to one other device.",
          },
        ],
      },
      reveal:
        "One *collective-permute*, {bytes} for each device that gets another block. Block 1 lies on device 1 where `a` counts first, and on device 4 where `b` does.",
      hints: ["Look at which rows device 1 holds of `u`, and which of `v`."],
      claims: [
        "count(collective-permute) = 1",
        "count(all-gather) = 0",
        "count(all-to-all) = 0",
        'hold(1, u) = "8:16,0:8"',
        'hold(4, v) = "8:16,0:8"',
      ],
    },
    {
      say: "Two tensors that are read one behind the other are best written alike.",
      show: { text: "turned", tensor: "v" },
      act: {
        task: "On the mesh as it is, let nothing be sent, with `u` still cut.",
        goal: 'ok and same(program) and same(machine) and mesh = start(mesh) and layout(u) != "_,_" and bytes = 0',
        solution: "alike",
      },
      reveal: "Written alike, nothing is sent: {time(alike)} instead of {time(turned)}.",
      hints: ["Give both the same axes in the same order."],
      claims: ["bytes(alike) = 0", "time(alike) < time(turned)"],
    },
  ],
};

const carried = (...lines: readonly string[]) =>
  [
    "mesh = Mesh(mp=4)\n",
    'x = Tensor((32, 64), "bf16")',
    'w1 = Parameter((64, 48), "bf16")',
    'w2 = Parameter((64, 48), "bf16")\n',
    "h1 = matmul(x, w1)",
    "h2 = matmul(x, w2)",
    "s = add(h1, h2)",
    "y = transpose(s, 0, 1)\n",
    'strategy(h1, k="mp")',
    'strategy(h2, k="mp")',
    ...lines,
    "",
  ].join("\n");

export const sumCarriedOn: Lesson = {
  id: "sum-carried-on",
  title: "A sum carried on",
  chapter,
  minutes: 5,
  needs: ["summed-dim"],
  words: ["partial sum", "all-reduce"],
  texts: {
    added: carried(),
    carried: carried('strategy(s, carry="mp")', 'strategy(y, carry="mp")'),
  },
  steps: [
    {
      say: "Two matmuls whose `k` is cut each leave a *partial sum*. Both are added up over the devices before `s` adds them to each other: {count(all-reduce)} all-reduces, {bytes}.",
      show: { text: "added", step: 1 },
      ask: {
        kind: "choice",
        question: "How many all-reduces are needed, if all devices shall have `y` in the end?",
        options: [
          {
            text: "None",
            isRight: false,
            says: "The parts have to be added somewhere: nobody has all of them.",
          },
          { text: "One", isRight: true },
          {
            text: "Two",
            isRight: false,
            says: "Parts may be added to parts first: the sum of both is still a sum of parts.",
          },
        ],
      },
      reveal:
        "One. To add and to transpose is *linear*: it makes no difference whether the parts are added before or behind. A gelu is not linear, so in front of it the sum has to be whole; try it.",
      hints: ["Is the sum of two partial sums a partial sum?"],
      claims: ["of(carried, count(all-reduce)) = 1"],
    },
    {
      say: 'With `carry` in its *strategy* an operator that is linear lets a partial sum pass: `strategy(y, carry="mp")` says that `y` carries on what it gets over `mp`.',
      show: { text: "added", tensor: "y" },
      act: {
        task: "Compute the same with one all-reduce, and half of the bytes.",
        goal: "ok and same(program) and same(machine) and devices = start(devices) and count(all-reduce) = 1 and bytes <= start(bytes) / 2",
        solution: "carried",
      },
      reveal: "{bytes(added):exact} became {bytes(carried):exact}, half of it.",
      hints: [
        '`strategy(s, carry="mp")` carries the sum through `s`.',
        "`y` carries it too: each operator between the matmuls and the result.",
      ],
      claims: ["bytes(carried) = bytes(added) / 2"],
    },
  ],
};
