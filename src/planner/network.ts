import { optimizerStateBytes } from "#core/cost";
import { type Operator, type Tensor, type TensorId, tensorsById } from "#core/ir";
import { type Choice, type ChoiceContext, choicesOf } from "./choices.ts";
import { gradientNeeds } from "./gradient-needs.ts";
import { Keys } from "./keys.ts";
import { type Known, type KnownTable, PlannerMemory } from "./planner-memory.ts";
import { modelPricing, ownPricing, type Pricing } from "./pricing.ts";
import type { PlanRequest } from "./problem.ts";
import { runAgain, withCopies, withRuns } from "./recomputed.ts";
import { sharedAdditions } from "./shared-additions.ts";
import type { ValueTable } from "./table.ts";
import { type Side, sideOf, usageIn } from "./usage.ts";
import { type UpdateRule, type Weight, weightOf } from "./value-cost.ts";
import { weighAll } from "./value-weights.ts";
import { type PlannedValue, valuesOf } from "./values.ts";

/** A variable of the network: an operator's strategy, or the layout of an input at rest. */
export interface Unknown {
  readonly seconds: Float64Array;
  readonly key: number;
}

/** A program as a network of costs: the least sum over all unknowns is the cheapest plan. */
export interface Network {
  readonly request: PlanRequest;
  readonly known: Known;
  readonly pricing: Pricing;
  readonly choices: readonly (readonly Choice[])[];
  readonly values: readonly PlannedValue[];
  /** Of operators, in their order, then of values whose layout at rest is chosen. */
  readonly unknowns: readonly Unknown[];
  readonly tables: readonly ValueTable[];
  /** Which unknown is the layout at rest of a value. */
  readonly restOf: ReadonlyMap<PlannedValue, number>;
  /** Whether some value is priced below what it costs: the least sum is then a bound alone. */
  readonly isRelaxed: boolean;
  /** Up to how many cases a value is priced as a whole. */
  readonly cases: number;
}

/**
 * The network of a request. Throws `PinConflict`, and `RangeError` where it is too large.
 *
 * @param cases up to how many a value is priced as a whole, not reader by reader
 */
export function networkOf(
  request: PlanRequest,
  memory: PlannerMemory = new PlannerMemory(),
  cases: number = wholeCases,
): Network {
  const tensors = tensorsById(request.graph);
  const needs = gradientNeeds(request);
  const tensor = (id: TensorId) => {
    const found = tensors.get(id);
    if (found === undefined) throw new Error(`no tensor ${id}`);
    return found;
  };
  const hasGradient = (id: TensorId) => needs.has(id);
  const pricing = pricingOf(request, tensor, hasGradient);
  const known = memory.for(request, () => pricing);
  const routes = (id: TensorId) => known.routes.of(tensor(id));
  const keys = new Keys(request, hasGradient, known);
  const textOf = (operator: Operator) => keys.text(operator);
  const { lone } = known;
  const once = choicesOfAll(request, keys, known, { pricing, routes, hasGradient, lone, textOf });
  const again = runAgain(request, once);
  const choices = withRuns(once, again);
  const values = withCopies(valuesOf(request, known.routes, needs), again, once);
  const { unknowns, restOf } = unknownsOf(request, values, choices, { keys, again, known });
  const rule = updateRule(request, pricing);
  const tables = values.flatMap((value) =>
    tablesOf(value, { restOf, choices, rule, keys, known, cases }),
  );
  const isRelaxed = tables.length > values.length;
  return { request, known, pricing, choices, values, unknowns, tables, restOf, isRelaxed, cases };
}

/** The same network with the seconds of redistributions that were not known when it was made. */
export function repriced(network: Network): Network {
  const { request, values, choices, restOf, known, pricing } = network;
  const needs = gradientNeeds(request);
  const keys = new Keys(request, (id) => needs.has(id), known);
  const context = { restOf, choices, rule: updateRule(request, pricing), keys, known };
  const { cases } = network;
  return { ...network, tables: values.flatMap((value) => tablesOf(value, { ...context, cases })) };
}

/** Operators of one kind have one list of choices. */
function choicesOfAll(
  request: PlanRequest,
  keys: Keys,
  known: Known,
  context: Omit<ChoiceContext, "request">,
): readonly (readonly Choice[])[] {
  return request.graph.operators.map((operator) => {
    const key = keys.operator(operator);
    const choices = known.choices.get(key) ?? choicesOf(operator, { ...context, request });
    known.choices.set(key, choices);
    return choices;
  });
}

