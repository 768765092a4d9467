import type { DeviceMesh } from "#core/mesh";
import { layoutOf, stateOf } from "#core/reshard";
import { splitFurther, type Training } from "#core/training";
import { endOf } from "./result-ends.ts";
import { accumulationSeconds, gradientRuns } from "./run-counts.ts";
import {
  type Cover,
  type Held,
  isApart,
  type UpdateRule,
  type Use,
  withoutPartials,
} from "./use.ts";
import type { PlannedValue } from "./values.ts";
import type { Weight } from "./weight.ts";

/** A redistribution that a use needs. */
export interface UsedRoute {
  readonly from: number;
  readonly to: number;
  readonly phase: "forward" | "backward";
  /** Whether it brings a gradient to its update, or an updated parameter back. */
  readonly isReduction?: true;
  /** Number of runs in one training step. */
  readonly runs: number;
}

/**
 * The redistributions of a value: one per distinct layout that readers want, one to the end of a
 * result, and for the gradient one per distinct layout in which readers make it (planner-plain.md
 * §3, §6, §9).
 */
export function routesOf(
  value: PlannedValue,
  use: Use,
  rule: Pick<UpdateRule, "zero" | "runs">,
): readonly UsedRoute[] {
  const { runs } = rule;
  const { rest: source, update } = heldOf(value, use.source, use.gradients, rule.zero);
  const placed = value.placed === undefined ? [] : [value.placed];
  const end = value.isResult ? [endOf(value, source)] : [];
  const wanted = update === source ? withoutPartials(value, source) : update;
  const shared = use.again.filter((to) => !isApart(value, source, to));
  const forward = distinct([...use.reads, ...shared, ...placed, ...end])
    .filter((to) => to !== source)
    .map((to): UsedRoute => ({ from: source, to, phase: "forward", runs }));
  // A parameter that ZeRO 3 splits is gathered again for the backward pass of every reader.
  const isGathered = source !== use.source;
  const again = distinct(isGathered ? [...use.again, ...use.reads] : use.again)
    .filter((to) => to !== source && isApart(value, source, to))
    .map((to): UsedRoute => ({ from: source, to, phase: "backward", runs }));
  if (!value.hasGradient) return [...forward, ...again];
  const times = gradientRuns(value, use, rule);
  const backward = distinct([...use.gradients, ...placed])
    .filter((from) => from !== wanted)
    .map((from): UsedRoute => ({ from, to: wanted, ...reduction, runs: times }));
  const updated: UsedRoute[] =
    update === source ? [] : [{ from: update, to: source, ...reduction, runs: 1 }];
  return [...forward, ...again, ...backward, ...updated];
}

const reduction = { phase: "backward", isReduction: true } as const;

/**
 * The layouts in which a value is stored and updated. Stored: its layout at rest, or with ZeRO also
 * split over the axes of its gradient's sum. A split by sub-axes is not planned for; the value then
 * keeps its layout at rest.
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

/** A mesh with the axes of some routes; its devices do not matter. */
function meshOf({ options }: PlannedValue["routes"]): DeviceMesh {
  return { axes: options.axes.map(({ size }, at) => ({ name: `${at}`, size })), devices: [] };
}

/**
 * The cost of a use of a value: its redistributions, and the bytes of all copies that they make.
 */
export function weightOf(value: PlannedValue, use: Use, rule: UpdateRule): Weight {
  return weightBy(value, use, rule, (from, to) => value.routes.seconds(from, to));
}

/** `weightOf`, but redistributions whose seconds are not known yet count as their lower bound. */
export function boundOf(value: PlannedValue, use: Use, rule: UpdateRule): Weight {
  return weightBy(value, use, rule, (from, to) => value.routes.bound(from, to));
}

function weightBy(
  value: PlannedValue,
  use: Use,
  rule: UpdateRule,
  secondsOf: (from: number, to: number) => number,
): Weight {
  return covered(value, uncoveredBy(value, use, rule, secondsOf), use.cover);
}

/** The cost of a use of a value before overlap. */
export interface Uncovered extends Weight {
  readonly traffic: Readonly<Traffic>;
  /** Share of the backward pass' work that can overlap with the gradient's reduction. */
  readonly share: number;
}

/** Parts of `boundOf` that do not depend on the overlapping work. */
export function uncoveredBound(value: PlannedValue, use: Use, rule: UpdateRule): Uncovered {
  return uncoveredBy(value, use, rule, (from, to) => value.routes.bound(from, to));
}

