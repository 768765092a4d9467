import gains from "./planned-gains.json" with { type: "json" };

/**
 * The gain of the planner's plan over an example's own plan, in per cent of its time, on its own
 * mesh: 0 where the text's plan is the best, `hardly` for less than a thousandth. Missing are
 * examples that the planner does not price, and those so small that the planner's plan sends
 * nothing. A test computes and writes them all (`vitest -u`).
 */
export const plannedGains: Readonly<Record<string, number | string>> = gains;