function unknownsOf(
  { graph }: PlanRequest,
  values: readonly PlannedValue[],
  choices: readonly (readonly Choice[])[],
  { keys, again, known }: { keys: Keys; again: ReadonlySet<number>; known: Known },
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

/** What the tables of values are made from. */
interface TableContext {
  readonly restOf: ReadonlyMap<PlannedValue, number>;
  readonly choices: readonly (readonly Choice[])[];
  readonly rule: UpdateRule;
  readonly keys: Keys;
  readonly known: Known;
  readonly cases: number;
}

/** The tables of a value: those of an equal one over its own unknowns. */
function tablesOf(value: PlannedValue, context: TableContext): readonly ValueTable[] {
  const { keys, known, restOf, cases } = context;
  const own = known.tablesWithin(cases);
  const scope = scopeOf(value, restOf);
  const key = keys.value(value, scope);
  const tables = own.get(key) ?? newTables(value, scope, key, context);
  own.set(key, tables);
  return tables.map(({ places, table }) => ({
    ...table,
    scope: places.map((at) => scope[at] ?? 0),
  }));
}

/**
 * A value as the tables that price it. One with too many cases is priced reader by reader, each at
 * its share: what several want alike is paid once, so that together the shares never come to more
 * than the value costs, and the least sum stays a bound. Where all want it alike, they come to that.
 */
function newTables(
  value: PlannedValue,
  scope: readonly number[],
  key: number,
  { choices, rule, keys, cases }: TableContext,
): readonly KnownTable[] {
  const sides = scope.map((at) => sideOf(value, at, choices));
  const count = sides.reduce((product, { uses }) => product * uses.length, 1);
  if (count <= cases) {
    const places = [...scope.keys()];
    return [{ places, table: tableOf(value, sides, { rule, share: 1, key }) }];
  }
  const { source } = value;
  if (rule.zero > 0 && source.kind === "rest" && value.hasGradient) {
    throw new RangeError(`"${value.tensor.name}" has ${value.readers.length} readers`);
  }
  const readers = [...new Set(value.readers.map(({ operator }) => operator))];
  const makers = value.hasGradient ? value.readers.filter((each) => each.makesGradient) : [];
  return readers.map((reader): KnownTable => {
    const part = { ...value, readers: value.readers.filter((each) => each.operator === reader) };
    const own = scope[0] === reader || source.kind === "given" ? [] : [0];
    const places = [...own, scope.indexOf(reader)];
    const share = 1 / readers.length;
    const sum = { terms: new Set(makers.map(({ operator }) => operator)).size };
    const mine = places.map((at) => scope[at] ?? 0);
    const table = tableOf(
      part,
      mine.map((at) => sideOf(part, at, choices)),
      { rule, share, ...sum, key: keys.value(part, mine, share) },
    );
    return { places, table };
  });
}

function pricingOf(
  request: PlanRequest,
  tensor: (id: TensorId) => Tensor,
  hasGradient: (id: TensorId) => boolean,
): Pricing {
  const { mesh, model, hardware, training, forbid = [], uneven = false } = request;
  const optimizer = training?.optimizer ?? "sgd";
  const priced = { mesh, tensor, hasGradient, optimizer, forbid, uneven };
  return model === undefined ? ownPricing(hardware, priced) : modelPricing(model, priced);
}

/** What training does to parameters, under the model of a request. */
export function updateRule({ training }: PlanRequest, pricing: Pricing): UpdateRule {
  const optimizer = training?.optimizer ?? "sgd";
  // Models of single-axis steps choose the layout at rest themselves (planner-plain.md §9).
  const zero = pricing.keepsGathered ? 0 : (training?.zero ?? 0);
  const stateBytes = (bytesPerElement: number) => optimizerStateBytes(optimizer, bytesPerElement);
  return { pricing, stateBytes, zero };
}

/** The unknowns that decide what a value costs: where it comes from first, then its readers. */
function scopeOf(
  value: PlannedValue,
  restOf: ReadonlyMap<PlannedValue, number>,
): readonly number[] {
  const { source, readers } = value;
  const own = source.kind === "operator" ? source.operator : restOf.get(value);
  const others = readers.map(({ operator }) => operator);
  return [...new Set([...(own === undefined ? [] : [own]), ...others])];
}

/** Of which part of a value a table is. */
interface TablePart {
  readonly rule: UpdateRule;
  /** What share of the value it prices, and how many readers make a gradient of it. */
  readonly share: number;
  readonly terms?: number;
  readonly key: number;
}

function tableOf(
  value: PlannedValue,
  sides: readonly Side[],
  { rule, share, terms = 1, key }: TablePart,
): Omit<ValueTable, "scope"> {
  const dims = sides.map(({ uses }) => uses.length);
  const given = value.source.kind === "given" ? value.source.state : 0;
  const { seconds, bytes } = weighAll(
    value,
    sides.map(({ uses }) => uses),
    given,
    rule,
  );
  const maps = sides.map(({ map }) => map);
  if (share === 1) return { maps, dims, seconds, bytes, key };
  const part = (each: number) => each * share;
  const added = sharedAdditions(
    value,
    sides.map(({ uses }) => uses),
    rule,
    terms,
  );
  const shared = seconds.map((each, at) => each * share + (added[at] ?? 0));
  return { maps, dims, seconds: shared, bytes: bytes.map(part), key };
}

/** Cases up to which a value is priced as a whole, and up to which where that is too wide. */
export const wholeCases = 1e6;
export const fewCases = 1e4;

/** What a whole plan costs, from the definitions alone: no table takes part. */
export function evaluate(network: Network, plan: readonly number[]): Weight {
  const { choices, values, restOf, request, pricing } = network;
  const rule = updateRule(request, pricing);
  let [seconds, bytes] = [0, 0];
  for (const [at, own] of choices.entries()) seconds += own[plan[at] ?? -1]?.seconds ?? 0;
  for (const value of values) {
    const use = usageIn(value, plan, choices, restOf);
    const weight = weightOf(value, use, rule);
    seconds += weight.seconds;
    bytes += weight.bytes;
  }
  return { seconds, bytes };
}
