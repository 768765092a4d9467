import type { Lesson } from "../lesson.ts";

const chapter = "Models";

const mlp = (...lines: readonly string[]) =>
  [
    "mesh = Mesh(tp=8)\n",
    'x = Tensor((4, 2048, 4096), "bf16")',
    'g = Parameter((4096,), "bf16")',
    'w1 = Parameter((4096, 16384), "bf16")',
    'w2 = Parameter((16384, 4096), "bf16")\n',
    "n = layer_norm(x, g)",
    'h = einsum("b s d, d f -> b s f", n, w1)',
    "a = gelu(h)",
    'y = einsum("b s f, f d -> b s d", a, w2)',
    "z = add(x, y)\n",
    ...lines,
    'strategy(h, f="tp")',
    'strategy(y, f="tp")',
    "",
  ].join("\n");

export const sequenceParallel: Lesson = {
  id: "sequence-parallel",
  title: "Sequence parallel",
  chapter,
  minutes: 5,
  needs: ["columns-then-rows"],
  words: ["all-reduce", "reduce-scatter", "all-gather"],
  texts: { reduced: mlp(), scattered: mlp('strategy(n, b="tp")', 'strategy(z, b="tp")') },
  steps: [
    {
      say: "The MLP again, with its *norm* before and its sum behind. Those two stand whole on each of the eight devices: all compute the same. An all-reduce of `y` sends {bytes}.",
      show: { text: "reduced", step: 1 },
      ask: {
        kind: "choice",
        question:
          "Cut norm and sum along the *sequence*: a reduce-scatter takes the place of the all-reduce, and an all-gather comes before `h`. Are more bytes sent, fewer, or as many?",
        options: [
          {
            text: "More",
            isRight: false,
            says: "The gather is one half of the all-reduce, and no longer stands behind `y`.",
          },
          { text: "As many", isRight: true },
          {
            text: "Fewer",
            isRight: false,
            says: "The reduce-scatter sends half; the gather the other half.",
          },
        ],
      },
      reveal: "As many: {bytes(scattered):exact}, half of it in each.",
      hints: ["What is an all-reduce made of?"],
      claims: [
        "bytes(scattered) = bytes",
        "of(scattered, count(reduce-scatter)) = 1",
        "of(scattered, count(all-gather)) = 1",
      ],
    },
    {
      say: "In `n` and `z` the dims are `a`, `b`, `c`: batch, sequence, model.",
      show: { text: "reduced", tensor: "n" },
      act: {
        task: "No all-reduce in the *forward pass*, and at most {1.03 * best(memory)} at the peak.",
        goal: "ok and same(program) and same(machine) and devices = start(devices) and count(all-reduce, forward) = 0 and memory <= 1.03 * best(memory)",
        solution: "scattered",
      },
      reveal:
        "The peak falls from {memory(reduced)} to {memory(scattered)}, the time from {time(reduced)} to {time(scattered)}: norm and sum are computed once, not eight times.",
      hints: [
        "Cut the norm along the sequence; the sum may follow it.",
        'Write `strategy(n, b="tp")`.',
      ],
      claims: ["memory(scattered) < memory(reduced)", "time(scattered) < time(reduced)"],
    },
  ],
};

const block = (devices: number) =>
  `mesh = Mesh(tp=${devices})

x = Tensor((1, 2048, 4096), "bf16")
wq = Parameter((4096, 32, 128), "bf16")
wk = Parameter((4096, 8, 128), "bf16")
wv = Parameter((4096, 8, 128), "bf16")
wo = Parameter((32, 128, 4096), "bf16")

q = einsum("b s d, d h e -> b h s e", x, wq)
k = einsum("b s d, d h e -> b h s e", x, wk)
v = einsum("b s d, d h e -> b h s e", x, wv)
o = attention(q, k, v, is_causal=True)
y = einsum("b h s e, h e d -> b s d", o, wo)

strategy(q, h="tp")
strategy(k, h="tp")
strategy(v, h="tp")
strategy(o, h="tp")
strategy(y, h="tp")
`;

