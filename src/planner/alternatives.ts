import type { OperatorId } from "#core/ir";
import { freeAxes, type Strategy } from "#core/plan";
import { strategyIn } from "./choices.ts";
import { lastNetworkOf, type Network, networkOf, updateRule, weighed } from "./network.ts";
import { type GivenPlan, planIn, strategyText } from "./planned.ts";
import type { PlannerMemory } from "./planner-memory.ts";
import type { PlanRequest } from "./problem.ts";
import { orderOf, solve } from "./solve.ts";
import { usageIn } from "./usage.ts";
import type { UpdateRule, Use } from "./use.ts";
import { weightOf } from "./value-cost.ts";
import { sharedWeight } from "./value-shares.ts";
import type { PlannedValue } from "./values.ts";
import type { Weight } from "./weight.ts";

/**
 * Seconds by which a program gets slower (faster below 0) with another strategy of one operator.
 */
export interface Difference {
  /** The operator's own work, its backward pass included. */
  readonly compute: number;
  /** Redistributions of its operands and of their gradients. */
  readonly before: number;
  /** Redistributions of its results to their readers, and of their gradients. */
  readonly behind: number;
}

/** A way to cut one operator of a plan, with the cost of the whole program. */
export interface PlanAlternative {
  readonly strategy: Strategy;
  /** Text of the cut: `m over dp`. */
  readonly text: string;
  readonly isChosen: boolean;
  /** Seconds with all other operators unchanged; layouts at rest are chosen anew. */
  readonly seconds: number;
  /** Bytes of one device under the model. */
  readonly bytes: number;
  /** The difference to the plan's own strategy. */
  readonly difference: Difference;
  /** Seconds with everything else planned anew; absent if not requested. */
  readonly replannedSeconds?: number;
}

/** A plan within the network of all strategies of its operators, without pins. */
export interface Comparison {
  readonly network: Network;
  readonly plan: readonly number[];
  readonly weight: Weight;
  /**
   * The first operator with a strategy that the planner does not consider; it is priced as whole.
   */
  readonly foreign?: OperatorId;
}

/** A plan to compare with other choices. Throws `RangeError` if the program is too large. */
export function comparisonOf(
  request: PlanRequest,
  given: GivenPlan,
  memory?: PlannerMemory,
): Comparison {
  const network = freeNetwork(request, memory);
  const { plan, foreign } = planIn(network, given);
  const weight = weighed(network, plan);
  return { network, plan, weight, ...(foreign !== undefined && { foreign }) };
}

/** Network without the pins; with the pins if it is otherwise too large. */
function freeNetwork(request: PlanRequest, memory?: PlannerMemory): Network {
  const known = request.pins.size === 0 ? lastNetworkOf(request) : undefined;
  if (known !== undefined) return known;
  try {
    return networkOf({ ...request, pins: new Map() }, memory);
  } catch (error) {
    if (error instanceof RangeError && request.pins.size > 0) return networkOf(request, memory);
    throw error;
  }
}

/**
 * All ways to cut one operator of a plan, ordered by the seconds of the whole program; with equal
 * seconds by bytes. The plan's own strategy is among them.
 *
 * @param replans number of alternatives, from the first on, for which everything else is planned
 * anew
 */
export function alternativesOf(
  { network, plan, weight }: Comparison,
  operator: OperatorId,
  replans = 0,
): readonly PlanAlternative[] {
  const { graph, mesh } = network.request;
  const at = graph.operators.findIndex(({ id }) => id === operator);
  const around = surroundingsOf(network, plan, at);
  const priced = (network.choices[at] ?? []).map((choice, number): Numbered => {
    const { difference, bytes } = differenceOf(network, plan, around, number);
    const seconds = weight.seconds + difference.compute + difference.before + difference.behind;
    const strategy = strategyIn(choice.strategy, mesh);
    const isChosen = number === plan[at];
    const text = strategyText(strategy);
    return { strategy, text, isChosen, seconds, bytes: weight.bytes + bytes, difference, number };
  });
  const sorted = priced
    .filter(({ seconds }) => Number.isFinite(seconds))
    .sort((a, b) => a.seconds - b.seconds || a.bytes - b.bytes || a.number - b.number);
  const replanned = replans === 0 ? () => 0 : replanner(network, at);
  return sorted.map(({ number, ...alternative }, place) =>
    place < replans ? { ...alternative, replannedSeconds: replanned(number) } : alternative,
  );
}

/** An identifier of an operator that a mesh axis cannot cut, and why. */
export interface UnavailableCut {
  readonly identifier: string;
  readonly axis: string;
  readonly why: string;
}

