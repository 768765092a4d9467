import type { Diagnostic } from "#core/diagnostics";
import type { OperatorId, TensorId } from "#core/ir";
import { type Layout, wholeAxis } from "#core/mesh";
import type { Strategy } from "#core/plan";
import { layoutOf } from "#core/reshard";
import { PinConflict } from "./choices.ts";
import type { Found } from "./found.ts";
import { type Network, networkOf, usageIn } from "./network.ts";
import type { PlanRequest } from "./problem.ts";
import { settled } from "./settled.ts";
import { solve } from "./solve.ts";
import type { AxisStrategy } from "./strategies.ts";
import { routesOf } from "./value-cost.ts";

/** The layouts of a plan: of inputs and parameters at rest, of results as they end. */
export interface PlannedLayouts {
  readonly rest: ReadonlyMap<TensorId, Layout>;
  readonly ends: ReadonlyMap<TensorId, Layout>;
}

/** A plan that was found. */
export interface Optimized {
  /** Seconds under the model, and what no plan goes below; equal where the plan is proven best. */
  readonly seconds: number;
  readonly bound: number;
  /** Of `seconds` what redistributions take. */
  readonly communication: number;
  /** Bytes of the fullest device under the model. */
  readonly bytes: number;
  readonly strategies: ReadonlyMap<OperatorId, Strategy>;
  readonly layouts: PlannedLayouts;
  /** How often each collective runs. */
  readonly collectives: ReadonlyMap<string, number>;
}

/** A plan, or why there is none. */
export type OptimizeOutcome =
  | { readonly ok: true; readonly value: Optimized }
  | { readonly ok: false; readonly diagnostic: Diagnostic; readonly leastBytes?: number };

/**
 * The cheapest plan of a program under a cost model: a strategy per operator and a layout at rest
 * per input and parameter (planner.md §4). What the request pins or places stays. Never throws for
 * a request: what cannot be met is a diagnostic.
 */
export function optimize(request: PlanRequest): OptimizeOutcome {
  try {
    const network = networkOf(request);
    return outcomeOf(network, request);
  } catch (error) {
    if (error instanceof PinConflict) return refused("pin-conflict", error.message);
    if (error instanceof RangeError) {
      return refused("planner/too-large", `this program is too large to plan: ${error.message}`);
    }
    throw error;
  }
}

function outcomeOf(network: Network, request: PlanRequest): OptimizeOutcome {
  const outcome = solve(network, request.memoryLimit);
  if (outcome.kind === "found")
    return { ok: true, value: planFound(network, settled(network, outcome.found)) };
  if (outcome.kind === "impossible") {
    return refused("planner/no-plan", "no plan meets what is pinned, placed, asked and forbidden");
  }
  const { bytes } = outcome.least;
  const message = `no plan holds at most ${request.memoryLimit} bytes on a device: the leanest takes ${bytes}`;
  return { ...refused("infeasible-memory", message), leastBytes: bytes };
}

function refused(code: string, message: string): Extract<OptimizeOutcome, { ok: false }> {
  return { ok: false, diagnostic: { code, severity: "error", message } };
}

function planFound(network: Network, { plan, seconds, bound, bytes }: Found): Optimized {
  const { request, choices } = network;
  const strategies = new Map(
    request.graph.operators.flatMap(({ id }, at) => {
      const choice = choices[at]?.[plan[at] ?? -1];
      return choice === undefined ? [] : [[id, strategyOf(choice.strategy, request)] as const];
    }),
  );
  const { rest, ends, collectives, communication } = movements(network, plan);
  const layouts = { rest, ends };
  return { seconds, bound, communication, bytes, strategies, layouts, collectives };
}

function movements(network: Network, plan: readonly number[]) {
  const { values, choices, restOf, request } = network;
  const rest = new Map<TensorId, Layout>();
  const ends = new Map<TensorId, Layout>();
  const collectives = new Map<string, number>();
  let communication = 0;
  for (const value of values) {
    const { routes, tensor } = value;
    const use = usageIn(value, plan, choices, restOf);
    const layout = (state: number) => layoutOf(routes.state(state), request.mesh);
    if (value.source.kind === "rest") rest.set(tensor.id, layout(use.source));
    for (const { from, to } of routesOf(value, use)) {
      communication += routes.seconds(from, to);
      for (const { move } of routes.route(from, to) ?? []) {
        collectives.set(move.collective, (collectives.get(move.collective) ?? 0) + 1);
      }
      if (value.isResult && from === use.source) ends.set(tensor.id, layout(to));
    }
  }
  return { rest, ends, collectives, communication };
}

function strategyOf({ cuts, carry }: AxisStrategy, { mesh }: PlanRequest): Strategy {
  const part = (at: number) => wholeAxis(mesh, mesh.axes[at]?.name ?? "");
  return {
    cuts: Object.fromEntries([...cuts].map(([name, axes]) => [name, axes.map(part)])),
    carry: carry.map(({ axis }) => part(axis)),
  };
}
