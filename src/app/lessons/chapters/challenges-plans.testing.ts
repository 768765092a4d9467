import { type LessonPlans, textOf, tried } from "./tried.testing.ts";

export const challengesPlans: readonly LessonPlans[] = [
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
