import { type LessonPlans, type Tried, tried } from "./tried.testing.ts";

const ran = (
  what: string,
  isEqual: boolean | undefined,
  edits: [string, string][] = [],
): Tried => ({
  ...tried(what, "find-the-fault", "net", edits),
  ...(isEqual !== undefined && { facts: { isEqual } }),
});

export const proofsPlans: readonly LessonPlans[] = [
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
];
