import type { Lesson } from "../lesson.ts";

const matmul = (...lines: readonly string[]) =>
  [
    "mesh = Mesh(d=4)\n",
    'x = Tensor((512, 1024), "bf16")',
    'w = Parameter((1024, 2048), "bf16")',
    "y = matmul(x, w)",
    ...lines,
    "",
  ].join("\n");

const chapter = "Cuts";

export const oneMatmul: Lesson = {
  id: "one-matmul",
  title: "One matmul, four devices",
  chapter,
  minutes: 4,
  needs: [],
  words: ["mesh", "axis", "shard", "replica"],
  texts: {
    uncut: matmul(),
    rows: matmul('strategy(y, m="d")'),
    columns: matmul('strategy(y, n="d")'),
    summed: matmul('strategy(y, k="d")'),
  },
  steps: [
    {
      say: "Four *devices|device* stand on a *mesh* with one *axis*, `d`. They multiply `x` by `w`, two matrices of *bf16* numbers, and nothing is cut: each of them holds all of both, and computes all of `y`. That takes {time}.",
      show: { text: "uncut", tensor: "y" },
      ask: {
        kind: "choice",
        question:
          "A *matmul* has three *dims|dim*: the rows `m` of `x`, the columns `n` of `w`, and `k`, over which it adds. How many of the three can be cut among the devices so that none of them has to send anything?",
        options: [
          {
            text: "None",
            isRight: false,
            says: "A device needs only some rows of `x` to make the same rows of `y`.",
          },
          {
            text: "One",
            isRight: false,
            says: "What holds of the rows of `x` holds of the columns of `w` too.",
          },
          { text: "Two", isRight: true },
          {
            text: "All three",
            isRight: false,
            says: "Cut `k`, and each device has a part of every sum: the parts have to be added, and so they are sent.",
          },
        ],
      },
      reveal:
        "Two: `m` and `n`. Each device makes its own rows or its own columns of `y`, from what it holds. With `k` cut the parts of each sum would have to be sent, and added.",
      hints: ["Think of one number of `y`: which numbers of `x` and of `w` does it need?"],
      claims: ["bytes(rows) = 0", "bytes(columns) = 0", "bytes(summed) > 0"],
    },
    {
      say: "Now cut it.",
      how: {
        wide: "Drag the axis `d` from the mesh onto a dim of `y`, press the + beside a dim of `y`, or write a line such as `strategy(y, …)` below the others.",
        touch:
          "Tap a dim of `y` and choose the axis, or write a line such as `strategy(y, …)` below the others.",
      },
      show: { text: "uncut", tensor: "y" },
      act: {
        task: "Cut the matmul among the four devices so that nothing is sent, and each computes less than {compute}.",
        goal: "ok and same(program) and same(machine) and devices = start(devices) and bytes = 0 and compute < start(compute)",
        solution: "columns",
      },
      reveal:
        "Cut along `m` it takes {time(rows)}, along `n` {time(columns)}; uncut {time(uncut)}. The *peak* of memory falls from {memory(uncut)} to {memory(rows)} or {memory(columns)}: `w` is the large one, and `n` cuts it, from {of(uncut, local(w))} to {of(columns, local(w))} on each device.",
      hints: [
        "The first dim of `y` is `m`, its second is `n`.",
        'Write `strategy(y, m="d")` as the last line.',
      ],
      claims: [
        "time(rows) < time(uncut)",
        "time(columns) < time(uncut)",
        "memory(columns) < memory(rows)",
        "memory(rows) < memory(uncut)",
        "size(w) > size(x)",
        "of(columns, local(w)) = of(uncut, local(w)) / 4",
      ],
    },
  ],
};

