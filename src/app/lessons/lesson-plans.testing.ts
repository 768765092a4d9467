import { challenges, lessons } from "./lessons.ts";
import type { Facts } from "./predicate/facts.ts";

/** Plans for one step of a lesson, told apart by its goal. */
export interface LessonPlans {
  readonly lesson: string;
  /** Counted from 1. */
  readonly step: number;
  readonly right: readonly Tried[];
  readonly wrong: readonly Tried[];
  /** Right, though nobody who wrote the lesson had it in mind. */
  readonly unexpected: readonly Tried[];
}

/** A plan that is tried, and what is looked at or has run. */
export interface Tried {
  readonly what: string;
  readonly text: string;
  readonly facts?: Omit<Facts, "compiled">;
}

const textOf = (lesson: string, name: string) =>
  [...lessons, ...challenges].find(({ id }) => id === lesson)?.texts[name] ?? "";

/** A text of a lesson with some of it replaced, each once; what is not there is a fault of the test. */
function tried(
  what: string,
  lesson: string,
  name: string,
  edits: readonly (readonly [from: string, to: string])[] = [],
): Tried {
  const text = edits.reduce(
    (source, [from, to]) => {
      if (!source.includes(from)) throw new Error(`${lesson}: no ${from} in ${name}`);
      return source.replace(from, to);
    },
    textOf(lesson, name),
  );
  return { what, text };
}

const one = (what: string, lines: string): Tried => ({
  what,
  text: `${textOf("one-matmul", "uncut")}${lines}\n`,
});

const sum = (what: string, lines: string): Tried => ({
  what,
  text: `${textOf("one-matmul", "uncut")}${lines}\n`,
});

const pair = (what: string, first: string, second: string, more = ""): Tried => ({
  what,
  text: `${textOf("columns-then-rows", "twice")
    .replace('strategy(h, n="tp")\n', `${first}\n`)
    .replace('strategy(y, n="tp")\n', `${second}\n`)}${more}`,
});

const heads = (what: string, devices: string, more = ""): Tried => {
  const plan = tried(what, "heads-in-groups", "four", [["tp=4", devices]]);
  return { ...plan, text: `${plan.text}${more}` };
};

const looked = (what: string, lesson: string, step: number, hop: number): Tried => {
  const [first] = Object.values(lessons.find(({ id }) => id === lesson)?.texts ?? {});
  return { what, text: first ?? "", facts: { view: { step, hop } } };
};

const ran = (
  what: string,
  isEqual: boolean | undefined,
  edits: [string, string][] = [],
): Tried => ({
  ...tried(what, "find-the-fault", "net", edits),
  ...(isEqual !== undefined && { facts: { isEqual } }),
});

const dp = (what: string, train: string): Tried =>
  tried(what, "zero", "dp", [['train(y, optimizer="adam")', train]]);

const sequence = (what: string, lines: string): Tried =>
  tried(what, "sequence-parallel", "reduced", [['strategy(h, f="tp")', lines]]);

