import { type LessonPlans, type Tried, tried } from "./tried.testing.ts";

const dp = (what: string, train: string): Tried =>
  tried(what, "zero", "dp", [['train(y, optimizer="adam")', train]]);

export const trainingPlans: readonly LessonPlans[] = [
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
];