export const summedDim: Lesson = {
  id: "summed-dim",
  title: "The dim that is summed",
  chapter,
  minutes: 5,
  needs: ["one-matmul"],
  words: ["partial sum", "all-reduce", "reduce-scatter", "bytes received"],
  texts: {
    summed: matmul('strategy(y, k="d")'),
    scattered: matmul('strategy(y, k="d")', 'place(y, layout("d", "None"))'),
  },
  steps: [
    {
      say: "Here `k` is cut, the dim over which a matmul adds. Each device has a *partial sum* of every number of `y`, and an *all-reduce* adds the parts, so that all four have all of `y`: {size(y)}.",
      show: { text: "summed", step: 1 },
      ask: {
        kind: "number",
        question: "How many bytes does each device receive until it has the whole sum?",
        unit: "bytes",
        value: "bytes",
        tolerance: 0.03,
        hides: ["comm"],
        mistakes: [
          {
            value: "bytes / 2",
            says: "You have one of its halves, in which the parts are added. Then each device has but a quarter of the sum, and the quarters go round.",
          },
          {
            value: "size(y)",
            says: "That is all of `y`, once. A device receives three quarters of it, since one is its own to add, and this twice.",
          },
          {
            value: "2 * size(y)",
            says: "That is all of `y`, twice. One quarter of it a device has itself, each time.",
          },
          {
            value: "3 * size(y)",
            says: "That is what three others hold. A device adds no more than a quarter of each of their parts; the other quarters are added elsewhere.",
          },
          {
            value: "bytes / 6",
            says: "That is one quarter of `y`: what one other device sends it, in one half of the all-reduce. There are three others, and two halves.",
          },
        ],
      },
      reveal:
        "{bytes:exact} = 2 · ¾ · {size(y):exact}. An all-reduce first adds, so that each device has a quarter of `y` done, for which it receives three quarters; then the quarters go round, which are three quarters again.",
      hints: [
        "A device adds three parts of others to its own quarter.",
        "Then it gets the three quarters that others have done.",
      ],
      claims: ["bytes = 2 * 3 / 4 * size(y)", "count(all-reduce) = 1", "devices = 4"],
    },
    {
      say: 'Whoever reads `y` next may not need all of it. Let it lie cut: then the second half of the all-reduce falls away, and what is left is a *reduce-scatter*. A line `place(y, layout(…))` says how `y` lies from where it is made: for each of its dims the axis that cuts it, or `"None"`.',
      how: {
        wide: "Press the arrow at the end of a dim of `y` for its choices, or Alt+↓ on it: one of them adds the parts into blocks of the dim, and writes that line.",
        touch:
          "Tap a dim of `y` for its choices: one of them adds the parts into blocks of the dim, and writes that line.",
      },
      show: { text: "summed", tensor: "y" },
      act: {
        task: "Leave `k` cut by `d`, and send half of the bytes: at most {bytes(scattered)}.",
        goal: "ok and same(program) and same(machine) and devices = start(devices) and strategy(y).k = d and bytes <= start(bytes) / 2",
        solution: "scattered",
      },
      reveal:
        "The reduce-scatter sends {bytes(scattered):exact}, half of it, and the step takes {time(scattered)} instead of {time(summed)}.",
      hints: [
        "`y` has two dims. Whichever of them `d` cuts, each device keeps a quarter.",
        'Take Σ `d` among the choices of a dim of `y`, or write `place(y, layout("d", "None"))` as the last line.',
      ],
      claims: [
        "bytes(scattered) = bytes(summed) / 2",
        "of(scattered, count(reduce-scatter)) = 1",
        "time(scattered) < time(summed)",
      ],
    },
  ],
};

const pair = (first: string, second: string) =>
  `mesh = Mesh(tp=4)

x = Tensor((2048, 4096), "bf16")
w1 = Parameter((4096, 16384), "bf16")
w2 = Parameter((16384, 4096), "bf16")

h = matmul(x, w1)
a = gelu(h)
y = matmul(a, w2)

strategy(h, ${first}="tp")
strategy(y, ${second}="tp")
`;

