import { type LessonPlans, looked, type Tried, textOf, tried } from "./tried.testing.ts";

const heads = (what: string, devices: string, more = ""): Tried => {
  const plan = tried(what, "heads-in-groups", "four", [["tp=4", devices]]);
  return { ...plan, text: `${plan.text}${more}` };
};

const sequence = (what: string, lines: string): Tried =>
  tried(what, "sequence-parallel", "reduced", [['strategy(h, f="tp")', lines]]);

export const modelsPlans: readonly LessonPlans[] = [
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
];
