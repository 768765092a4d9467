import type { CodeWriter } from "#systems/arrays";
import { writeJax } from "./write-jax.ts";

/** Plans as code of JAX. */
export const jaxCode: CodeWriter = {
  target: "jax",
  name: "JAX",
  what: "one shard_map, a line per step",
  compares: "numbers",
  write: ({ program }) => writeJax(program),
  launch: ["srun python plan.py"],
};
