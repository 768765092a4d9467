import { optimizerStateBytes } from "#core/cost";
import { type DType, type Operator, type Tensor, type TensorId, tensorsById } from "#core/ir";
import { withStrides } from "#core/ir/storages";
import { graphOfRun } from "#core/plan";
import { fieldOf, required } from "#core/records";
import type { PlanReshard } from "#core/reshard";
import { computedGraph, type UpdateBytes, updateBytes } from "#core/training";
import { type Cases, wholeCases } from "./cases.ts";
import type { Choice } from "./choices.ts";
import { choicesOfAll, floorOf } from "./choices-of-all.ts";
import { gradientNeeds } from "./gradient-needs.ts";
import { hiddenWeights, hidesWeights } from "./hidden-weights.ts";
import { type JoinedAxes, joinedAxes, joinedRest } from "./joined-axes.ts";
import { Keys } from "./keys.ts";
import { type MeshMemory, PlannerMemory } from "./planner-memory.ts";
import { modelPricing, ownPricing, type Pricing } from "./pricing.ts";
import type { PlanRequest } from "./problem.ts";
import { runAgain, withCopies, withRuns } from "./recomputed.ts";
import type { ValueTable } from "./table.ts";
import { usageIn } from "./usage.ts";
import type { UpdateRule } from "./use.ts";
import { weightOf } from "./value-cost.ts";
import { sharedWeight, sharesOf, type ValueShare } from "./value-shares.ts";
import { tablesOf } from "./value-tables.ts";
import { type PlannedValue, valuesOf } from "./values.ts";
import type { Weight } from "./weight.ts";

/** A variable of the network: an operator's strategy, or the layout of an input at rest. */
export interface Unknown {
  readonly seconds: Float64Array;
  readonly key: number;
}

/** A program as a network of costs: the least sum over all unknowns is the cheapest plan. */
export interface Network {
  readonly request: PlanRequest;
  readonly known: MeshMemory;
  readonly pricing: Pricing;
  readonly choices: readonly (readonly Choice[])[];
  readonly values: readonly PlannedValue[];
  /** The operators in order, then the values whose layout at rest is chosen. */
  readonly unknowns: readonly Unknown[];
  readonly tables: readonly ValueTable[];
  /** For each value whose layout at rest is chosen, the unknown for that layout. */
  readonly restOf: ReadonlyMap<PlannedValue, number>;
  /** Whether some value is priced below its cost, so that the least sum is only a lower bound. */
  readonly isRelaxed: boolean;
  /** The way in which values with several readers are priced. */
  readonly cases: Cases;
  /** For each value with a hub, the hub's unknown (see `Hub`). */
  readonly hubOf: ReadonlyMap<PlannedValue, number>;
  /** The prices of each value; equal values share the figures computed from them. */
  readonly shares: ReadonlyMap<PlannedValue, ValueShare>;
  /**
   * Lower bound of the seconds of any plan: the least time of its operators alone. Known for a
   * network that leaves strategies out, and for a training step, whose traffic a schedule may hide.
   */
  readonly floor?: number;
  /** The groups of axes by which its strategies cut. */
  readonly joined?: JoinedAxes;
}

/**
 * The network of a request. Throws `PinConflict`, and `RangeError` if it is too large.
 *
 * @param cases the way to price values with several readers
 * @param beside factor on the work of all operators that runs beside the traffic of weights
 */
