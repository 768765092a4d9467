import { type CodeTarget, type RefusedForms, torchrun } from "#systems/arrays";

const refuses: RefusedForms = {
  "micro-batches": "a policy assigns the operators of one batch",
  uneven: "nnScaler partitions a dim into equal blocks",
  "several pieces": "its adapters know one block per device",
  windows: "its adapters know blocks that do not overlap",
};

/** Targets that write plans as nnScaler code, or as policies for the module of a text. */
export const nnscalerTargets: readonly CodeTarget[] = [
  {
    target: "nnscaler",
    name: "nnScaler",
    what: "the forward program as a model with a policy",
    compares: "numbers",
    launch: torchrun,
    refuses,
    load: async () => {
      const { writeNnscaler } = await import("./write-nnscaler.ts");
      return { write: ({ program }) => writeNnscaler(program) };
    },
  },
  {
    target: "nnscaler-policy",
    name: "nnScaler policy",
    what: "for the module of the text: where you have it, the file imports it",
    compares: "numbers",
    launch: torchrun,
    refuses,
    load: async () => {
      const { writePolicy } = await import("./write-nnscaler.ts");
      return { write: ({ program, textModel }) => writePolicy(program, textModel?.()) };
    },
  },
];
