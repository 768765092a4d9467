import { type LessonPlans, type Tried, textOf, tried } from "./tried.testing.ts";

const one = (what: string, lines: string): Tried => ({
  what,
  text: `${textOf("one-matmul", "uncut")}${lines}\n`,
});

const pair = (what: string, first: string, second: string, more = ""): Tried => ({
  what,
  text: `${textOf("columns-then-rows", "twice")
    .replace('strategy(h, n="tp")\n', `${first}\n`)
    .replace('strategy(y, n="tp")\n', `${second}\n`)}${more}`,
});

export const cutsPlans: readonly LessonPlans[] = [
  {
    lesson: "one-matmul",
    step: 2,
    right: [
      one("rows", 'strategy(y, m="d")'),
      one("columns", 'strategy(y, n="d")'),
      one("columns by a place of y", 'place(y, layout("None", "d"))\nstrategy(y, n="d")'),
    ],
    wrong: [
      one("nothing cut", ""),
      one("the summed dim", 'strategy(y, k="d")'),
      one("an error", 'strategy(y, q="d")'),
      { what: "no work", text: "mesh = Mesh(d=4)\n" },
      one("y placed cut, and computed whole", 'strategy(y)\nplace(y, layout("None", "d"))'),
      one("rows, and then gathered", 'strategy(y, m="d")\nplace(y, layout("None", "None"))'),
      tried("cut, but for one device", "one-matmul", "columns", [["d=4", "d=1"]]),
      tried("cut among two", "one-matmul", "columns", [["d=4", "d=2"]]),
      tried("cut among eight", "one-matmul", "rows", [["d=4", "d=8"]]),
      tried("a faster machine, and nothing cut", "one-matmul", "uncut", [
        ["d=4", 'd=4, hardware="4xH100"'],
      ]),
      tried("less work", "one-matmul", "rows", [["512, 1024", "128, 1024"]]),
    ],
    unexpected: [
      one("the weight is placed", 'place(w, layout("None", "d"))'),
      one(
        "a function of the reader's own places the weight",
        'def cut(t, dim):\n    lies = ["None", "None"]\n    lies[dim] = "d"\n    place(t, layout(*lies))\n\ncut(w, 1)',
      ),
      {
        what: "written as a module of PyTorch",
        text: `import torch
import torch.nn as nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.empty(1024, 2048, dtype=torch.bfloat16))
    def forward(self, x):
        return x @ self.w

mesh = Mesh(d=4)
x = Tensor((512, 1024), "bf16")
y = Net()(x)
strategy(y, n="d")
`,
      },
      tried("rows by one axis, columns by another", "one-matmul", "rows", [
        ["d=4", "a=2, b=2"],
        ['m="d"', 'm="a", n="b"'],
      ]),
      tried("columns by two axes together, of a product written @", "one-matmul", "columns", [
        ["d=4", "a=2, b=2"],
        ["matmul(x, w)", "x @ w"],
        ['n="d"', 'n=("a", "b")'],
      ]),
    ],
  },
  {
    lesson: "summed-dim",
    step: 2,
    right: [
      one("rows of y", 'strategy(y, k="d")\nplace(y, layout("d", "None"))'),
      one("columns of y", 'strategy(y, k="d")\nplace(y, layout("None", "d"))'),
      one("the place first", 'place(y, layout("d", "None"))\nstrategy(y, k="d")'),
    ],
    wrong: [
      one("an all-reduce", 'strategy(y, k="d")'),
      one("another dim", 'strategy(y, m="d")'),
      tried("cut among two", "summed-dim", "scattered", [["d=4", "d=2"]]),
      tried("k by half of the devices", "summed-dim", "scattered", [["d=4", "d=2, e=2"]]),
      one("placed whole", 'strategy(y, k="d")\nplace(y, layout("None", "None"))'),
    ],
    unexpected: [
      {
        what: "operands are placed, and what follows from them is the cut",
        text: `${textOf("one-matmul", "uncut")}place(x, layout("None", "d"))\nplace(w, layout("d", "None"))\nstrategy(y, k="d")\nplace(y, layout("d", "None"))\n`,
      },
      tried("the axis has another name", "summed-dim", "scattered", [
        ["d=4", "tp=4"],
        ['k="d"', 'k="tp"'],
        ['layout("d"', 'layout("tp"'],
      ]),
      tried("two axes cut as one would, and each a dim of y", "summed-dim", "scattered", [
        ["d=4", "a=2, b=2"],
        ['k="d"', 'k=("a", "b")'],
        ['layout("d", "None")', 'layout("a", "b")'],
      ]),
    ],
  },
  {
    lesson: "columns-then-rows",
    step: 2,
    right: [
      pair("k", 'strategy(h, n="tp")', 'strategy(y, k="tp")'),
      pair(
        "x is placed whole",
        'strategy(h, n="tp")',
        'strategy(y, k="tp")',
        'place(x, layout("None", "None"))\n',
      ),
      pair(
        "the weight is placed as it is read",
        'strategy(h, n="tp")',
        'strategy(y, k="tp")',
        'place(w2, layout("tp", "None"))\n',
      ),
    ],
    wrong: [
      pair("columns twice", 'strategy(h, n="tp")', 'strategy(y, n="tp")'),
      pair("k twice", 'strategy(h, k="tp")', 'strategy(y, k="tp")'),
      pair("the batch", 'strategy(h, m="tp")', 'strategy(y, m="tp")'),
      pair("nothing", "", ""),
      pair("w2 whole", 'strategy(h, n="tp")', 'strategy(y, m="tp")'),
      tried("twice the devices", "columns-then-rows", "solved", [["tp=4", "tp=8"]]),
    ],
    unexpected: [
      pair("one line alone: the second follows", 'strategy(h, n="tp")', ""),
      pair(
        "no strategy: both weights are placed",
        'place(w1, layout("None", "tp"))',
        'place(w2, layout("tp", "None"))',
      ),
      pair(
        "y scattered by its rows",
        'strategy(h, n="tp")',
        'strategy(y, k="tp")',
        'place(y, layout("tp", "None"))\n',
      ),
      tried("two axes together", "columns-then-rows", "solved", [
        ["tp=4", "a=2, b=2"],
        ['n="tp"', 'n=("a", "b")'],
        ['k="tp"', 'k=("a", "b")'],
      ]),
    ],
  },
  {
    lesson: "one-axis-one-dim",
    step: 2,
    right: [
      tried("k alone", "one-axis-one-dim", "columns"),
      tried("k, and C is placed so", "one-axis-one-dim", "columns", [
        ["C = einsum", "pass\nC = einsum"],
      ]),
      tried("k by a tuple", "one-axis-one-dim", "columns", [['k="x"', 'k=("x",)']]),
    ],
    wrong: [
      tried("both", "one-axis-one-dim", "both"),
      tried("i alone", "one-axis-one-dim", "rows"),
      tried("the dim that is summed", "one-axis-one-dim", "both", [['i="x", k="x"', 'j="x"']]),
      tried("A is whole from the start", "one-axis-one-dim", "columns", [
        ['place(A, layout("x", "None"))', 'place(A, layout("None", "None"))'],
      ]),
      tried("nobody has said where A and B lie", "one-axis-one-dim", "columns", [
        ['place(A, layout("x", "None"))\nplace(B, layout("None", "x"))\n', ""],
      ]),
      tried("for two devices", "one-axis-one-dim", "columns", [["x=4", "x=2"]]),
      tried("neither, both gathered", "one-axis-one-dim", "both", [['i="x", k="x"', "i=(), k=()"]]),
    ],
    unexpected: [
      tried("no strategy: what follows from the operands", "one-axis-one-dim", "both", [
        ['strategy(C, i="x", k="x")\n', ""],
      ]),
      tried("the einsum is a matmul", "one-axis-one-dim", "columns", [
        ['einsum("i j, j k -> i k", A, B)', "A @ B"],
        ['k="x"', 'n="x"'],
      ]),
      tried("what follows from where C shall lie", "one-axis-one-dim", "columns", [
        ['strategy(C, k="x")', 'place(C, layout("None", "x"))'],
      ]),
      tried("the einsum has other letters", "one-axis-one-dim", "columns", [
        ["i j, j k -> i k", "ab,bc->ac"],
        ['k="x"', 'c="x"'],
      ]),
    ],
  },
];