export function networkOf(
  asked: PlanRequest,
  memory: PlannerMemory = new PlannerMemory(),
  cases: Cases = wholeCases(asked),
  beside = 1,
): Network {
  const request = inRuns(asked);
  const tensors = tensorsById(request.graph);
  const needs = gradientNeeds(request);
  const tensor = (id: TensorId) => {
    return required(tensors, id, "tensor");
  };
  const hasGradient = (id: TensorId) => needs.has(id);
  const pricing = pricingOf(request, tensor, hasGradient, memory.planReshard);
  const known = memory.for(request, () => pricing, cases.groups);
  const routes = (id: TensorId) => known.routes.of(tensor(id));
  const keys = new Keys(request, hasGradient, known);
  const textOf = (operator: Operator) => keys.text(operator);
  const { lone } = known;
  const runs = runCount(request);
  const joined = cases.groups === undefined ? undefined : joinedOf(request, cases.groups);
  const alone = { request, pricing, runs, routes, hasGradient, lone, textOf, joined };
  const once = choicesOfAll(keys, known, alone);
  const again = runAgain(request, once, hasGradient);
  const choices = withRuns(once, again.all);
  const own = valuesOf(request, known.routes, needs);
  const kept = joined === undefined ? own : own.map((value) => joinedRest(value, joined));
  const all = withCopies(kept, again, once);
  const values = hidesWeights(request) ? hiddenWeights(all, choices, beside) : all;
  const { unknowns, restOf } = unknownsOf(request, values, choices, {
    keys,
    again: again.all,
    known,
  });
  const rule = updateRule(request, pricing);
  const hubOf = new Map<PlannedValue, number>();
  const hubFor = (value: PlannedValue, key: number, size: number) => {
    const place = hubOf.get(value) ?? unknowns.length;
    if (!hubOf.has(value)) {
      unknowns.push({ seconds: new Float64Array(size), key: known.numberOf(`hub|${key}`) });
    }
    hubOf.set(value, place);
    return place;
  };
  const shares = sharesOf(values, restOf, keys);
  const context = { shares, choices, rule, keys, known, cases, hubFor };
  const tables = values.flatMap((value) => tablesOf(value, context));
  const isRelaxed = tables.length > values.length || cases.isBounded === true;
  const found = { request, known, pricing, choices, values, unknowns, tables };
  const floor = {
    ...((joined !== undefined || hidesWeights(request)) && { floor: floorOf(keys, alone) }),
    ...(joined !== undefined && { joined }),
  };
  const network = { ...found, restOf, isRelaxed, cases, hubOf, shares, ...floor };
  lastNetworks.set(asked, network);
  return network;
}

const lastNetworks = new WeakMap<PlanRequest, Network>();

/** The last network made for a request, if there was one. */
export function lastNetworkOf(request: PlanRequest): Network | undefined {
  return lastNetworks.get(request);
}

/**
 * A request for the program of one micro-batch, in the types in which it computes, with the strides
 * of all tensors.
 */
function inRuns(request: PlanRequest): PlanRequest {
  const { graph, mesh, microbatches, model, training } = request;
  if (model !== undefined) return request;
  const typed = training === undefined ? graph : computedGraph(graph, mesh, training);
  const ofRun = microbatches === undefined ? typed : graphOfRun(typed, microbatches);
  const lying = withStrides(ofRun);
  return lying === graph ? request : { ...request, graph: lying };
}

/** Number of forward and backward passes; models of single-axis steps assume one batch. */
function runCount({ microbatches, model }: PlanRequest): number {
  return model === undefined ? (microbatches?.count ?? 1) : 1;
}

/** Network with all seconds of redistributions that are known by now. */
export function repriced(network: Network): Network {
  const { request, values, choices, restOf, known, pricing } = network;
  const needs = gradientNeeds(request);
  const keys = new Keys(request, (id) => needs.has(id), known);
  const { cases, hubOf } = network;
  const hubFor = (value: PlannedValue) => hubOf.get(value) ?? -1;
  const rule = updateRule(request, pricing);
  const shares = sharesOf(values, restOf, keys);
  const context = { shares, choices, rule, keys, known, cases, hubFor };
  return { ...network, shares, tables: values.flatMap((value) => tablesOf(value, context)) };
}

function joinedOf({ mesh }: PlanRequest, groups: number) {
  return joinedAxes(
    mesh.axes.map(({ size }) => size),
    groups,
  );
}