/** For every step with a goal: at least three right, three wrong and one unexpected plan. */
export const lessonPlans: readonly LessonPlans[] = [
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
      sum("rows of y", 'strategy(y, k="d")\nplace(y, layout("d", "None"))'),
      sum("columns of y", 'strategy(y, k="d")\nplace(y, layout("None", "d"))'),
      sum("the place first", 'place(y, layout("d", "None"))\nstrategy(y, k="d")'),
    ],
    wrong: [
      sum("an all-reduce", 'strategy(y, k="d")'),
      sum("another dim", 'strategy(y, m="d")'),
      tried("cut among two", "summed-dim", "scattered", [["d=4", "d=2"]]),
      tried("k by half of the devices", "summed-dim", "scattered", [["d=4", "d=2, e=2"]]),
      sum("placed whole", 'strategy(y, k="d")\nplace(y, layout("None", "None"))'),
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
    lesson: "gather-travels",
    step: 2,
    right: [
      looked("hop 3", "gather-travels", 1, 3),
      {
        ...looked("hop 3 of a longer x", "gather-travels", 1, 3),
        text: textOf("gather-travels", "net").replace("x=(8, 4)", "x=(16, 4)"),
      },
      {
        ...looked("hop 3 of other columns", "gather-travels", 1, 3),
        text: textOf("gather-travels", "net").replace("v=(6, 8)", "v=(6, 16)"),
      },
    ],
    wrong: [
      looked("hop 1", "gather-travels", 1, 1),
      looked("hop 2", "gather-travels", 1, 2),
      looked("the beginning", "gather-travels", 1, 0),
      tried("nothing looked at", "gather-travels", "net"),
      {
        ...looked("hop 3 of 7, among eight devices", "gather-travels", 1, 3),
        text: textOf("gather-travels", "net")
          .replace("((4, 1), (1, 1))", "((8, 1), (1, 1))")
          .replace("((1, 1), (1, 4))", "((1, 1), (1, 8))"),
      },
      {
        ...looked("hop 3 of an all-reduce", "gather-travels", 1, 3),
        text: textOf("gather-travels", "net").replace("((4, 1), (1, 1))", "((1, 4), (4, 1))"),
      },
    ],
    unexpected: [
      {
        ...looked("hop 3 with a comment", "gather-travels", 1, 3),
        text: `# mine\n${textOf("gather-travels", "net")}`,
      },
    ],
  },
  {
    lesson: "rows-to-columns",
    step: 2,
    right: [
      tried("columns cut", "rows-to-columns", "traded"),
      tried("t is placed too", "rows-to-columns", "traded", [
        ["rows = neg", 'place(t, layout("d", "None"))\nrows = neg'],
      ]),
      tried("with a place of rows", "rows-to-columns", "traded", [
        ["columns = neg", 'place(rows, layout("d", "None"))\ncolumns = neg'],
      ]),
    ],
    wrong: [
      tried("for one device", "rows-to-columns", "traded", [["d=4", "d=1"]]),
      tried("one operator less", "rows-to-columns", "traded", [["neg(rows)", "rows"]]),
      tried("gathered", "rows-to-columns", "gathered"),
      tried("both by rows", "rows-to-columns", "gathered", [["a=()", 'a="d"']]),
      tried(
        "rows made by columns and handed on by rows: two of them",
        "rows-to-columns",
        "traded",
        [['strategy(rows, a="d")', 'strategy(rows, b="d")\nplace(rows, layout("d", "None"))']],
      ),
      tried("rows by columns too", "rows-to-columns", "traded", [['rows, a="d"', 'rows, b="d"']]),
    ],
    unexpected: [
      tried("columns are made by rows and placed", "rows-to-columns", "traded", [
        [
          'strategy(columns, b="d")',
          'strategy(columns, a="d")\nplace(columns, layout("None", "d"))',
        ],
      ]),
      tried("two axes cut as one would", "rows-to-columns", "traded", [
        ["d=4", "p=2, q=2"],
        ['a="d"', 'a=("p", "q")'],
        ['b="d"', 'b=("p", "q")'],
      ]),
      tried("all follows from where it shall lie", "rows-to-columns", "traded", [
        [
          'strategy(rows, a="d")\nstrategy(columns, b="d")',
          'place(t, layout("d", "None"))\nplace(rows, layout("d", "None"))\nplace(columns, layout("None", "d"))',
        ],
      ]),
      tried("rows follow from where t lies", "rows-to-columns", "traded", [
        ['strategy(rows, a="d")\n', ""],
        ["rows = neg", 'place(t, layout("d", "None"))\nrows = neg'],
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
  {
    lesson: "order-of-axes",
    step: 2,
    right: [
      tried("a first", "order-of-axes", "alike"),
      tried("b first", "order-of-axes", "turned", [
        ['strategy(u, a=("a", "b"))', 'strategy(u, a=("b", "a"))'],
      ]),
      tried("one axis alone", "order-of-axes", "turned", [
        ['u, a=("a", "b")', 'u, a="a"'],
        ['v, a=("b", "a")', 'v, a="a"'],
      ]),
    ],
    wrong: [
      tried("b has one device", "order-of-axes", "turned", [["a=2, b=4", "a=8, b=1"]]),
      tried("turned", "order-of-axes", "turned"),
      tried("nothing cut", "order-of-axes", "turned", [
        ['u, a=("a", "b")', "u, a=()"],
        ['v, a=("b", "a")', "v, a=()"],
      ]),
      tried("one axis against two", "order-of-axes", "turned", [['v, a=("b", "a")', 'v, a="a"']]),
    ],
    unexpected: [
      tried("each axis cuts a dim of its own", "order-of-axes", "turned", [
        ['u, a=("a", "b")', 'u, a="a", b="b"'],
        ['v, a=("b", "a")', 'v, a="a", b="b"'],
      ]),
      tried("v is cut finer than u, which each device does for itself", "order-of-axes", "alike", [
        ['strategy(u, a=("a", "b"))', 'strategy(u, a="a")'],
      ]),
      tried("v is left to follow", "order-of-axes", "turned", [
        ['strategy(v, a=("b", "a"))\n', ""],
      ]),
    ],
  },
  {
    lesson: "zero",
    step: 2,
    right: [
      dp("zero=1", 'train(y, optimizer="adam", zero=1)'),
      dp("zero=2", 'train(y, optimizer="adam", zero=2)'),
      tried("zero=2 as it is stored", "zero", "zero2"),
    ],
    wrong: [
      dp("as it is", 'train(y, optimizer="adam")'),
      tried("twice the devices", "zero", "dp", [["dp=8", "dp=16"]]),
      tried("a fraction of the batch", "zero", "dp", [["8192, 4096", "1024, 4096"]]),
      dp("zero=3 sends more", 'train(y, optimizer="adam", zero=3)'),
      dp("another optimizer", 'train(y, optimizer="sgd")'),
      dp("no training", ""),
    ],
    unexpected: [
      tried("tensor parallel over the same axis", "zero", "dp", [
        ['strategy(h, m="dp")', 'strategy(h, n="dp")'],
        ['strategy(y, m="dp")', 'strategy(y, k="dp")'],
      ]),
    ],
  },
  {
    lesson: "zero",
    step: 3,
    right: [
      tried("zero=3", "zero", "zero3"),
      dp("zero=3 in another order", 'train(y, zero=3, optimizer="adam")'),
      dp("zero=3, no micro-batches", 'train(y, optimizer="adam", zero=3, microbatches=1)'),
    ],
    wrong: [
      tried("zero=0", "zero", "dp"),
      tried("zero=1", "zero", "zero1"),
      tried("zero=2", "zero", "zero2"),
      tried("zero=2 on twice the devices", "zero", "zero2", [["dp=8", "dp=16"]]),
      dp("another optimizer", 'train(y, optimizer="sgd", zero=3)'),
    ],
    unexpected: [
      dp(
        "without zero: the weights are placed cut",
        'place(w1, layout("dp", "None"))\nplace(w2, layout("dp", "None"))\ntrain(y, optimizer="adam")',
      ),
      dp("micro-batches too", 'train(y, optimizer="adam", zero=3, microbatches=2)'),
    ],
  },
  {
    lesson: "sequence-parallel",
    step: 2,
    right: [
      tried("norm and sum along the sequence", "sequence-parallel", "scattered"),
      sequence(
        "the other order of lines",
        'strategy(z, b="tp")\nstrategy(n, b="tp")\nstrategy(h, f="tp")',
      ),
      sequence(
        "x is placed so too",
        'place(x, layout("None", "tp", "None"))\nstrategy(n, b="tp")\nstrategy(z, b="tp")\nstrategy(h, f="tp")',
      ),
    ],
    wrong: [
      tried("as it is", "sequence-parallel", "reduced"),
      sequence("along the model", 'strategy(n, c="tp")\nstrategy(z, c="tp")\nstrategy(h, f="tp")'),
      sequence("the sum alone", 'strategy(z, b="tp")\nstrategy(h, f="tp")'),
      sequence("y alone", 'strategy(h, f="tp")\nplace(y, layout("None", "tp", "None"))'),
      sequence("uneven batch", 'strategy(n, a="tp")\nstrategy(h, f="tp")'),
    ],
    unexpected: [
      sequence("the norm alone, which the sum follows", 'strategy(n, b="tp")\nstrategy(h, f="tp")'),
      sequence(
        "the sum along the model",
        'strategy(n, b="tp")\nstrategy(z, c="tp")\nstrategy(h, f="tp")',
      ),
      sequence(
        "z is gathered in the end",
        'strategy(n, b="tp")\nplace(z, layout("None", "None", "None"))\nstrategy(h, f="tp")',
      ),
      sequence(
        "the input is placed, and the norm follows it",
        'place(x, layout("None", "tp", "None"))\nstrategy(z, b="tp")\nstrategy(h, f="tp")',
      ),
    ],
  },
  {
    lesson: "heads-in-groups",
    step: 2,
    right: [
      heads("eight", "tp=8"),
      heads("eight, and o placed whole over queries", "tp=8", "# done\n"),
      tried("eight as it is stored", "heads-in-groups", "eight"),
    ],
    wrong: [
      heads("four", "tp=4"),
      heads("two", "tp=2"),
      heads("sixteen", "tp=16"),
      heads("sixteen, half of them for the sequence of queries", "tp=8, sp=2"),
      {
        what: "sixteen that all do the same",
        text: textOf("heads-in-groups", "sixteen").replaceAll(/strategy\(.*\)\n/gu, ""),
      },
      {
        what: "32, and the queries alone are cut",
        text: textOf("heads-in-groups", "sixteen")
          .replace("tp=16", "tp=32")
          .replaceAll(/strategy\([kvoy], .*\)\n/gu, ""),
      },
    ],
    unexpected: [
      heads("two axes, the batch of one has the other", "tp=8, dp=1"),
      {
        what: "two axes together",
        text: textOf("heads-in-groups", "four")
          .replace("tp=4", "a=4, b=2")
          .replaceAll('h="tp"', 'h=("a", "b")'),
      },
    ],
  },
  {
    lesson: "sum-carried-on",
    step: 2,
    right: [
      tried("carried to the end", "sum-carried-on", "carried"),
      tried("carried through s alone", "sum-carried-on", "added", [
        ['strategy(h2, k="mp")', 'strategy(h2, k="mp")\nstrategy(s, carry="mp")'],
      ]),
      tried("the lines turned", "sum-carried-on", "added", [
        [
          'strategy(h1, k="mp")',
          'strategy(y, carry="mp")\nstrategy(s, carry="mp")\nstrategy(h1, k="mp")',
        ],
      ]),
    ],
    wrong: [
      tried("for one device", "sum-carried-on", "carried", [["mp=4", "mp=1"]]),
      tried("columns, and y gathered", "sum-carried-on", "added", [
        ['strategy(h1, k="mp")', 'strategy(h1, n="mp")\nplace(y, layout("None", "None"))'],
        ['strategy(h2, k="mp")', 'strategy(h2, n="mp")'],
      ]),
      tried("the weights added first: another program", "sum-carried-on", "added", [
        ["h1 = matmul(x, w1)\nh2 = matmul(x, w2)\ns = add(h1, h2)", "s = matmul(x, add(w1, w2))"],
        ['strategy(h1, k="mp")\nstrategy(h2, k="mp")', 'strategy(s, k="mp")'],
      ]),
      tried("one matmul twice", "sum-carried-on", "carried", [["add(h1, h2)", "add(h1, h1)"]]),
      tried("each added", "sum-carried-on", "added"),
      tried(
        "one matmul not cut: an all-reduce, but more bytes than half",
        "sum-carried-on",
        "added",
        [['strategy(h2, k="mp")\n', ""]],
      ),
      tried("no all-reduce: a scattered sum, and rows", "sum-carried-on", "added", [
        ['h2, k="mp"', 'h2, m="mp"'],
      ]),
      tried("one matmul not cut", "sum-carried-on", "added", [
        ['strategy(h2, k="mp")', "strategy(h2, k=())"],
        ['strategy(h1, k="mp")', 'strategy(h1, n="mp")'],
      ]),
      tried("a gelu instead", "sum-carried-on", "carried", [
        ["y = transpose(s, 0, 1)", "y = gelu(s)"],
      ]),
    ],
    unexpected: [
      tried("the rest is cut by rows, and y gathered", "sum-carried-on", "carried", [
        ['strategy(y, carry="mp")', 'strategy(y, carry="mp")\nplace(y, layout("None", "None"))'],
      ]),
      tried("written as one would in PyTorch", "sum-carried-on", "carried", [
        ["matmul(x, w1)", "x @ w1"],
        ["add(h1, h2)", "h1 + h2"],
        ["transpose(s, 0, 1)", "s.T"],
      ]),
    ],
  },
  {
    lesson: "tokens-to-experts",
    step: 2,
    right: [
      looked("at rest", "tokens-to-experts", 2, 0),
      looked("behind a hop", "tokens-to-experts", 2, 1),
      looked("at its end", "tokens-to-experts", 2, 3),
    ],
    wrong: [
      looked("the first", "tokens-to-experts", 1, 0),
      looked("one of the backward pass", "tokens-to-experts", 3, 0),
      looked("the last", "tokens-to-experts", 6, 0),
      {
        ...looked("step 2 of a plan in which another comes before", "tokens-to-experts", 2, 0),
        text: textOf("tokens-to-experts", "experts").replace('logits, g="ep"', 'logits, t="ep"'),
      },
      {
        ...looked("step 2 of a plan whose experts are whole", "tokens-to-experts", 2, 0),
        text: textOf("tokens-to-experts", "experts").replaceAll(/strategy\((up|down), .*\n/gu, ""),
      },
    ],
    unexpected: [
      {
        ...looked("more tokens", "tokens-to-experts", 2, 0),
        text: textOf("tokens-to-experts", "experts").replace("(8, 64, 256)", "(16, 64, 256)"),
      },
    ],
  },
  {
    lesson: "tokens-to-experts",
    step: 3,
    right: [
      tried("four all-to-alls", "tokens-to-experts", "experts32"),
      tried("the weights gathered", "tokens-to-experts", "weights32"),
      tried("what the gate makes follows the tokens", "tokens-to-experts", "experts32", [
        ['strategy(logits, g="ep")\n', ""],
        ['strategy(gates, g="ep")\n', ""],
      ]),
    ],
    wrong: [
      tried("as it is", "tokens-to-experts", "gathered32"),
      tried("fewer tokens", "tokens-to-experts", "experts"),
      tried("twice the devices", "tokens-to-experts", "experts32", [["ep=4", "ep=8"]]),
      tried("not trained", "tokens-to-experts", "experts32", [["train(y)\n", ""]]),
      tried("every expert on all devices, each a part of it", "tokens-to-experts", "experts32", [
        ['strategy(up, e="ep")', 'strategy(up, h="ep")'],
        ['strategy(down, e="ep")', 'strategy(down, h="ep")'],
      ]),
      tried("every device computes all experts", "tokens-to-experts", "gathered32", [
        ['strategy(up, e="ep")', "strategy(up, e=())"],
        ['strategy(down, e="ep")', "strategy(down, e=())"],
      ]),
    ],
    unexpected: [
      tried("the weights lie cut by their other dims", "tokens-to-experts", "weights32", [
        ['place(wi, layout("ep", "None", "None"))', 'place(wi, layout("None", "None", "ep"))'],
        ['place(wo, layout("ep", "None", "None"))', 'place(wo, layout("None", "None", "ep"))'],
      ]),
    ],
  },
  {
    lesson: "find-the-fault",
    step: 2,
    right: [
      ran("run as it is", true),
      ran("run with a place of x", true, [
        ["h = matmul", 'place(x, layout("None", "None"))\nh = matmul'],
      ]),
      ran("run cut otherwise", true, [
        ['strategy(h, n="tp")', 'strategy(h, m="tp")'],
        ['strategy(y, k="tp")', 'strategy(y, m="tp")'],
      ]),
    ],
    wrong: [
      ran("not run", undefined),
      ran("run with the fault", false),
      ran("another program", true, [["relu", "gelu"]]),
      ran("with an error in the text", true, [['k="tp"', 'q="tp"']]),
    ],
    unexpected: [
      ran("run without any cut", true, [
        ['strategy(h, n="tp")\n', ""],
        ['strategy(y, k="tp")\n', ""],
      ]),
    ],
  },
  {
    lesson: "layouts-from-a-document",
    step: 2,
    right: [
      tried("out_strategy", "layouts-from-a-document", "scattered"),
      tried("by its name", "layouts-from-a-document", "scattered", [
        ["in_strategy, out_strategy)", "in_strategy=in_strategy, out_strategy=out_strategy)"],
      ]),
      tried("written in place", "layouts-from-a-document", "reduced", [
        ["shard(in_strategy)", 'shard(in_strategy, (layout(("mp", "sp", "dp"), "None"),))'],
      ]),
    ],
    wrong: [
      tried("as it is", "layouts-from-a-document", "reduced"),
      tried("mp alone", "layouts-from-a-document", "scattered", [['("mp", "sp", "dp")', '"mp"']]),
      tried("another order", "layouts-from-a-document", "scattered", [
        ['("mp", "sp", "dp")', '("mp", "dp", "sp")'],
      ]),
      tried("columns cut too", "layouts-from-a-document", "scattered", [
        ['layout(("mp", "sp", "dp"), "None"), )', 'layout("mp", ("sp", "dp")), )'],
      ]),
      tried("among four devices", "layouts-from-a-document", "scattered", [
        ["(2, 2, 2)", "(1, 2, 2)"],
      ]),
    ],
    unexpected: [
      tried("the layout under another name", "layouts-from-a-document", "scattered", [
        ["out_strategy = (layout", "rows = (layout"],
        ["in_strategy, out_strategy", "in_strategy, rows"],
      ]),
      tried("the axes have other names", "layouts-from-a-document", "scattered", [
        ['("dp", "sp", "mp")', '("a", "b", "c")'],
        ['layout("mp", ("sp", "dp"))', 'layout("c", ("b", "a"))'],
        ['layout(("sp", "dp"), "None")', 'layout(("b", "a"), "None")'],
        ['layout(("mp", "sp", "dp"), "None")', 'layout(("c", "b", "a"), "None")'],
      ]),
    ],
  },
  {
    lesson: "challenge-limit",
    step: 1,
    right: [
      tried("columns, then rows", "challenge-limit", "solved"),
      tried("a by rows on the way, which sends more", "challenge-limit", "solved", [
        ['strategy(y, k="tp")', 'strategy(a, a="tp")\nstrategy(y, k="tp")'],
      ]),
      tried("the weights are placed too", "challenge-limit", "solved", [
        ['strategy(y, k="tp")', 'strategy(y, k="tp")\nplace(w1, layout("None", "tp"))'],
      ]),
    ],
    wrong: [
      tried("the batch, with whole weights", "challenge-limit", "batch"),
      tried("nothing cut", "challenge-limit", "uncut"),
      tried("rows of x, and weights that lie cut", "challenge-limit", "batch", [
        [
          'strategy(y, m="tp")',
          'strategy(y, m="tp")\nplace(w1, layout("tp", "None"))\nplace(w2, layout("tp", "None"))',
        ],
      ]),
      tried("y is whole in the end", "challenge-limit", "solved", [
        ['layout("tp",', 'layout("None",'],
      ]),
      tried("a faster machine", "challenge-limit", "solved", [["tp=4", 'tp=4, hardware="4xH100"']]),
      tried("another mesh", "challenge-limit", "solved", [["tp=4", "tp=8"]]),
      tried("half of the type", "challenge-limit", "solved", [
        ['w1 = Parameter((4096, 16384), "bf16")', 'w1 = Parameter((4096, 16384), "f8e4m3")'],
      ]),
    ],
    unexpected: [
      tried("the cut of y follows from that of h", "challenge-limit", "solved", [
        ['strategy(y, k="tp")\n', ""],
      ]),
      tried("an axis of one device beside it", "challenge-limit", "solved", [
        ["tp=4", "tp=4, e=1"],
      ]),
    ],
  },
  {
    lesson: "challenge-layer",
    step: 1,
    right: [
      tried("the best known", "challenge-layer", "solved"),
      tried("the batch by both axes, weights whole", "challenge-layer", "batch", [
        ['a="a"', 'a=("a", "b")'],
      ]),
      tried("the other order of axes", "challenge-layer", "solved", [
        ['n, a=("a", "b")', 'n, a=("b", "a")'],
      ]),
    ],
    wrong: [
      tried("the batch by one axis", "challenge-layer", "batch"),
      tried("what is not kept", "challenge-layer", "solved", [
        ['optimizer="adam"', 'optimizer="sgd"'],
      ]),
      tried("micro-batches, which is another line", "challenge-layer", "batch", [
        ['optimizer="adam"', 'optimizer="adam", microbatches=4'],
      ]),
      tried("zero, which is another line", "challenge-layer", "batch", [
        ['optimizer="adam"', 'optimizer="adam", zero=1'],
      ]),
      tried("more memory", "challenge-layer", "batch", [["b=4", 'b=4, chip={"memory": 200e9}']]),
    ],
    unexpected: [
      tried("the other axis cuts the sequence", "challenge-layer", "batch", [
        ['n, a="a"', 'n, a="a", b="b"'],
      ]),
      tried("weights cut, though not by zero", "challenge-layer", "batch", [
        ['n, a="a"', 'n, a=("a", "b")'],
        ["strategy(n", 'place(w1, layout("a", "b"))\nstrategy(n'],
      ]),
    ],
  },
  {
    lesson: "challenge-reshard",
    step: 1,
    right: [
      tried("as the result lies", "challenge-reshard", "solved"),
      tried("half of it", "challenge-reshard", "gathered", [["a=()", 'b="x"']]),
      tried("the other half", "challenge-reshard", "gathered", [["a=()", 'b="y"']]),
    ],
    wrong: [
      tried("gathered", "challenge-reshard", "gathered"),
      tried("u lies otherwise", "challenge-reshard", "solved", [
        ['place(u, layout("None", ("x", "y"), "None"))\n', ""],
        ['b=("x", "y")', 'b="x"'],
      ]),
      tried("t lies otherwise", "challenge-reshard", "solved", [
        ['place(t, layout("y", "None", "x"))', 'place(t, layout("None", ("x", "y"), "None"))'],
      ]),
      tried("another mesh", "challenge-reshard", "solved", [["x=4, y=2", "x=2, y=4"]]),
    ],
    unexpected: [
      tried("no strategy: what follows from where both lie", "challenge-reshard", "gathered", [
        ["strategy(u, a=())\n", ""],
      ]),
      tried("computed where t lies, and moved then", "challenge-reshard", "gathered", [
        ["a=()", 'a="y", c="x"'],
      ]),
      tried("the axes have other names", "challenge-reshard", "solved", [
        ["x=4, y=2", "p=4, q=2"],
        ['layout("y", "None", "x")', 'layout("q", "None", "p")'],
        ['layout("None", ("x", "y"), "None")', 'layout("None", ("p", "q"), "None")'],
        ['b=("x", "y")', 'b=("p", "q")'],
      ]),
    ],
  },
  {
    lesson: "challenge-meshes",
    step: 2,
    right: [
      tried("2 by 8", "challenge-meshes", "wide"),
      tried("4 by 4", "challenge-meshes", "square"),
      tried("8 by 2", "challenge-meshes", "tall"),
      tried("both axes cut one dim", "challenge-meshes", "joined"),
      tried("weights cut along both dims", "challenge-meshes", "wide", [
        ['w1, layout(("tp", "dp"), "None")', 'w1, layout("dp", "tp")'],
        ['w2, layout(("tp", "dp"), "None")', 'w2, layout("tp", "dp")'],
      ]),
    ],
    wrong: [
      tried("as it is", "challenge-meshes", "plain"),
      tried("a fourth mesh", "challenge-meshes", "wide", [["dp=2, tp=8", "dp=1, tp=16"]]),
      tried("more devices", "challenge-meshes", "wide", [["dp=2, tp=8", "dp=4, tp=8"]]),
      tried("zero, which is another line", "challenge-meshes", "wide", [
        ['optimizer="adam"', 'optimizer="adam", zero=1'],
      ]),
    ],
    unexpected: [
      tried("the axes have other names", "challenge-meshes", "wide", [
        ["dp=2, tp=8", "rows=2, columns=8"],
        ['strategy(h, m="dp", n="tp")', 'strategy(h, m="rows", n="columns")'],
        ['strategy(y, m="dp", k="tp")', 'strategy(y, m="rows", k="columns")'],
        ['place(w1, layout(("tp", "dp")', 'place(w1, layout(("columns", "rows")'],
        ['place(w2, layout(("tp", "dp")', 'place(w2, layout(("columns", "rows")'],
      ]),
    ],
  },
  {
    lesson: "challenge-fewest",
    step: 1,
    right: [
      tried("the best known", "challenge-fewest", "solved"),
      tried("z by columns", "challenge-fewest", "five", [['a="Y", b="X"', 'b=("X", "Y")']]),
      tried("i by rows", "challenge-fewest", "five", [['i, b="X"', 'i, a="Y"']]),
    ],
    wrong: [
      tried("as it is", "challenge-fewest", "mixed"),
      {
        what: "nothing cut, which keeps more",
        text: textOf("challenge-fewest", "five").replaceAll(/strategy\(.*\)\n/gu, ""),
      },
      tried("w_in lies whole", "challenge-fewest", "five", [
        ['place(w_in, layout("X", "Y"))', 'place(w_in, layout("None", "None"))'],
      ]),
    ],
    unexpected: [
      tried("out is cut as w_out lies too", "challenge-fewest", "five", [
        ["strategy(z", 'strategy(out, n="X", k="Y")\nstrategy(z'],
      ]),
    ],
  },
];
