import gains from "./planned-gains.json" with { type: "json" };

/**
 * Gain of the planner's plan over an example's own plan on the same mesh, in percent of the time: 0
 * if the example's plan is the best, `hardly` for less than a thousandth. Examples that the planner
 * does not price are left out, and small ones whose best plan sends nothing. A test computes and
 * writes the file (`vitest -u`).
 */
export const plannedGains: Readonly<Record<string, number | string>> = gains;