function unknownsOf(
  { graph }: PlanRequest,
  values: readonly PlannedValue[],
  choices: readonly (readonly Choice[])[],
  { keys, again, known }: { keys: Keys; again: ReadonlySet<number>; known: MeshMemory },
) {
  const restOf = new Map<PlannedValue, number>();
  const costs = new Map<readonly Choice[], Float64Array>();
  const unknowns: Unknown[] = graph.operators.map((operator, at) => {
    const own = choices[at] ?? [];
    const seconds = costs.get(own) ?? Float64Array.from(own, (choice) => choice.seconds);
    costs.set(own, seconds);
    const key = keys.operator(operator);
    return { seconds, key: again.has(at) ? known.numberOf(`again|${key}`) : key };
  });
  for (const value of values) {
    if (value.source.kind !== "rest") continue;
    restOf.set(value, unknowns.length);
    const { states } = value.source;
    unknowns.push({ seconds: new Float64Array(states.length), key: keys.rest(value) });
  }
  return { unknowns, restOf };
}

function pricingOf(
  request: PlanRequest,
  tensor: (id: TensorId) => Tensor,
  hasGradient: (id: TensorId) => boolean,
  planReshard: PlanReshard,
): Pricing {
  const { mesh, model, hardware, training, forbid = [], uneven = false } = request;
  const movedBytes = (bytesPerElement: number) => updateOf(training, bytesPerElement).moved;
  const operators = request.graph.operators.length;
  const priced = { mesh, tensor, hasGradient, movedBytes, forbid, uneven, operators };
  return model === undefined
    ? ownPricing(hardware, priced, planReshard)
    : modelPricing(model, priced);
}

/** The rule by which training stores and updates parameters, under the model of a request. */
export function updateRule(request: PlanRequest, pricing: Pricing): UpdateRule {
  const { training } = request;
  const optimizer = training?.optimizer ?? "sgd";
  // Models of single-axis steps choose the layout at rest themselves (planner-plain.md §9).
  const zero = pricing.keepsGathered ? 0 : (training?.zero ?? 0);
  const stateBytes = (bytesPerElement: number) =>
    request.model === undefined
      ? updateOf(training, bytesPerElement).kept
      : optimizerStateBytes(optimizer, bytesPerElement);
  const countsTurn = request.model === undefined && training !== undefined;
  return { pricing, stateBytes, zero, runs: runCount(request), countsTurn };
}

/**
 * Bytes of an update under the policy of a step; the written type follows from the width of floats.
 */
function updateOf(training: PlanRequest["training"], bytesPerElement: number): UpdateBytes {
  const written = { 1: "f8e4m3", 2: "bf16", 8: "f64" } as const;
  const dtype = fieldOf<DType>(written, String(bytesPerElement)) ?? "f32";
  return updateBytes(training ?? { optimizer: "sgd" }, dtype);
}

/**
 * Weight of a whole plan from the definitions alone, without tables and without sharing between
 * equal values.
 */
export function evaluate(network: Network, plan: readonly number[]): Weight {
  const { choices, restOf } = network;
  return summed(network, plan, (value, rule) =>
    weightOf(value, usageIn(value, plan, choices, restOf), rule),
  );
}

/** `evaluate` for searches: equal values with equal choices are weighed once. */
export function weighed(network: Network, plan: readonly number[]): Weight {
  return summed(network, plan, (value, rule) => sharedWeight(network, value, plan, rule));
}

function summed(
  { choices, values, request, pricing }: Network,
  plan: readonly number[],
  weigh: (value: PlannedValue, rule: UpdateRule) => Weight,
): Weight {
  const rule = updateRule(request, pricing);
  let [seconds, bytes] = [0, 0];
  for (const [at, own] of choices.entries()) seconds += own[plan[at] ?? -1]?.seconds ?? 0;
  for (const value of values) {
    const weight = weigh(value, rule);
    seconds += weight.seconds;
    bytes += weight.bytes;
  }
  return { seconds, bytes };
}
