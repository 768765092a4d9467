import { expect, test } from "vitest";
import { answerTo } from "../commands.ts";

const head = `import torch, torch.nn as nn, torch.nn.functional as F
mesh = Mesh(dp=4)
`;

/** Small nets on a batch of 8, each with a row of 6 numbers per sample. */
const nets: Readonly<Record<string, string>> = {
  linear: `x = Tensor((8, 16))
place(x, layout("dp", "None"))
y = nn.Linear(16, 6)(x)`,
  perceptron: `x = Tensor((8, 16))
place(x, layout("dp", "None"))
y = nn.Sequential(nn.Linear(16, 8), nn.ReLU(), nn.Linear(8, 6))(x)`,
  normed: `x = Tensor((8, 16))
place(x, layout("dp", "None"))
y = nn.Sequential(nn.LayerNorm(16), nn.Linear(16, 6, bias=False), nn.Tanh())(x)`,
  residual: `x = Tensor((8, 6))
place(x, layout("dp", "None"))
y = x + F.gelu(nn.Linear(6, 6)(x))`,
  gated: `x = Tensor((8, 16))
place(x, layout("dp", "None"))
h = nn.RMSNorm(16)(x)
y = nn.Linear(8, 6)(F.silu(nn.Linear(16, 8)(h)) * nn.Linear(16, 8)(h))`,
  image: `x = Tensor((8, 3, 6, 6))
place(x, layout("dp", "None", "None", "None"))
y = nn.Linear(64, 6)(F.relu(nn.Conv2d(3, 4, 3)(x)).flatten(1))`,
  signal: `x = Tensor((8, 3, 10))
place(x, layout("dp", "None", "None"))
y = nn.Linear(4, 6)(nn.Conv1d(3, 4, 3)(x).mean(-1))`,
  words: `x = Tensor((8, 5), "int64")
place(x, layout("dp", "None"))
y = nn.Linear(16, 6)(nn.Embedding(32, 16)(x).mean(1))`,
  attention: `x = Tensor((8, 5, 16))
place(x, layout("dp", "None", "None"))
q, k, v = nn.Linear(16, 16)(x), nn.Linear(16, 16)(x), nn.Linear(16, 16)(x)
s = torch.softmax(q @ k.transpose(1, 2) / 4, dim=-1)
y = nn.Linear(16, 6)((s @ v).sum(1))`,
  mixed: `x = Tensor((8, 5, 16))
place(x, layout("dp", "None", "None"))
h = F.gelu(nn.Linear(5, 5)(x.transpose(1, 2))).transpose(1, 2)
y = nn.Linear(16, 6)(h.amax(1))`,
};

const named = `t = Tensor((8,), "int64")
place(t, layout("dp"))
`;

const rows = `t = Tensor((8, 6))
place(t, layout("dp", "None"))
`;

/** Losses over such rows, with options that affect how a mean counts. */
const losses: Readonly<Record<string, string>> = {
  "cross entropy": `${named}loss = F.cross_entropy(y, t)`,
  "smoothed, of what is not ignored": `${named}loss = nn.CrossEntropyLoss(ignore_index=0, label_smoothing=0.1)(y, t)`,
  "of weighted classes": `${named}w = Tensor((6,))
loss = F.nll_loss(F.log_softmax(y, dim=1), t, weight=w)`,
  "of likely classes": `${rows}loss = F.cross_entropy(y, t)`,
  squares: `${rows}loss = F.mse_loss(y, t)`,
  smooth: `${rows}loss = nn.SmoothL1Loss(beta=0.5)(y, t)`,
  binary: `${rows}p = Tensor((6,))
loss = nn.BCEWithLogitsLoss(pos_weight=p)(y, t)`,
  divergence: `${rows}loss = F.kl_div(F.log_softmax(y, dim=-1), t, reduction="batchmean")`,
};

interface Step {
  readonly collective: string;
  readonly phase: string;
  readonly tensor: string;
  readonly layout: string;
}

function isStep(value: unknown): value is Step {
  return typeof value === "object" && value !== null && "layout" in value;
}

/** Collectives of a program, in order. */
function sentBy(program: string): readonly Step[] {
  const { ok, steps, diagnostics } = answerTo("plan", { program });
  expect(ok, JSON.stringify(diagnostics)).toBe(true);
  expect(diagnostics).toEqual([]);
  const all = Array.isArray(steps) ? steps.filter(isStep) : [];
  return all.filter(({ collective }) => collective !== "slice");
}

const cells = Object.entries(nets).flatMap(([net, made]) =>
  Object.entries(losses).map(([loss, read]) => [net, loss, `${head}${made}\n${read}\n`] as const),
);