export const headsInGroups: Lesson = {
  id: "heads-in-groups",
  title: "Heads in groups",
  chapter,
  minutes: 5,
  needs: ["sequence-parallel"],
  words: ["shard", "all-gather"],
  texts: { four: block(4), eight: block(8), sixteen: block(16) },
  steps: [
    {
      say: "*Attention|attention* with 32 *heads|head* of queries and 8 of keys and values: each key serves a group of four queries. The heads are cut by `tp`, here over {devices} devices.",
      show: { text: "four", tensor: "k" },
      ask: {
        kind: "choice",
        question: "What is the largest number of devices for which no keys have to be copied?",
        options: [
          { text: "4", isRight: false, says: "There are more groups than four." },
          { text: "8", isRight: true },
          {
            text: "16",
            isRight: false,
            says: "There are 8 heads of keys: 16 devices cannot have one each.",
          },
          {
            text: "32",
            isRight: false,
            says: "That is the number of queries; the keys are fewer.",
          },
        ],
      },
      reveal:
        "Eight, one group for each device. With sixteen the cut does not fit, and {of(sixteen, count(all-gather))} gathers stand where none were.",
      hints: ["A device needs the keys of the queries that it has."],
      claims: ["of(eight, count(all-gather)) = 0", "of(sixteen, count(all-gather)) > 0"],
    },
    {
      say: "The mesh is the first line, and the number beside `tp` on the board can be typed too.",
      show: { text: "four", panel: "mesh" },
      act: {
        task: "Use as many devices as you can without errors and without a gather, each with its share of queries and keys and no other.",
        goal: "ok and same(program) and same(machine) and count(all-gather) = 0 and local(q) = size(q) / devices and local(k) = size(k) / devices and devices >= 8",
        solution: "eight",
      },
      reveal:
        "With {devices(eight)} devices {bytes(eight)} are sent and it takes {time(eight)}; with {devices(four)} it takes {time(four)}, with {devices(sixteen)} it would take {time(sixteen)}.",
      hints: ["There are 8 heads of keys."],
      claims: ["time(eight) < time(four)", "time(sixteen) > time(eight)", "devices(eight) = 8"],
    },
  ],
};

const experts = (groups: number, plan: readonly string[]) =>
  `# Groups of tokens g and experts e are cut by the same axis.
mesh = Mesh(ep=4)

x = Tensor((${groups}, 64, 256), "bf16")
s = Parameter((256,), "bf16")
wg = Parameter((256, 16), "bf16")
wi = Parameter((16, 256, 1024), "bf16")
wo = Parameter((16, 1024, 256), "bf16")

t = layer_norm(x, s)
logits = einsum("g t d, d e -> g t e", t, wg)
gates = moe_gate(logits, k=2)
sent = moe_dispatch(t, gates, capacity=16)
up = einsum("e g c d, e d h -> e g c h", sent, wi)
act = gelu(up)
down = einsum("e g c h, e h d -> e g c d", act, wo)
y = moe_combine(down, gates)

${plan.map((line) => `${line}\n`).join("")}train(y)
`;

/**
 * Strategy lines that cut tokens by group before and after the experts, and the expert layers along
 * `dim`.
 */
const byGroups = (dim: "e" | "g") => [
  'strategy(t, a="ep")',
  'strategy(logits, g="ep")',
  'strategy(gates, g="ep")',
  'strategy(sent, g="ep")',
  `strategy(up, ${dim}="ep")`,
  `strategy(down, ${dim}="ep")`,
  'strategy(y, g="ep")',
];

/** Strategy lines that give every device all tokens, while each computes only its own experts. */
const withAllTokens = [
  "strategy(t, a=())",
  "strategy(logits, g=())",
  'strategy(up, e="ep")',
  'strategy(down, e="ep")',
  "strategy(y, g=())",
];

