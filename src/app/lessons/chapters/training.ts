import type { Lesson } from "../lesson.ts";

const chapter = "Training";

const trained = (options: string) =>
  `mesh = Mesh(dp=8)

x = Tensor((8192, 4096), "bf16")
w1 = Parameter((4096, 16384), "bf16")
w2 = Parameter((16384, 4096), "bf16")

h = matmul(x, w1)
a = gelu(h)
y = matmul(a, w2)

strategy(h, m="dp")
strategy(y, m="dp")
train(y, optimizer="adam"${options})
`;

export const dataParallel: Lesson = {
  id: "data-parallel",
  title: "Data parallel",
  chapter,
  minutes: 4,
  needs: ["columns-then-rows"],
  words: ["replica", "all-reduce"],
  texts: { dp: trained("") },
  steps: [
    {
      say: "Eight devices, each with an eighth of the rows of `x` and a *replica* of both weights, {size(w1) + size(w2)} in all. Forward nothing is sent. `train` makes it a *training step*.",
      show: { text: "dp", tensor: "w1" },
      ask: {
        kind: "number",
        question: "How many bytes does each device receive in the *backward pass*?",
        unit: "bytes",
        value: "bytes",
        tolerance: 0.03,
        hides: ["comm"],
        mistakes: [
          {
            value: "bytes / 2",
            says: "That is half of it: of each all-reduce the half that adds, or the all-reduce of one of the two weights.",
          },
          {
            value: "size(w1) + size(w2)",
            says: "That is the size of the gradients. What of them a device receives is seven eighths, and this twice.",
          },
          {
            value: "2 * (size(w1) + size(w2))",
            says: "That is all of the gradients, twice. One eighth of them a device has itself, each time.",
          },
          {
            value: "7 * (size(w1) + size(w2))",
            says: "That is what seven others hold. A device adds no more than an eighth of each of their gradients; the rest is added elsewhere.",
          },
        ],
      },
      reveal:
        "{bytes:exact} = 2 · ⅞ · {size(w1) + size(w2):exact}. Each device has the *gradients|gradient* of its own rows; those of the weights have to be added over all devices, by one all-reduce for each weight. The *batch* may be as large as you like: it is the same.",
      hints: [
        "The gradient of a weight is as large as the weight.",
        "An all-reduce over n devices receives 2 · (n − 1)/n of the tensor.",
      ],
      claims: [
        "bytes = 2 * 7 / 8 * (size(w1) + size(w2))",
        "count(all-reduce, forward) = 0",
        "count(all-reduce, backward) = 2",
        "devices = 8",
        "size(w1) = size(w2)",
      ],
    },
    {
      say: "The *optimizer*, *Adam*, keeps two numbers for each *parameter*.",
      show: { text: "dp", panel: "costs" },
      ask: {
        kind: "choice",
        question: "How much of that does each of the eight devices hold?",
        options: [
          {
            text: "An eighth",
            isRight: false,
            says: "Nothing here cuts the weights, nor what belongs to them.",
          },
          { text: "All of it", isRight: true },
        ],
      },
      reveal:
        "All of it: {optimizer} of the {memory} that a device needs at its peak, and the same on all eight. The next lesson cuts it.",
      hints: [],
      claims: ["optimizer = 2 * (size(w1) + size(w2))", "local(w1) = size(w1)"],
    },
  ],
};

export const zero: Lesson = {
  id: "zero",
  title: "ZeRO: no copy twice",
  chapter,
  minutes: 6,
  needs: ["data-parallel"],
  words: ["ZeRO", "reduce-scatter", "all-gather"],
  texts: {
    dp: trained(""),
    zero1: trained(", zero=1"),
    zero2: trained(", zero=2"),
    zero3: trained(", zero=3"),
  },
  steps: [
    {
      say: "*ZeRO* cuts over the data axis what every device holds a copy of: with `zero=1` the state of the optimizer, with 2 the gradients too, with 3 the parameters as well. With `zero=1` a device updates an eighth of the parameters, and then gathers the others.",
      show: { text: "dp", panel: "costs" },
      ask: {
        kind: "choice",
        question: "Does `zero=1` send more, less, or as much as before?",
        options: [
          {
            text: "More: the parameters have to be gathered",
            isRight: false,
            says: "They have, but the gradients need not be gathered any more.",
          },
          { text: "As much", isRight: true },
          {
            text: "Less: each device needs an eighth of the gradients alone",
            isRight: false,
            says: "True of the gradients; but then the parameters have to be gathered.",
          },
        ],
      },
      reveal:
        "As much, {bytes}: an all-reduce is a reduce-scatter and an all-gather. Now the gradients are scattered, and the parameters gathered.",
      hints: ["What are the two halves of an all-reduce?"],
      claims: [
        "bytes(zero1) = bytes",
        "of(zero1, count(reduce-scatter)) = 2",
        "of(zero1, count(all-gather)) = 2",
      ],
    },
    {
      say: "The peak is {memory}. Change the line with `train`.",
      show: { text: "dp", panel: "costs" },
      act: {
        task: "Still with Adam: at most {0.6 * start(memory)} at the peak, and no more bytes sent than now.",
        goal: "ok and same(program) and same(machine) and devices = start(devices) and memory <= 0.6 * start(memory) and bytes <= start(bytes)",
        solution: "zero2",
      },
      reveal:
        "With `zero=1` the peak is {memory(zero1)}, with 2 {memory(zero2)}; the step takes {time(zero1)} instead of {time(dp)}, since each device updates an eighth of the parameters.",
      hints: ['Write `train(y, optimizer="adam", zero=1)`.'],
      claims: [
        "memory(zero1) <= 0.6 * memory(dp)",
        "memory(zero2) < memory(zero1)",
        "time(zero1) < time(dp)",
        "bytes(zero2) = bytes(dp)",
      ],
    },
    {
      say: "Once more from the start, and to the end of it: the parameters lie cut, and are gathered when they are used.",
      show: { text: "dp", panel: "costs" },
      act: {
        task: "Still with Adam: at most {1.03 * best(memory)} at the peak.",
        goal: "ok and same(program) and same(machine) and devices = start(devices) and memory <= 1.03 * best(memory)",
        solution: "zero3",
      },
      reveal:
        "{memory(zero3)} at the peak, instead of {memory(dp)}. It sends {bytes(zero3)}, 1.5 × as much: the parameters are gathered twice, forward and backward. The step takes {time(zero3)}.",
      hints: ["Three is the last one."],
      claims: ["bytes(zero3) = 1.5 * bytes(dp)", "memory(zero3) < memory(zero2)"],
    },
  ],
};
