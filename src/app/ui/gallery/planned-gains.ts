import gains from "./planned-gains.json" with { type: "json" };

/**
 * By what part of its time, in per cent, the planner's plan of an example is faster than the one
 * that its text says, on its own mesh: 0 where that is the best one, `hardly` by less than a
 * thousandth. Examples that the planner does not price are not there, nor those so small that what
 * it finds sends nothing. A test works them all out and writes them (`vitest -u`).
 */
export const plannedGains: Readonly<Record<string, number | string>> = gains;
