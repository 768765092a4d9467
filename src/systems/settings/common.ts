import { type Draft, degree, factor, flag } from "./words.ts";

export const precision = (name: NonNullable<Draft["precision"]>) => (so: Draft) => {
  so.precision = name;
};

/** Meaning of dtypes that no precision policy here uses. */
export const types = (words: string) => (so: Draft) => {
  so.unmodelled.push(words);
};

export const zero = (stage: 0 | 1 | 2 | 3) => (so: Draft) => {
  so.zero = stage;
};

export const sequence = flag((so) => {
  so.sequence = true;
});

export const recompute = (what: "full" | "none") => (so: Draft) => {
  so.recompute = what;
};

/** Arguments of the launcher: `torchrun --nnodes 4 --nproc-per-node 8`. */
export const torchrun = {
  "nproc-per-node": factor("devices"),
  nnodes: factor("devices"),
  "world-size": degree("devices"),
};
