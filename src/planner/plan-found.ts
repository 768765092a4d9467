import type { TensorId } from "#core/ir";
import type { Layout } from "#core/mesh";
import { layoutOf } from "#core/reshard";
import { strategyIn } from "./choices.ts";
import type { Found } from "./found.ts";
import { type Network, updateRule } from "./network.ts";
import type { Optimized } from "./optimized.ts";
import { sharedRoutes, sharedUse } from "./value-shares.ts";

/** A found plan as strategies and layouts, with its communication. */
export function planFound(network: Network, { plan, seconds, bound, bytes }: Found): Optimized {
  const { request, choices } = network;
  const strategies = new Map(
    request.graph.operators.flatMap(({ id }, at) => {
      const choice = choices[at]?.[plan[at] ?? -1];
      return choice === undefined ? [] : [[id, strategyIn(choice.strategy, request.mesh)] as const];
    }),
  );
  const { rest, ends, ...moved } = movements(network, plan);
  const layouts = { rest, ends };
  return { seconds, bound, bytes, strategies, layouts, ...moved };
}

function movements(network: Network, plan: readonly number[]) {
  const { values, choices, request } = network;
  const rest = new Map<TensorId, Layout>();
  const ends = new Map<TensorId, Layout>();
  const collectives = new Map<string, number>();
  const rule = updateRule(request, network.pricing);
  let communication = 0;
  for (const [at, own] of choices.entries()) {
    for (const { collective, seconds } of own[plan[at] ?? -1]?.inside ?? []) {
      communication += rule.runs * seconds;
      collectives.set(collective, (collectives.get(collective) ?? 0) + rule.runs);
    }
  }
  for (const value of values) {
    const { routes, tensor } = value;
    const use = sharedUse(network, value, plan);
    const layout = (state: number) => layoutOf(routes.state(state), request.mesh);
    if (value.source.kind === "rest") rest.set(tensor.id, layout(use.source));
    for (const { from, to, runs } of sharedRoutes(network, value, plan, rule)) {
      communication += runs * routes.seconds(from, to);
      for (const kind of routes.collectives(from, to)) {
        collectives.set(kind, (collectives.get(kind) ?? 0) + runs);
      }
      if (value.isResult && from === use.source) ends.set(tensor.id, layout(to));
    }
  }
  return { rest, ends, collectives, communication, ...orderedIn(network, plan) };
}

/** Seconds of a plan's communication that does not overlap, and of the operators' own work. */
export function orderedIn(
  network: Network,
  plan: readonly number[],
): Pick<Optimized, "ordered" | "work"> {
  const { values, choices, request } = network;
  const rule = updateRule(request, network.pricing);
  let [ordered, work] = [0, 0];
  for (const [at, own] of choices.entries()) work += own[plan[at] ?? -1]?.seconds ?? 0;
  for (const value of values) {
    if (value.hiding !== undefined) continue;
    for (const { from, to, runs } of sharedRoutes(network, value, plan, rule)) {
      ordered += runs * value.routes.seconds(from, to);
    }
  }
  return { ordered, work };
}
