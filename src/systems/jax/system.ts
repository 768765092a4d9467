import { runsOnce } from "#systems/arrays";
import type { System } from "#systems/system";
import { maxtextTarget } from "./maxtext/code-target.ts";
import { packages, pythonUnread, unreadModules } from "./python-text.ts";
import { flaxTarget, rulesTarget } from "./rules/code-target.ts";

/** JAX: plans are written as its code; traced programs are read in `#systems/published`. */
export const jax: System = {
  name: "jax",
  title: "JAX",
  packages,
  mistakes: pythonUnread,
  bind: unreadModules,
  writes: [
    {
      target: "jax",
      name: "JAX",
      what: "one shard_map, a line per step",
      compares: "numbers",
      launch: ["srun python plan.py"],
      refuses: { "micro-batches": runsOnce },
      load: async () => {
        const { writeJax } = await import("./write-jax.ts");
        return { write: ({ program }) => writeJax(program) };
      },
    },
    rulesTarget,
    flaxTarget,
    maxtextTarget,
  ],
};
