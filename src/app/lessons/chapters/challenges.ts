import type { Lesson } from "../lesson.ts";
import bounds from "./challenge-bounds.json" with { type: "json" };

const chapter = "Challenges";

const mlp = (...plan: readonly string[]) =>
  [
    "mesh = Mesh(tp=4)\n",
    'x = Tensor((2048, 4096), "bf16")',
    'w1 = Parameter((4096, 16384), "bf16")',
    'w2 = Parameter((16384, 4096), "bf16")\n',
    "h = matmul(x, w1)",
    "a = gelu(h)",
    "y = matmul(a, w2)\n",
    ...plan,
    "",
  ].join("\n");

export const theLimitDecides: Lesson = {
  id: "challenge-limit",
  title: "The limit decides",
  chapter,
  minutes: 6,
  needs: ["columns-then-rows"],
  words: ["reduce-scatter", "lower bound"],
  texts: {
    uncut: mlp(),
    batch: mlp('strategy(h, m="tp")', 'strategy(y, m="tp")'),
    solved: mlp('strategy(h, n="tp")', 'strategy(y, k="tp")', 'place(y, layout("tp", "None"))'),
  },
  steps: [
    {
      say: "The two matmuls of an MLP again, and nothing is cut yet: {time}, {memory} at the peak of memory. Whoever reads `y` wants it cut by its rows, by `tp`. To cut the rows of everything sends nothing, but each device then holds both weights whole, {memory(batch)}.",
      show: { text: "uncut", tensor: "y" },
      act: {
        task: "With lines of `strategy` and `place` alone let `y` lie cut by its rows, with a peak of memory of at most {1.03 * best(memory)}. The less time it takes, the better.",
        goal: 'ok and same(program) and same(lines) and same(machine) and mesh = "4" and layout(y) = "tp,_" and memory <= 1.03 * best(memory)',
        solution: "solved",
        score: { figure: "time", bound: String(bounds["challenge-limit"]) },
      },
      reveal:
        "Columns, then rows: {memory(solved)} at the peak, {time(solved)}, of which one reduce-scatter sends {bytes(solved)}. It is the fastest that fits; the limit is why the rows of `x` are not cut.",
      hints: [
        "Both weights have to be cut, since both are too large to be whole.",
        "Which cut of `w2` wants just what the first matmul has left on each device?",
        'A tensor lies where `place` says: `place(y, layout("tp", "None"))`.',
      ],
      claims: [
        "bytes(batch) = 0",
        "memory(batch) > 1.03 * memory(solved)",
        "of(solved, count(reduce-scatter)) = 1",
        "of(solved, count) = 1",
      ],
    },
  ],
};

const layer = (...plan: readonly string[]) =>
  `# One layer of GPT-3: 96 heads of 128, sequences of 2048 tokens, 512 of them.
mesh = Mesh(a=8, b=4)

x = Tensor((512, 2048, 12288), "bf16")
g1 = Parameter((12288,), "bf16")
wq = Parameter((12288, 96, 128), "bf16")
wk = Parameter((12288, 96, 128), "bf16")
wv = Parameter((12288, 96, 128), "bf16")
wo = Parameter((96, 128, 12288), "bf16")
g2 = Parameter((12288,), "bf16")
w1 = Parameter((12288, 49152), "bf16")
w2 = Parameter((49152, 12288), "bf16")

n = layer_norm(x, g1)
q = einsum("b s d, d h e -> b h s e", n, wq)
k = einsum("b s d, d h e -> b h s e", n, wk)
v = einsum("b s d, d h e -> b h s e", n, wv)
o = attention(q, k, v, is_causal=True)
u = einsum("b h s e, h e d -> b s d", o, wo)
r = add(x, u)
m = layer_norm(r, g2)
h = einsum("b s d, d f -> b s f", m, w1)
c = gelu(h)
y = einsum("b s f, f d -> b s d", c, w2)
z = add(r, y)
train(z, optimizer="adam")
${plan.map((line) => `${line}\n`).join("")}`;

const fsdp = [
  'strategy(n, a=("a", "b"))',
  'place(wq, layout("None", ("a", "b"), "None"))',
  'place(wk, layout("None", ("a", "b"), "None"))',
  'place(wv, layout("None", ("a", "b"), "None"))',
  'place(wo, layout(("a", "b"), "None", "None"))',
  'place(w1, layout("None", ("a", "b")))',
  'place(w2, layout(("a", "b"), "None"))',
];

