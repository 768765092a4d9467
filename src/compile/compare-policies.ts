import type { Redistribution, SpmdProgram } from "#core/program";
import { edgesIn, outcomeOf } from "./as-system-edge.ts";
import type { PolicyOutcome } from "./compiled.ts";
import { policyNames } from "./system-steps.ts";

/**
 * What other systems' own lowerings would do on the edge of one redistribution (redistribution.md
 * §2.1, §2.2, mindspore.md §3, dimops.md §6), priced as ours, and why that differs. It is asked only
 * for what is looked at, since a program of many edges would wait for answers that nobody reads.
 */
export function comparePolicies(
  program: SpmdProgram,
  redistribution: Redistribution,
): readonly PolicyOutcome[] {
  if (hasWindows(program, redistribution)) {
    const reason = "it knows blocks of layouts only, and has no word for windows";
    return policyNames.map((policy): PolicyOutcome => ({ kind: "declined", policy, reason }));
  }
  const edge = edgesIn(program)(redistribution);
  return edge === undefined ? [] : policyNames.map((policy) => outcomeOf(policy, edge));
}

/** Whether some device holds something else than its block before or after. */
function hasWindows({ values }: SpmdProgram, { input, output }: Redistribution): boolean {
  return values.some(({ id, held }) => held !== undefined && (id === input || id === output));
}
