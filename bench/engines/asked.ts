import { allTargets } from "../../src/systems/code.testing.ts";

const [, , interpreter, ownFolder, ...named] = process.argv;
/** The Python interpreter with the engines. */
export const python = interpreter ?? "python3";
/** Output folder of this run. */
export const folder = ownFolder ?? "engines-out";
const known = allTargets.map(({ target }) => target);
/** Whether to run only random programs. */
export const isRandomOnly = named.includes("random");
/** Whether to run only optimizers. */
export const isOptimizersOnly = named.includes("optimizers");
/** Names of the examples and models to run; all when empty. */
export const wanted = named.filter(
  (name) =>
    !known.some((target) => target === name) &&
    !["random", "optimizers"].includes(name) &&
    !/^\d+$/.test(name),
);

/** Targets whose files cannot be run here. */
const unrun: readonly string[] = ["arguments", "maxtext"];

/** Targets named in the arguments. */
export const chosen = known.filter((target) => named.includes(target) && !unrun.includes(target));

/** Targets that run only when named. */
const compilers: readonly string[] = ["mindspore", "nnscaler", "nnscaler-policy"];

/** Targets to run. */
export const asked =
  chosen.length > 0 ? chosen : known.filter((target) => ![...compilers, ...unrun].includes(target));

/** Default number of random programs. */
const usualRandoms = 20;

/** Number of random programs to run. */
export const randomCount = isRandomOnly
  ? Number(named.find((name) => /^\d+$/.test(name)) ?? usualRandoms)
  : usualRandoms;
