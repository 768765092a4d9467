import { allTargets } from "../../src/systems/code.testing.ts";

const [, , interpreter, ownFolder, ...named] = process.argv;
/** The Python that runs engines. */
export const python = interpreter ?? "python3";
/** The folder into which this run writes. */
export const folder = ownFolder ?? "engines-out";
const known = allTargets.map(({ target }) => target);
/** Whether only random programs are run. */
export const isRandomOnly = named.includes("random");
/** Whether only optimizers are run. */
export const isOptimizersOnly = named.includes("optimizers");
/** Names of the examples and models that are run; all of them when empty. */
export const wanted = named.filter(
  (name) =>
    !known.some((target) => target === name) &&
    !["random", "optimizers"].includes(name) &&
    !/^\d+$/.test(name),
);

/** Targets whose files are not run here. */
const unrun: readonly string[] = ["arguments", "maxtext"];

/** The targets that are named. */
export const chosen = known.filter((target) => named.includes(target) && !unrun.includes(target));

/** Targets that only run when they are named. */
const compilers: readonly string[] = ["mindspore", "nnscaler", "nnscaler-policy"];

/** The targets that are run. */
export const asked =
  chosen.length > 0 ? chosen : known.filter((target) => ![...compilers, ...unrun].includes(target));

/** Random programs of a run that names no number of them. */
const usualRandoms = 20;

/** How many random programs are run. */
export const randomCount = isRandomOnly
  ? Number(named.find((name) => /^\d+$/.test(name)) ?? usualRandoms)
  : usualRandoms;