test.each(cells)("of %s with %s a cut batch sends numbers forward", (_net, _loss, program) => {
  const sent = sentBy(`${program}train(loss)\n`);
  expect(new Set(sent.map(({ collective }) => collective))).toEqual(new Set(["all-reduce"]));
  const forward = sent.filter(({ phase }) => phase === "forward");
  expect(forward.length).toBeLessThanOrEqual(2);
  for (const { layout } of forward) expect(layout).toBe("()");
  const reduced = sent.filter(({ phase }) => phase === "backward").map(({ tensor }) => tensor);
  const { tensors } = answerTo("plan", { program });
  const parameters = Array.isArray(tensors)
    ? tensors.filter(({ kind }) => kind === "parameter").map(({ name }) => name)
    : [];
  expect(reduced.toSorted()).toEqual(parameters.toSorted());
});

test.each(cells.filter(([net]) => net === "perceptron"))(
  "of %s with %s a cut batch runs as the whole one",
  (_net, _loss, program) => {
    expect(answerTo("run", { program: `${program}train(loss)\n` })).toMatchObject({ equal: true });
  },
);

const classes = `import torch.nn as nn
import torch.nn.functional as F
mesh = Mesh(mp=4)
x = Tensor((6, 16))
w = Parameter((512, 16))
t = Tensor((6,), "int64")
q = Tensor((6, 512))
s = Tensor((512,))
y = F.linear(x, w)
strategy(y, n="mp")
`;

// Over a cut class axis: number of all-reduced tables with one number per sample, and of scalars.
test.each`
  loss                                                               | rows | scalars
  ${"F.cross_entropy(y, t)"}                                         | ${3} | ${0}
  ${'F.cross_entropy(y, t, reduction="sum")'}                        | ${3} | ${0}
  ${"nn.CrossEntropyLoss(ignore_index=-1)(y, t)"}                    | ${3} | ${0}
  ${"F.cross_entropy(y, t, label_smoothing=0.1)"}                    | ${4} | ${0}
  ${"F.cross_entropy(y, t, weight=s)"}                               | ${4} | ${0}
  ${"F.cross_entropy(y, t, s, label_smoothing=0.1, ignore_index=2)"} | ${5} | ${1}
  ${"F.cross_entropy(y, q)"}                                         | ${4} | ${0}
  ${"F.nll_loss(y, t)"}                                              | ${0} | ${1}
  ${"F.nll_loss(y, t, s)"}                                           | ${0} | ${2}
  ${"F.nll_loss(F.log_softmax(y, dim=1), t)"}                        | ${2} | ${1}
  ${"nn.MSELoss()(y, q)"}                                            | ${0} | ${1}
  ${"F.multilabel_soft_margin_loss(y, q)"}                           | ${0} | ${1}
  ${"F.cosine_embedding_loss(y, q, Tensor((6,)), margin=0.1)"}       | ${3} | ${0}
  ${"F.triplet_margin_loss(y, q, q + 1)"}                            | ${2} | ${0}
`("over cut classes $loss reduces $rows tables and $scalars scalars", ({ loss, ...sizes }) => {
  const program = `${classes}loss = ${loss}\ntrain(loss)\n`;
  const forward = sentBy(program).filter(({ phase }) => phase === "forward");
  expect(new Set(forward.map(({ collective }) => collective))).toEqual(new Set(["all-reduce"]));
  const count = (text: string) => forward.filter(({ layout }) => layout === text).length;
  expect([count("_"), count("()"), forward.length]).toEqual([
    sizes.rows,
    sizes.scalars,
    sizes.rows + sizes.scalars,
  ]);
  expect(answerTo("run", { program })).toMatchObject({ equal: true });
});

// A mean over counted items of the whole batch is not the sum of the parts' means, under any
// system's rules.
test.each`
  first                | setting               | said
  ${""}                | ${""}                 | ${[]}
  ${"import nnscaler"} | ${""}                 | ${[]}
  ${""}                | ${", ignore_index=0"} | ${["training/one-batch"]}
  ${"import nnscaler"} | ${", ignore_index=0"} | ${["training/one-batch"]}
  ${"import nnscaler"} | ${", weight=w"}       | ${["training/one-batch"]}
`(
  "after '$first' a loss with '$setting' in micro-batches says $said",
  ({ first, setting, said }) => {
    const program = `${first}
import torch.nn as nn
import torch.nn.functional as F
mesh = Mesh(dp=2)
x = Tensor((8, 16))
t = Tensor((8,), "int64")
w = Tensor((6,))
y = nn.Linear(16, 6)(x)
loss = F.cross_entropy(y, t${setting})
train(loss, microbatches=2)
`;
    const { diagnostics } = answerTo("plan", { program });
    const codes = Array.isArray(diagnostics) ? diagnostics.map(({ code }) => code) : [];
    expect(codes).toEqual(said);
  },
);
