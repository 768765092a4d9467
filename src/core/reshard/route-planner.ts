import { createPermute, createStep, type LayoutStep, type Move, type Slot } from "#core/collective";
import { type DeviceMesh, type Layout, type Link, wholeAxis } from "#core/mesh";
import type { PriceMove } from "./axis-price.ts";
import { AxisRoutes, type RouteOptions, type RouteStep } from "./axis-routes.ts";
import { type AxisState, layoutOf, stateOf } from "./axis-state.ts";
import { lowerBound } from "./lower-bound.ts";
import type { PlanReshard, ReshardPlan } from "./plan-reshard.ts";
import { priceSteps, type ReshardStep } from "./price.ts";

/** The rules that hold for the routes of all tensors. */
export interface RouteRules extends Pick<RouteOptions, "fuses" | "meanPieces"> {
  readonly price: PriceMove;
  /** Link of axes that have none of their own. */
  readonly link: Link;
}

/** Redistributions along the cheapest routes of single-axis steps. */
export interface RoutePlanner {
  readonly planReshard: PlanReshard;
  /** Layout without partial sums that is cheapest to reach. */
  readonly endOf: (layout: Layout, shape: readonly number[], bytesPerElement: number) => Layout;
}

/**
 * Plans redistributions step by step as a cost model prices them (planner-plain.md §3, §5), each
 * with its groups. Layouts that such steps cannot reach, with sub-axes, on two meshes or too many
 * to search, are left to `otherwise`.
 */
export function createRoutePlanner(rules: RouteRules, otherwise: PlanReshard): RoutePlanner {
  const tables = new Map<string, AxisRoutes>();
  const routesFor = ({ axes }: DeviceMesh, shape: readonly number[], bytesPerElement: number) => {
    const key = JSON.stringify([axes, shape, bytesPerElement]);
    const known = tables.get(key);
    if (known !== undefined) return known;
    const linked = axes.map(({ size, link = rules.link }) => ({ size, link }));
    const routes = new AxisRoutes({ ...rules, axes: linked, shape, bytesPerElement });
    tables.set(key, routes);
    return routes;
  };
  return {
    planReshard: (from, to, shape, options = {}) => {
      const routes = routesFor(from.mesh, shape, options.bytesPerElement ?? 4);
      const steps = routeBetween(routes, from, to);
      if (steps === undefined) return otherwise(from, to, shape, options);
      return planAlong(steps, from, to, shape, routes.options.bytesPerElement);
    },
    endOf: (layout, shape, bytesPerElement) => {
      const state = stateOf(layout);
      const whole = { ...layout, partials: [] };
      if (layout.partials.length === 0 || state === undefined) return whole;
      const routes = routesFor(layout.mesh, shape, bytesPerElement);
      const end = withinLimits(() => cheapestEnd(routes, routes.id(state)));
      return end === undefined || end < 0 ? whole : layoutOf(routes.state(end), layout.mesh);
    },
  };
}

/** Cheapest reachable state without partial sums (ties: fewest bytes); −1 if none is reachable. */
function cheapestEnd(routes: AxisRoutes, source: number): number {
  let best = { id: -1, seconds: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY };
  for (const { id, seconds } of routes.reachable(source)) {
    if (routes.state(id).partials.length > 0) continue;
    const bytes = routes.localBytes(id);
    const isEqual = Math.abs(seconds - best.seconds) <= 1e-12 * seconds;
    if (isEqual ? bytes < best.bytes : seconds < best.seconds) best = { id, seconds, bytes };
  }
  return best.id;
}

function routeBetween(
  routes: AxisRoutes,
  from: Layout,
  to: Layout,
): readonly RouteStep[] | undefined {
  const [source, target] = [stateOf(from), stateOf(to)];
  const isOneMesh = from.mesh.devices.join() === to.mesh.devices.join();
  if (source === undefined || target === undefined || !isOneMesh) return undefined;
  return withinLimits(() => routes.route(routes.id(source), routes.id(target)));
}

/** Runs a search; `undefined` if there are too many layouts for it. */
function withinLimits<T>(search: () => T): T | undefined {
  try {
    return search();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function planAlong(
  route: readonly RouteStep[],
  from: Layout,
  to: Layout,
  shape: readonly number[],
  bytesPerElement: number,
): ReshardPlan {
  let before = stateOf(from);
  const steps = route.flatMap((step): readonly ReshardStep[] => {
    if (before === undefined) return [];
    const drawn = collectiveOf(before, step, from.mesh, shape);
    before = step.move.after;
    const [priced] = priceSteps([drawn], shape, { bytesPerElement }).steps;
    return priced === undefined ? [] : [{ ...priced, seconds: step.seconds }];
  });
  const total = (of: (step: ReshardStep) => number) =>
    steps.reduce((sum, step) => sum + of(step), 0);
  const elements = total((step) => step.elements);
  const sums = { elements, bytes: elements * bytesPerElement, seconds: total((s) => s.seconds) };
  const sent = steps.filter(({ collective }) => collective !== "slice").length;
  return {
    steps,
    ...sums,
    lowerBound: lowerBound(from, to, shape),
    front: [{ steps: sent, elements }],
    points: [{ steps, ...sums }],
    exact: true,
    gap: 0,
  };
}

/** A step of a route as a collective with its groups. */
function collectiveOf(
  state: AxisState,
  { move }: RouteStep,
  mesh: DeviceMesh,
  shape: readonly number[],
): LayoutStep {
  const [before, after] = [layoutOf(state, mesh), layoutOf(move.after, mesh)];
  if (move.collective === "collective-permute") {
    const step = createPermute(before, after, shape);
    if (step === undefined) throw new Error("equal pieces that no permutation brings over");
    return step;
  }
  const moves = move.axes.map((axis): Move => {
    const [from, to] = [slotOf(state, axis), slotOf(move.after, axis)];
    const part = wholeAxis(mesh, mesh.axes[axis]?.name ?? "");
    return { part, ...(from && { from }), ...(to && { to }) };
  });
  const place = ({ from, to }: Move) => (to ?? from)?.position ?? 0;
  moves.sort((a, b) => place(a) - place(b));
  return createStep(before, move.collective, moves, shape);
}

function slotOf({ dims }: AxisState, axis: number): Slot | undefined {
  const dim = dims.findIndex((axes) => axes.includes(axis));
  return dim < 0 ? undefined : { dim, position: dims[dim]?.indexOf(axis) ?? 0 };
}