export const oneLayer: Lesson = {
  id: "challenge-layer",
  title: "One layer of GPT-3",
  chapter,
  minutes: 10,
  needs: ["sequence-parallel", "zero"],
  words: ["ZeRO", "lower bound"],
  texts: { batch: layer('strategy(n, a="a")'), solved: layer(...fsdp) },
  steps: [
    {
      say: "A training step of one layer of GPT-3 on {devices} devices, with Adam. The batch is cut by `a`; `b` has nothing to do. A device has {room} of memory, and {memory} are wanted.",
      show: { text: "batch", panel: "costs" },
      act: {
        task: "Let it fit in {room}, by lines of `strategy` and `place` alone: the line with `train` stays as it is. The less time the step takes, the better.",
        goal: 'ok and same(program) and same(lines) and same(machine) and mesh = "8,4" and memory <= room',
        solution: "solved",
        score: { figure: "time", bound: String(bounds["challenge-layer"]) },
      },
      reveal:
        "The best known plan takes {time(solved)} with {memory(solved)}: both axes cut the batch, and the weights lie cut over all devices and are gathered when they are used. There is so much to compute in a batch of this size that sending the weights hides behind it.",
      hints: [
        "The batch is large: both axes can cut it.",
        "What does a device keep of a weight that nobody cuts? Its gradient and two numbers of the optimizer beside it.",
        'A weight lies cut where `place` says so: `place(w1, layout("None", ("a", "b")))`.',
      ],
      claims: ["memory(batch) > room", "memory(solved) <= room", "time(solved) < time(batch)"],
    },
  ],
};

const reshard = (...plan: readonly string[]) =>
  `# jax#21562: an array leaves dims 0 and 2 for dim 1, cut by both axes.
mesh = Mesh(x=4, y=2)

t = Tensor((256, 256, 256), "f32")
u = neg(t)

place(t, layout("y", "None", "x"))
place(u, layout("None", ("x", "y"), "None"))
${plan.map((line) => `${line}\n`).join("")}`;

export const twoDimsToOne: Lesson = {
  id: "challenge-reshard",
  title: "From two dims to one",
  chapter,
  minutes: 5,
  needs: ["rows-to-columns"],
  words: ["all-to-all", "lower bound"],
  texts: { gathered: reshard("strategy(u, a=())"), solved: reshard('strategy(u, b=("x", "y"))') },
  steps: [
    {
      say: "`t` lies cut by its first dim and its last. `u` shall lie cut by the one between them, by both axes. As it stands all of `t` is gathered first: {bytes}. This is the case of a report to JAX, in which a device receives as much.",
      show: { text: "gathered", step: 1 },
      act: {
        task: "Leave `t` and `u` where they lie, and send less, by lines of `strategy` and `place` alone. The fewer bytes, the better.",
        goal: 'ok and same(program) and same(lines) and same(machine) and mesh = "4,2" and rest(t) = "y,_,x" and layout(u) = "_,x*y,_" and bytes < start(bytes)',
        solution: "solved",
        score: { figure: "bytes", bound: "7 / 8 * local(u)" },
      },
      reveal:
        "One all-to-all, {bytes(solved):exact}. A device ends with {of(solved, local(u)):exact} of `u`, and it had an eighth of what that needs: seven eighths have to come, so no plan sends less.",
      hints: [
        "What does a device need of `t` to compute its part of `u`?",
        "Cut the operator as its result shall lie.",
      ],
      claims: [
        "bytes(solved) = 7 / 8 * of(solved, local(u))",
        "of(solved, count(all-to-all)) = 1",
        "of(solved, count) = 1",
        "bytes(gathered) = 8 * bytes(solved)",
      ],
    },
  ],
};

const onMesh = (axes: string, ...plan: readonly string[]) =>
  `mesh = Mesh(${axes})

x = Tensor((4096, 8192), "bf16")
w1 = Parameter((8192, 32768), "bf16")
w2 = Parameter((32768, 8192), "bf16")

h = matmul(x, w1)
a = gelu(h)
y = matmul(a, w2)
train(y, optimizer="adam")
${plan.map((line) => `${line}\n`).join("")}`;

const cut = [
  'strategy(h, m="dp", n="tp")',
  'strategy(y, m="dp", k="tp")',
  'place(w1, layout(("tp", "dp"), "None"))',
  'place(w2, layout(("tp", "dp"), "None"))',
];

