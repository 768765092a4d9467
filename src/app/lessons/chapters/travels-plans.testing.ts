import { type LessonPlans, looked, textOf, tried } from "./tried.testing.ts";

export const travelsPlans: readonly LessonPlans[] = [
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
];
