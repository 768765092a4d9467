import { type CodeTarget, runsOnce } from "#systems/arrays";

/** Plans as rules for a parameter tree under `jit`. */
export const rulesTarget: CodeTarget = {
  target: "jax-rules",
  name: "JAX rules",
  what: "a PartitionSpec by parameter path, for jit",
  compares: "nothing",
  file: "sharding.py",
  launch: ["srun python train.py"],
  refuses: {
    "micro-batches": runsOnce,
    uneven: "a sharding cuts dims into blocks of one size",
    "several pieces": "a sharding gives a device one block of a dim",
    windows: "a sharding gives devices blocks that do not overlap",
  },
  // Inside of jit XLA finds layouts by itself: what rests, is given and is held to counts.
  asWritten: (program) => ({
    ...program,
    values: program.values.filter(({ role }) => role === "parameter" || role === "input"),
  }),
  load: async () => {
    const { writeRules } = await import("./write-rules.ts");
    return { write: writeRules };
  },
};
