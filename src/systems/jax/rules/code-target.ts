import { type CodeTarget, runsOnce } from "#systems/arrays";

/** Facts shared by all rule targets, and the plan forms that they cannot express. */
const ofRules = {
  compares: "nothing",
  launch: ["srun python train.py"],
  refuses: {
    "micro-batches": runsOnce,
    uneven: "a sharding cuts dims into blocks of one size",
    "several pieces": "a sharding gives a device one block of a dim",
    windows: "a sharding gives devices blocks that do not overlap",
  },
  // Inside jit XLA chooses layouts, so only those of parameters and inputs count.
  asWritten: (program) => ({
    ...program,
    values: program.values.filter(({ role }) => role === "parameter" || role === "input"),
  }),
} satisfies Partial<CodeTarget>;

/** Plans as rules for a parameter tree under `jit`. */
export const rulesTarget: CodeTarget = {
  ...ofRules,
  target: "jax-rules",
  name: "JAX rules",
  what: "a PartitionSpec by parameter path, for jit",
  file: "sharding.py",
  load: async () => {
    const { writeRules } = await import("./write-rules.ts");
    return { write: writeRules };
  },
};

/** Plans as logical axis names and their rules. */
export const flaxTarget: CodeTarget = {
  ...ofRules,
  target: "flax-rules",
  name: "Flax rules",
  what: "names of logical axes, and rules from them to the mesh",
  file: "logical_axes.py",
  load: async () => {
    const { writeFlax } = await import("./write-flax.ts");
    return { write: writeFlax };
  },
};
