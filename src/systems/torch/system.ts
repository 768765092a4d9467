import { runsOnce, torchrun } from "#systems/arrays";
import type { System } from "#systems/system";

/** PyTorch: plans leave as the program of one rank. */
export const torch: System = {
  name: "torch",
  title: "PyTorch",
  writes: [
    {
      target: "torch",
      name: "PyTorch",
      what: "the program of one rank, a line per step",
      compares: "numbers",
      launch: torchrun,
      refuses: { "micro-batches": runsOnce },
      load: async () => {
        const { writeTorch } = await import("./write-torch.ts");
        return { write: ({ program }) => writeTorch(program) };
      },
    },
  ],
};