/** Cost of a use with some overlapping work. */
export function covered(
  value: PlannedValue,
  { seconds, bytes, traffic, share }: Uncovered,
  cover: Cover | undefined,
): Weight {
  return { seconds: seconds + exposedOf(value, traffic, cover, share), bytes };
}

function uncoveredBy(
  value: PlannedValue,
  use: Use,
  rule: UpdateRule,
  secondsOf: (from: number, to: number) => number,
): Uncovered {
  const { routes, hasGradient } = value;
  const held = heldOf(value, use.source, use.gradients, rule.zero);
  const own = ownWeight(value, held, rule);
  let { bytes } = own;
  const traffic: Traffic = { forward: 0, backward: 0, reduced: 0 };
  for (const { from, to, phase, runs, isReduction } of routesOf(value, use, rule)) {
    const seconds = secondsOf(from, to) - sparedOf(value, from, to);
    traffic[isReduction === true ? "reduced" : phase] += runs * seconds;
    if (phase === "forward" && !rule.countsTurn) bytes += routes.localBytes(to);
  }
  if (rule.countsTurn) bytes += heldBytes(value, distinct(use.holds), held.rest);
  const share = gradientRuns(value, use, rule) / rule.runs;
  const { seconds } = own;
  if (!hasGradient) return { seconds, bytes, traffic, share };
  const added = accumulationSeconds(value, use, held, rule) + additions(value, use, rule);
  return { seconds: seconds + added, bytes, traffic, share };
}

/** Seconds of the redistributions of a value, grouped by the work that may overlap with them. */
interface Traffic {
  forward: number;
  backward: number;
  /** Seconds of its gradient's redistributions to the update and back. */
  reduced: number;
}

/** The launch seconds that a redistribution saves by going together with others. */
export function sparedOf({ hiding, routes }: PlannedValue, from: number, to: number): number {
  return hiding === undefined ? 0 : (1 - 1 / hiding.bucket) * routes.launch(from, to);
}

/**
 * Seconds of a value's redistributions with which nothing overlaps (cost.md §5). With several
 * micro-batches, a gradient that is reduced once overlaps only with the work of the last one.
 */
function exposedOf(
  { hiding }: PlannedValue,
  { forward, backward, reduced }: Traffic,
  cover: Cover | undefined,
  share: number,
): number {
  const all = forward + backward + reduced;
  if (hiding === undefined || !Number.isFinite(all)) return all;
  if (hiding.times === Number.POSITIVE_INFINITY) return 0;
  const left = Math.max(0, (cover?.backward ?? 0) - backward);
  return (
    Math.max(0, forward - (cover?.forward ?? 0)) +
    Math.max(0, backward - (cover?.backward ?? 0)) +
    Math.max(0, reduced - share * left)
  );
}

/** Bytes of the kept layouts of a value, without its layout at rest. */
export function heldBytes(
  { routes, source }: PlannedValue,
  layouts: readonly number[],
  rest: number,
): number {
  let bytes = 0;
  for (const layout of layouts) {
    if (source.kind !== "rest" || layout !== rest) bytes += routes.localBytes(layout);
  }
  return bytes;
}

/**
 * The cost of storing a value; for a trained parameter with its gradient, optimizer states and
 * update.
 */
export function ownWeight(
  { routes, source, hasGradient, parts = 1 }: PlannedValue,
  { rest, update }: Held,
  { pricing, zero, stateBytes, countsTurn }: UpdateRule,
): Weight {
  const own = parts * routes.localBytes(rest);
  if (countsTurn && source.kind !== "rest") return { seconds: 0, bytes: 0 };
  if (source.kind !== "rest" || !hasGradient) return { seconds: 0, bytes: own };
  const { bytesPerElement } = routes.options;
  const elements = routes.localBytes(update) / bytesPerElement;
  const whole = zero === 1 ? own : elements * bytesPerElement;
  const gradient = countsTurn ? 0 : whole;
  const bytes = own + gradient + elements * stateBytes(bytesPerElement);
  return { seconds: pricing.updateSeconds(elements, bytesPerElement), bytes };
}

/**
 * Seconds to add up the gradients that several readers make: gradients in one layout are added in
 * that layout, the sums of different layouts in the value's own.
 */
function additions(
  value: PlannedValue,
  { source, gradients }: Use,
  { pricing, runs }: UpdateRule,
): number {
  const addSeconds = (bytes: number) => runs * pricing.addSeconds(bytes);
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

function distinct(ids: readonly number[]): readonly number[] {
  return ids.length < 2 ? ids : [...new Set(ids)];
}