export const tokensToExperts: Lesson = {
  id: "tokens-to-experts",
  title: "Tokens to experts",
  chapter,
  minutes: 7,
  needs: ["rows-to-columns", "data-parallel"],
  words: ["all-to-all", "shard"],
  texts: {
    experts: experts(8, byGroups("e")),
    gathered: experts(8, withAllTokens),
    experts32: experts(32, byGroups("e")),
    gathered32: experts(32, withAllTokens),
    weights32: experts(32, [
      ...byGroups("g"),
      'place(wi, layout("ep", "None", "None"))',
      'place(wo, layout("ep", "None", "None"))',
    ]),
  },
  steps: [
    {
      say: "A *gate* sends each *token* to its best two *experts|expert* out of 16, which live on {devices} devices. Tokens are cut by groups, experts by number, both by the axis `ep`. So tokens change from one cut to the other, and back: an *all-to-all* each time, and the same again backward.",
      show: { text: "experts", step: 1 },
      ask: {
        kind: "choice",
        question: "Which gradients need no *collective* at all?",
        options: [
          {
            text: "Those of the gate, `wg`",
            isRight: false,
            says: "The gate stands on each device and sees its own tokens alone: its gradients are added over all.",
          },
          { text: "Those of the experts, `wi` and `wo`", isRight: true },
          {
            text: "All need one",
            isRight: false,
            says: "An expert lives on one device, and has seen all tokens that were sent to it.",
          },
        ],
      },
      reveal:
        "Those of the experts: each lives on one device, which has all of its tokens. Four all-to-alls run, {count(all-to-all, forward)} forward and {count(all-to-all, backward)} backward; what is added over the devices is the gradient of the norm and of the gate.",
      hints: ["Who holds a copy of an expert's weights?"],
      claims: [
        "count(all-to-all) = 4",
        "count(all-reduce, backward) = 2",
        "of(experts, local(wi)) = size(wi) / 4",
        "local(wg) = size(wg)",
      ],
    },
    {
      say: "Find the steps on the board: each has a mark, and the player goes through them.",
      show: { text: "experts", panel: "steps" },
      act: {
        task: "Show the second all-to-all, which brings the results back to their tokens.",
        goal: "same(steps) and at(2)",
        solution: "experts",
        solved: { view: { step: 2, hop: 0 } },
      },
      reveal:
        "It moves `down` from the experts to the groups of tokens. All steps together send {bytes}.",
      hints: ["Its mark stands before `y`."],
      claims: ["bytes > 0"],
    },
    {
      say: "There is another way. Where every device has all tokens, it can choose those of its own experts itself, and *all-gathers|all-gather* bring their results to all devices: it sends {of(gathered, count)} times instead of {of(experts, count)}, but more, {bytes(gathered)} instead of {bytes(experts)}. With 8 groups of tokens, as before, a step takes {time(gathered)} so, and {time(experts)} with all-to-alls.",
      show: { text: "gathered32", tensor: "x" },
      ask: {
        kind: "choice",
        question: "On the board are 32 groups. Which of the two is faster here?",
        options: [
          {
            text: "The gathers, as before: both send four times as much",
            isRight: false,
            says: "Both do, but to begin a collective takes as long as before, and the gathers have fewer of them: that counts for less now.",
          },
          { text: "The all-to-alls: they send fewer bytes", isRight: true },
        ],
      },
      act: {
        task: "Let a step take less time than {time}, by lines of your own or by the planner.",
        goal: "ok and same(program) and same(machine) and devices = start(devices) and time < start(time)",
        solution: "experts32",
      },
      reveal:
        "With all-to-alls it takes {time(experts32)}. The planner knows a third way, which takes {time(weights32)}: both weights of the experts, {size(wi) + size(wo)}, are less than all tokens on their way through them, so they lie cut, every device gathers them when they are used, and keeps its tokens. With large experts that is not so.",
      hints: [
        "The tokens that arrive at an expert are `sent`, those that leave it are `down`.",
        'Cut what stands before and behind the experts by groups: `a="ep"` of `t`, `g="ep"` of `logits` and of `y`.',
      ],
      claims: [
        "time(gathered) < time(experts)",
        "bytes(gathered) > bytes(experts)",
        "of(gathered, count) < of(experts, count)",
        "time(experts32) < time(gathered32)",
        "of(experts32, count(all-to-all)) = 4",
        "time(weights32) < time(experts32)",
        "of(weights32, count(all-to-all)) = 0",
        "size(wi) + size(wo) < of(gathered32, size(sent) + size(up) + size(down))",
      ],
    },
  ],
};
