import { lessons } from "./lessons.ts";
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
  lessons.find(({ id }) => id === lesson)?.texts[name] ?? "";

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
    ],
    unexpected: [one("the weight is placed", 'place(w, layout("None", "d"))')],
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
      sum("placed whole", 'strategy(y, k="d")\nplace(y, layout("None", "None"))'),
    ],
    unexpected: [
      {
        what: "operands are placed, and what follows from them is the cut",
        text: `${textOf("one-matmul", "uncut")}place(x, layout("None", "d"))\nplace(w, layout("d", "None"))\nstrategy(y, k="d")\nplace(y, layout("d", "None"))\n`,
      },
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
      tried("gathered", "rows-to-columns", "gathered"),
      tried("both by rows", "rows-to-columns", "gathered", [["a=()", 'a="d"']]),
      tried("rows by columns too", "rows-to-columns", "traded", [['rows, a="d"', 'rows, b="d"']]),
    ],
    unexpected: [
      tried("columns are made by rows and placed", "rows-to-columns", "traded", [
        [
          'strategy(columns, b="d")',
          'strategy(columns, a="d")\nplace(columns, layout("None", "d"))',
        ],
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
    ],
    unexpected: [pair("one line alone: the second follows", 'strategy(h, n="tp")', "")],
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
      tried("neither, both gathered", "one-axis-one-dim", "both", [['i="x", k="x"', "i=(), k=()"]]),
    ],
    unexpected: [
      tried("A is placed whole from the start", "one-axis-one-dim", "columns", [
        ['place(A, layout("x", "None"))', 'place(A, layout("None", "None"))'],
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
      tried("turned", "order-of-axes", "turned"),
      tried("nothing cut", "order-of-axes", "turned", [
        ['u, a=("a", "b")', "u, a=()"],
        ['v, a=("b", "a")', "v, a=()"],
      ]),
      tried("one axis against two", "order-of-axes", "turned", [['v, a=("b", "a")', 'v, a="a"']]),
    ],
    unexpected: [
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
    ],
    unexpected: [dp("micro-batches too", 'train(y, optimizer="adam", zero=3, microbatches=2)')],
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
      sequence("the sum alone", 'strategy(z, b="tp")\nstrategy(h, f="tp")'),
      sequence("uneven batch", 'strategy(n, a="tp")\nstrategy(h, f="tp")'),
    ],
    unexpected: [
      sequence("the norm alone, which the sum follows", 'strategy(n, b="tp")\nstrategy(h, f="tp")'),
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
    wrong: [heads("four", "tp=4"), heads("two", "tp=2"), heads("sixteen", "tp=16")],
    unexpected: [heads("two axes, the batch of one has the other", "tp=8, dp=1")],
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
      tried("each added", "sum-carried-on", "added"),
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
    ],
    unexpected: [
      {
        ...looked("more tokens", "tokens-to-experts", 2, 0),
        text: textOf("tokens-to-experts", "experts").replace("(8, 64, 256)", "(16, 64, 256)"),
      },
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
    ],
    unexpected: [
      tried("the layout under another name", "layouts-from-a-document", "scattered", [
        ["out_strategy = (layout", "rows = (layout"],
        ["in_strategy, out_strategy", "in_strategy, rows"],
      ]),
    ],
  },
];