export const threeMeshes: Lesson = {
  id: "challenge-meshes",
  title: "Three meshes, one must go",
  chapter,
  minutes: 8,
  needs: ["columns-then-rows", "zero"],
  words: ["mesh", "lower bound"],
  texts: {
    plain: onMesh("dp=8, tp=2", 'strategy(h, m="dp", n="tp")', 'strategy(y, m="dp", k="tp")'),
    tall: onMesh("dp=8, tp=2", ...cut),
    square: onMesh("dp=4, tp=4", ...cut),
    wide: onMesh("dp=2, tp=8", ...cut),
    joined: onMesh("dp=8, tp=2", 'strategy(h, n=("dp", "tp"))', 'strategy(y, k=("dp", "tp"))'),
  },
  steps: [
    {
      say: "Sixteen devices train this MLP. Three meshes are on offer: `dp` of 8 and `tp` of 2, 4 and 4, or 2 and 8. Take the same plan on each: `dp` cuts the rows of `x`, `tp` columns and then rows of the weights, which lie cut by both.",
      show: { text: "plain", panel: "mesh" },
      ask: {
        kind: "order",
        question:
          "Put the meshes in the order of the time that a step takes with that plan. The slowest one goes.",
        items: [
          { text: "`dp` of 4, `tp` of 4", value: "time(square)" },
          { text: "`dp` of 8, `tp` of 2", value: "time(tall)" },
          { text: "`dp` of 2, `tp` of 8", value: "time(wide)" },
        ],
      },
      reveal:
        "{time(tall)} with `dp` of 8, {time(square)} with 4, {time(wide)} with 2. The weights are large here and the batch is not: the more devices cut a weight and keep it, the less of it is sent.",
      hints: ["Which are larger here, the weights or the *activations|activation*?"],
      claims: ["size(w1) > size(x)", "time(wide) < time(tall)", "time(wide) < time(square)"],
    },
    {
      say: "Now take one of the three meshes, and a plan on it: as it stands, {time}.",
      show: { text: "plain", panel: "mesh" },
      act: {
        task: "On 8 by 2, 4 by 4 or 2 by 8 devices let the step take less time than {time}, by lines of `strategy` and `place`: the line with `train` stays as it is. The less, the better.",
        goal: 'ok and same(program) and same(lines) and same(machine) and (mesh = "8,2" or mesh = "4,4" or mesh = "2,8") and time < start(time)',
        solution: "joined",
        score: { figure: "time", bound: String(bounds["challenge-meshes"]) },
      },
      reveal:
        "The best known plan cuts columns and then rows by both axes together, so that any of the meshes does: {time(joined)}, against {time(wide)} above, with {memory(joined)} at the peak. No weight is sent then, only the parts of `y` are added.",
      hints: [
        "The mesh is the first line; the axes may have any names.",
        'What the optimizer keeps is cut as its weight lies: `place(w1, layout(("tp", "dp"), "None"))`.',
        'Two axes may cut one dim: `n=("dp", "tp")`.',
      ],
      claims: [
        "time(wide) < time(plain)",
        "time(joined) < time(wide)",
        "devices(joined) = 16",
        "of(joined, count(all-reduce)) = 1",
        "of(joined, count) = 1",
      ],
    },
  ],
};

const both = (...plan: readonly string[]) =>
  `mesh = Mesh(X=4, Y=4)

x = Tensor((64, 128), "bf16")
s = Parameter((128,), "bf16")
w_in = Parameter((128, 512), "bf16")
w_out = Parameter((512, 128), "bf16")

i = mul(x, s)
tmp = matmul(i, w_in)
out = matmul(tmp, w_out)
z = add(x, out)
train(z, optimizer="sgd")

place(w_in, layout("X", "Y"))
place(w_out, layout("Y", "X"))
${plan.map((line) => `${line}\n`).join("")}`;

export const fewestCollectives: Lesson = {
  id: "challenge-fewest",
  title: "Fewest collectives",
  chapter,
  minutes: 8,
  needs: ["data-parallel", "sum-carried-on"],
  words: ["all-reduce", "lower bound"],
  texts: {
    mixed: both(
      'strategy(i, a="X", b="Y")',
      'strategy(tmp, m="X", n="Y")',
      'strategy(out, m="X", k="Y")',
      'strategy(z, a="X", b="Y")',
    ),
    five: both('strategy(i, b="X")', 'strategy(tmp, k="X", n="Y")', 'strategy(z, a="Y", b="X")'),
    solved: both(
      'strategy(i, b="X")',
      'strategy(tmp, k="X", n="Y")',
      'strategy(out, n="X", k="Y")',
      'strategy(z, b="X")',
      'place(z, layout("Y", "X"))',
    ),
  },
  steps: [
    {
      say: "Weights lie cut along both dims, and a training step sends {count} times: gathers of inputs and weights, reduce-scatters of results and gradients. Each of them has to start, so where little is sent their number is what counts.",
      show: { text: "mixed", panel: "steps" },
      act: {
        task: "Leave both weights where they lie, with a peak of memory of at most {memory}, and send fewer times than {count}, by lines of `strategy` and `place` alone. The fewer collectives, the better.",
        goal: 'ok and same(program) and same(lines) and same(machine) and mesh = "4,4" and rest(w_in) = "X,Y" and rest(w_out) = "Y,X" and memory <= start(memory) and count < start(count)',
        solution: "solved",
        score: { figure: "count", bound: "2" },
      },
      reveal:
        "The best known plan has {of(solved, count)}. That there are at least two is plain: either matmul adds over a dim along which its weight lies cut, so that its parts are added or its weight is gathered, and what serves the one does not serve the other: they add over different axes. Nobody has shown that there must be more.",
      hints: [
        "What every device computes for itself nobody has to send.",
        "A matmul that is cut just as its weight lies needs no gather of it: by which dims is `tmp` cut then?",
      ],
      claims: [
        "of(solved, count) < of(mixed, count)",
        'of(solved, rest(w_in)) = "X,Y"',
        'of(solved, rest(w_out)) = "Y,X"',
      ],
    },
  ],
};