export const columnsThenRows: Lesson = {
  id: "columns-then-rows",
  title: "Columns, then rows",
  chapter,
  minutes: 6,
  needs: ["summed-dim"],
  words: ["all-gather", "all-reduce", "shard"],
  texts: {
    twice: pair("n", "n"),
    solved: pair("n", "k"),
    summed: pair("k", "k"),
    batch: pair("m", "m"),
  },
  steps: [
    {
      say: "The two matmuls of a *transformer*'s *MLP*, and between them a *gelu*, which changes each number by itself. `w1` is cut by its columns, and so is `w2`. The first needs no sending. The second needs whole rows of `a`, which an *all-gather* brings together: {bytes}.",
      show: { text: "twice", step: 1 },
      ask: {
        kind: "choice",
        question: "Which cut of `w2` makes the gather of `a` go away?",
        options: [
          {
            text: "None: `w2` whole on each device",
            isRight: false,
            says: "Then each device multiplies whole rows of `a`, and has to gather them first.",
          },
          { text: "By its rows, the dim `k` of the second matmul", isRight: true },
          {
            text: "By its columns, as it is",
            isRight: false,
            says: "That is the cut which needs whole rows of `a`.",
          },
        ],
      },
      reveal:
        "By its rows. The columns of `a` that a device has made are just those that its rows of `w2` want; the products are parts of sums, and one all-reduce of `y` adds them.",
      hints: ["What does a device hold of `a` once the first matmul is done?"],
      claims: [
        "count(all-gather) = 1",
        "of(solved, count(all-gather)) = 0",
        "of(solved, count(all-reduce)) = 1",
      ],
    },
    {
      say: "Do it. The plan sends {bytes}, and can send half of that.",
      how: {
        wide: "Drag `tp` of `w2` from `n` to `k`, or change the last line.",
        touch: "Tap the dim `k` of `w2` for its choices, or change the last line.",
      },
      show: { text: "twice", tensor: "w2" },
      act: {
        task: "No all-gather, at most {bytes(solved)} sent, and a peak of memory of at most {1.03 * best(memory)}.",
        goal: "ok and same(program) and same(machine) and devices = start(devices) and count(all-gather) = 0 and bytes <= 25165824 and memory <= 1.03 * best(memory)",
        solution: "solved",
      },
      reveal:
        "{bytes(twice)} became {bytes(solved)}, {time(twice)} became {time(solved)}, and the peak {memory(twice)} became {memory(solved)}. To cut `k` twice instead sends {bytes(summed)} and takes {time(summed)}: the first sum would have to be added before the gelu.",
      hints: [
        "In `y = matmul(a, w2)` the rows of `w2` are `k`.",
        'Change the last line to `strategy(y, k="tp")`.',
      ],
      claims: [
        "bytes(solved) = bytes(twice) / 2",
        "time(solved) < time(twice)",
        "memory(solved) < memory(twice)",
        "bytes(summed) > bytes(twice)",
        "time(summed) > time(solved)",
      ],
    },
    {
      say: "There is a plan that sends nothing at all: cut the rows of `x`, `m` of both matmuls. Why is that not the answer?",
      show: { text: "batch", tensor: "w1" },
      ask: {
        kind: "order",
        question: "Put these in the order of the memory that a device needs for them.",
        items: [
          { text: "Rows of `x` cut", value: "memory(batch)" },
          { text: "Columns twice", value: "memory(twice)" },
          { text: "Columns, then rows", value: "memory(solved)" },
        ],
      },
      reveal:
        "With the rows of `x` cut, each device holds both weights whole: {memory(batch)} at the peak, against {memory(solved)} for columns, then rows. And though nothing is sent, it takes {time(batch)}, not less than {time(solved)}: each device has to read all of the *weights|weight*. Which plan is best depends on the sizes, so the page works it out each time.",
      hints: ["Which tensors are large here, and who cuts them?"],
      claims: [
        "bytes(batch) = 0",
        "time(batch) >= time(solved)",
        "memory(batch) > 2 * memory(solved)",
        "of(batch, local(w1)) = size(w1)",
      ],
    },
  ],
};

const forbidden = (last: string) =>
  `mesh = Mesh(x=4)

A = Tensor((32, 16), "f32")
B = Tensor((16, 64), "f32")
place(A, layout("x", "None"))
place(B, layout("None", "x"))

C = einsum("i j, j k -> i k", A, B)
strategy(C, ${last})
`;

export const oneAxisOneDim: Lesson = {
  id: "one-axis-one-dim",
  title: "One axis, one dim",
  chapter,
  minutes: 5,
  needs: ["columns-then-rows"],
  words: ["axis", "all-gather"],
  texts: {
    both: forbidden('i="x", k="x"'),
    rows: forbidden('i="x"'),
    columns: forbidden('k="x"'),
  },
  steps: [
    {
      say: "`A` is cut by its rows, `B` by its columns, both by the same axis `x`. The last line wants `C` cut by both of its dims, by that one axis: the page says that this is an error.",
      show: { text: "both", tensor: "C" },
      ask: {
        kind: "choice",
        question: "Why can one axis not cut both `i` and `k` of `C`?",
        options: [
          {
            text: "Four devices are too few for two dims",
            isRight: false,
            says: "Four devices can cut two dims, each in two, with two axes of length 2.",
          },
          {
            text: "Each device would make one block of the diagonal, and nobody the others",
            isRight: true,
          },
          {
            text: "`A` and `B` have different sizes",
            isRight: false,
            says: "The sizes fit: `j` is as long in both.",
          },
        ],
      },
      reveal:
        "Device c has row block c of `A` and column block c of `B`. It can make block (c, c) of `C`: four blocks out of sixteen. For the rest, one of the operands has to be gathered.",
      hints: ["Write down what device 0 and device 1 can make out of what they hold."],
      claims: ["not ok", "of(rows, ok)"],
    },
    {
      say: "So gather one operand: cut `C` by one of its dims alone.",
      show: { text: "both", tensor: "C" },
      act: {
        task: "Leave `A` and `B` where they lie. No errors, and at most {bytes(columns):exact} received by each device.",
        goal: 'ok and same(program) and same(machine) and devices = start(devices) and rest(A) = "x,_" and rest(B) = "_,x" and bytes <= 1536',
        solution: "columns",
      },
      reveal:
        "To gather `B` costs {bytes(rows):exact}, to gather `A` {bytes(columns):exact}, half of it: gather the smaller one.",
      hints: ["Which of `A` and `B` is smaller?", 'Leave `k="x"` alone in the last line.'],
      claims: ["bytes(columns) = bytes(rows) / 2", "size(A) < size(B)"],
    },
  ],
};