/** The identifiers of an operator that no plan cuts, with the rule that forbids each. */
export function unavailableCuts(
  { network }: Comparison,
  operator: OperatorId,
): readonly UnavailableCut[] {
  const { graph, mesh } = network.request;
  const at = graph.operators.findIndex(({ id }) => id === operator);
  const own = graph.operators[at];
  if (own === undefined) return [];
  const free = new Set(freeAxes(own));
  return own.axes.flatMap(({ name: identifier, size, reduction }) =>
    mesh.axes.flatMap((axis, place): readonly UnavailableCut[] => {
      const isThere = (network.choices[at] ?? []).some(({ strategy }) =>
        strategy.cuts.get(identifier)?.includes(place),
      );
      if (axis.size === 1 || isThere) return [];
      const why =
        reduction === "^"
          ? `${identifier} is frozen: each device needs it whole`
          : !free.has(identifier)
            ? `${identifier} stands behind another one in brackets, or a result lacks it`
            : `${axis.size} does not divide ${size}`;
      return [{ identifier, axis: axis.name, why }];
    }),
  );
}

type Numbered = PlanAlternative & { readonly number: number };

/** The least seconds of all plans in which an operator has a given choice. */
function replanner(network: Network, at: number): (choice: number) => number {
  const order = knownOrderOf(network);
  return (choice) => {
    const unknowns = network.unknowns.map((unknown, place) => {
      if (place !== at) return unknown;
      const seconds = unknown.seconds.map((each, number) =>
        number === choice ? each : Number.POSITIVE_INFINITY,
      );
      return { seconds, key: network.known.numberOf(`${unknown.key} stands at ${choice}`) };
    });
    const outcome = solve({ ...network, unknowns }, undefined, order);
    return outcome.kind === "found" ? outcome.found.seconds : Number.POSITIVE_INFINITY;
  };
}

const orders = new WeakMap<Network, readonly number[]>();

/**
 * The elimination order of a network, the same for all replannings: only one operator's choices
 * differ.
 */
function knownOrderOf(network: Network): readonly number[] {
  const order = orders.get(network) ?? orderOf(network);
  orders.set(network, order);
  return order;
}

/** A value and its cost under the plan. */
interface Around {
  readonly value: PlannedValue;
  readonly now: Weight;
}

/** An operator with the values that it makes or reads. */
interface Surroundings {
  readonly at: number;
  readonly reads: readonly Around[];
  readonly makes: readonly Around[];
}

function surroundingsOf(network: Network, plan: readonly number[], at: number): Surroundings {
  const { values, request, pricing } = network;
  const rule = updateRule(request, pricing);
  const around = (wanted: readonly PlannedValue[]) =>
    wanted.map((value) => ({
      value,
      now: sharedWeight(network, value, plan, rule),
    }));
  const reads = values.filter(({ readers }) => readers.some(({ operator }) => operator === at));
  const makes = values.filter(({ source }) => source.kind === "operator" && source.operator === at);
  return { at, reads: around(reads), makes: around(makes) };
}

function differenceOf(
  network: Network,
  plan: readonly number[],
  { at, reads, makes }: Surroundings,
  choice: number,
): { readonly difference: Difference; readonly bytes: number } {
  const { choices, request, pricing } = network;
  const rule = updateRule(request, pricing);
  if (choice === plan[at]) return { difference: { compute: 0, before: 0, behind: 0 }, bytes: 0 };
  const other = plan.with(at, choice);
  const secondsOf = (number: number) => choices[at]?.[number]?.seconds ?? 0;
  const changes = (values: readonly Around[]) =>
    values
      .map((each) => changeOf(network, each, other, rule))
      .reduce((sum, each) => added(sum, each), { seconds: 0, bytes: 0 });
  const [before, behind] = [changes(reads), changes(makes)];
  const compute = secondsOf(choice) - secondsOf(plan[at] ?? 0);
  return {
    difference: { compute, before: before.seconds, behind: behind.seconds },
    bytes: before.bytes + behind.bytes,
  };
}

function changeOf(
  network: Network,
  { value, now }: Around,
  other: readonly number[],
  rule: UpdateRule,
): Weight {
  const { choices, restOf } = network;
  const best = atRest(value, usageIn(value, other, choices, restOf), rule);
  return { seconds: best.seconds - now.seconds, bytes: best.bytes - now.bytes };
}

/** Cost of a use; if the layout at rest may be chosen, with the best one. */
function atRest(value: PlannedValue, use: Use, rule: UpdateRule): Weight {
  const here = weightOf(value, use, rule);
  if (value.source.kind !== "rest") return here;
  let best = here;
  for (const source of value.source.states) {
    const weight = weightOf(value, { ...use, source }, rule);
    if (weight.seconds < best.seconds * (1 - 1e-12)) best = weight;
  }
  return best;
}

function added(a: Weight, b: Weight): Weight {
  return { seconds: a.seconds + b.seconds, bytes: a.bytes + b.bytes };
}
