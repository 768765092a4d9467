import type { DeviceMesh } from "#core/mesh";
import { layoutOf, stateOf } from "#core/reshard";
import { splitFurther, type Training } from "#core/training";
import type { Pricing } from "./pricing.ts";
import type { PlannedValue } from "./values.ts";

/** Seconds and bytes of one device. */
export interface Weight {
  readonly seconds: number;
  readonly bytes: number;
}

/** How a value is used: where it lies, what its readers want and make. */
export interface Use {
  readonly source: number;
  /** Layouts in which readers want it; the same one counts once. */
  readonly reads: readonly number[];
  /** Layouts in which readers make its gradient; one entry for each of them. */
  readonly gradients: readonly number[];
  /** Layouts in which the backward pass reads it again, where what was gathered is not kept. */
  readonly again: readonly number[];
}

/** A redistribution that a use needs. */
export interface UsedRoute {
  readonly from: number;
  readonly to: number;
  readonly phase: "forward" | "backward";
}

/**
 * The redistributions of a value: one per distinct layout that readers want, its end where it is a
 * result, and of the gradient one per distinct layout in which readers make it (planner-plain.md
 * §3, §6, §9).
 */
export function routesOf(
  value: PlannedValue,
  use: Use,
  zero: Training["zero"],
): readonly UsedRoute[] {
  const { rest: source, update } = heldOf(value, use.source, use.gradients, zero);
  const placed = value.placed === undefined ? [] : [value.placed];
  const end = value.isResult ? [endOf(value, source)] : [];
  const wanted = update === source ? withoutPartials(value, source) : update;
  const forward = distinct([...use.reads, ...placed, ...end])
    .filter((to) => to !== source)
    .map((to): UsedRoute => ({ from: source, to, phase: "forward" }));
  if (!value.hasGradient) return forward;
  // What ZeRO 3 splits is gathered again for the backward pass of every reader.
  const isGathered = source !== use.source;
  const again = distinct(isGathered ? [...use.again, ...use.reads] : use.again)
    .filter((to) => to !== source)
    .map((to): UsedRoute => ({ from: source, to, phase: "backward" }));
  const backward = distinct([...use.gradients, ...placed])
    .filter((from) => from !== wanted)
    .map((from): UsedRoute => ({ from, to: wanted, phase: "backward" }));
  const updated: UsedRoute[] =
    update === source ? [] : [{ from: update, to: source, phase: "backward" }];
  return [...forward, ...again, ...backward, ...updated];
}

/** What an optimizer keeps and does per trained parameter, and what adding gradients takes. */
export interface UpdateRule {
  /** Bytes of its states per element. */
  readonly stateBytes: (bytesPerElement: number) => number;
  readonly pricing: Pick<Pricing, "addSeconds" | "updateSeconds">;
  /** What lies split over the axes that a parameter's gradient is summed over (`Training`). */
  readonly zero: Training["zero"];
}

/** Where a trained parameter lies, and where its update works. */
export interface Held {
  readonly rest: number;
  readonly update: number;
}

/**
 * Where a value lies and its update works: at rest, or with ZeRO also split over the axes that its
 * gradient is summed over. Split into sub-axes it is not planned for: then it stays at rest.
 */
function heldOf(
  { routes, source, tensor, hasGradient }: PlannedValue,
  rest: number,
  gradients: readonly number[],
  zero: Training["zero"],
): Held {
  const [made, ...others] = distinct(gradients);
  const isTrained = source.kind === "rest" && hasGradient;
  if (zero === 0 || !isTrained || made === undefined || others.length > 0) {
    return { rest, update: rest };
  }
  const mesh = meshOf(routes);
  const summed = layoutOf(routes.state(made), mesh).partials.map(({ part }) => part);
  const further = splitFurther(layoutOf(routes.state(rest), mesh), tensor.shape, summed);
  const state = stateOf(further);
  const update = state === undefined ? rest : routes.id(state);
  return { rest: zero === 3 ? update : rest, update };
}

