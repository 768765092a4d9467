import type { OperatorId, TensorId } from "#core/ir";
import type { DeviceMesh, Layout } from "#core/mesh";
import type { Strategy, WantedStrategies } from "#core/plan";
import { stateOf } from "#core/reshard";
import { type Choice, strategyIn } from "./choices.ts";
import type { Network } from "./network.ts";
import { usageIn } from "./usage.ts";

/** A plan that was found or made by hand: strategies, and layouts at rest. */
export interface GivenPlan {
  readonly strategies: WantedStrategies;
  readonly rest: ReadonlyMap<TensorId, Layout>;
}

/**
 * A plan in the numbers of a network. An operator whose strategy the network does not have keeps
 * the first choice; `foreign` names the first such operator.
 */
export function planIn(
  network: Network,
  { strategies, rest }: GivenPlan,
): { readonly plan: readonly number[]; readonly foreign?: OperatorId } {
  const { request, choices, unknowns, restOf } = network;
  const plan = unknowns.map(() => 0);
  const known = new Map<readonly Choice[], ReadonlyMap<string, number>>();
  let foreign: OperatorId | undefined;
  for (const [at, { id }] of request.graph.operators.entries()) {
    const wanted = strategyText(strategies.get(id) ?? { cuts: {}, carry: [] });
    const own = choices[at] ?? [];
    const numbers = known.get(own) ?? numbersOf(own, request.mesh);
    known.set(own, numbers);
    const found = numbers.get(wanted);
    if (found === undefined) foreign ??= id;
    plan[at] = found ?? 0;
  }
  for (const [value, unknown] of restOf) {
    const layout = rest.get(value.tensor.id);
    const state = layout && stateOf(layout);
    const [first] = usageIn(value, plan, choices, restOf).reads;
    const wanted = state === undefined ? first : value.routes.id(state);
    const states = value.source.kind === "rest" ? value.source.states : [];
    plan[unknown] = Math.max(0, states.indexOf(wanted ?? -1));
  }
  return { plan, ...(foreign !== undefined && { foreign }) };
}

/** Index of each choice by the text of its strategy; among equal texts the first. */
function numbersOf(choices: readonly Choice[], mesh: DeviceMesh): ReadonlyMap<string, number> {
  const numbers = new Map<string, number>();
  for (const [at, { strategy }] of choices.entries()) {
    const text = strategyText(strategyIn(strategy, mesh));
    if (!numbers.has(text)) numbers.set(text, at);
  }
  return numbers;
}

/** The text of a strategy: `m over dp, n over (tp, sp)`; `whole` without a cut. */
export function strategyText({ cuts, carry }: Strategy): string {
  const words = Object.entries(cuts)
    .filter(([, parts]) => parts.length > 0)
    .map(([name, parts]) => `${name} over ${partsText(parts)}`)
    .sort();
  const carried = carry.length === 0 ? [] : [`sums carried over ${partsText(carry)}`];
  return [...words, ...carried].join(", ") || "whole";
}

function partsText(parts: Strategy["carry"]): string {
  const names = parts.map((part) => (part.kind === "axis" ? part.axis : "pieces"));
  return names.length === 1 ? names.join("") : `(${names.join(", ")})`;
}
