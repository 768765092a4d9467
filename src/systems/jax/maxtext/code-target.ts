import type { CodeTarget } from "#systems/arrays";
import { rulesTarget } from "../rules/code-target.ts";

/** Plans of dense decoders as the rules of MaxText. */
export const maxtextTarget: CodeTarget = {
  ...rulesTarget,
  target: "maxtext",
  name: "MaxText rules",
  what: "logical_axis_rules for its own decoder, or why not",
  file: "sharding.yml",
  launch: ["srun python -m maxtext.trainers.pre_train.train sharding.yml"],
  load: async () => {
    const { writeMaxText } = await import("./write-maxtext.ts");
    return { write: writeMaxText };
  },
};