/** A mesh that has just the axes of some routes; where its devices are does not matter. */
function meshOf({ options }: PlannedValue["routes"]): DeviceMesh {
  return { axes: options.axes.map(({ size }, at) => ({ name: `${at}`, size })), devices: [] };
}

/** What a use costs: its redistributions, and the bytes of all copies that they make. */
export function weightOf(value: PlannedValue, use: Use, rule: UpdateRule): Weight {
  return weightBy(value, use, rule, (from, to) => value.routes.seconds(from, to));
}

/** The same with redistributions whose seconds are not known yet at their bound. */
export function boundOf(value: PlannedValue, use: Use, rule: UpdateRule): Weight {
  return weightBy(value, use, rule, (from, to) => value.routes.bound(from, to));
}

function weightBy(
  value: PlannedValue,
  use: Use,
  rule: UpdateRule,
  secondsOf: (from: number, to: number) => number,
): Weight {
  const { routes, hasGradient } = value;
  const held = heldOf(value, use.source, use.gradients, rule.zero);
  let { seconds, bytes } = ownWeight(value, held, rule);
  for (const { from, to, phase } of routesOf(value, use, rule.zero)) {
    seconds += secondsOf(from, to);
    if (phase === "forward") bytes += routes.localBytes(to);
  }
  return { seconds: seconds + (hasGradient ? additions(value, use, rule.pricing) : 0), bytes };
}

/** What a value takes where it lies; of a trained parameter with its gradient, states and update. */
export function ownWeight(
  { routes, source, hasGradient }: PlannedValue,
  { rest, update }: Held,
  { pricing, zero, stateBytes }: UpdateRule,
): Weight {
  const own = routes.localBytes(rest);
  if (source.kind !== "rest" || !hasGradient) return { seconds: 0, bytes: own };
  const { bytesPerElement } = routes.options;
  const elements = routes.localBytes(update) / bytesPerElement;
  const gradient = zero === 1 ? own : elements * bytesPerElement;
  const bytes = own + gradient + elements * stateBytes(bytesPerElement);
  return { seconds: pricing.updateSeconds(elements, bytesPerElement), bytes };
}

/**
 * Seconds to add up the gradients that several readers make: those that lie alike as they lie, the
 * others as the value itself does.
 */
function additions(
  value: PlannedValue,
  { source, gradients }: Use,
  { addSeconds }: Pick<Pricing, "addSeconds">,
): number {
  const { routes } = value;
  const groups = distinct(gradients);
  const whole = addSeconds(routes.localBytes(withoutPartials(value, source)));
  let seconds = Math.max(0, groups.length - 1) * whole;
  for (const group of groups) {
    const members = gradients.filter((each) => each === group).length;
    seconds += (members - 1) * addSeconds(routes.localBytes(group));
  }
  return seconds;
}

/**
 * How a result ends: in the cheapest of the layouts that it may end in, of equal prices the
 * one with the fewest bytes. What has no partial sums stays as it is, unless it is asked otherwise.
 */
export function endOf(value: PlannedValue, source: number): number {
  const { routes, ends } = value;
  const [only, ...others] = ends;
  if (only !== undefined && others.length === 0) return only;
  if (routes.state(source).partials.length === 0) return source;
  if (value.endsInSum === true) return withoutPartials(value, source);
  let best = { id: -1, seconds: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY };
  for (const id of ends) {
    if (routes.bound(source, id) > best.seconds * (1 + 1e-9)) continue;
    const [seconds, bytes] = [routes.seconds(source, id), routes.localBytes(id)];
    const isEqual = Math.abs(seconds - best.seconds) <= 1e-12 * seconds;
    if (isEqual ? bytes < best.bytes : seconds < best.seconds) best = { id, seconds, bytes };
  }
  return best.id;
}

export function withoutPartials({ routes }: Pick<PlannedValue, "routes">, source: number): number {
  const state = routes.state(source);
  return state.partials.length === 0 ? source : routes.id({ ...state, partials: [] });
}

function distinct(ids: readonly number[]): readonly number[] {
  return ids.length < 2 ? ids : [...new Set(ids)];
}
