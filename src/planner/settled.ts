import type { Found } from "./found.ts";
import { type Network, updateRule } from "./network.ts";
import { sharedUse, sharedWeight } from "./value-shares.ts";

/**
 * The plan with inputs and parameters stored in the layout of their first reader, wherever that
 * costs no time and keeps the memory limit. Slices are free, so many layouts at rest are equally
 * good; these are the ones that a text can leave out.
 */
export function settled(network: Network, found: Found, limit = Number.POSITIVE_INFINITY): Found {
  const { values, restOf, request, pricing } = network;
  const rule = updateRule(request, pricing);
  const plan = [...found.plan];
  let { bytes } = found;
  for (const value of values) {
    const unknown = restOf.get(value);
    if (unknown === undefined || value.source.kind !== "rest") continue;
    const use = sharedUse(network, value, plan);
    const [first = use.source] = use.reads;
    const state = value.source.states.indexOf(first);
    if (state < 0 || first === use.source) continue;
    const now = sharedWeight(network, value, plan, rule);
    const then = sharedWeight(network, value, plan.with(unknown, state), rule);
    const grown = bytes + then.bytes - now.bytes;
    if (then.seconds > now.seconds || grown > Math.max(limit, bytes)) continue;
    plan[unknown] = state;
    bytes = grown;
  }
  return { ...found, plan, bytes };
}
