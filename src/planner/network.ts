import { optimizerStateBytes } from "#core/cost";
import { type Operator, type Tensor, type TensorId, tensorsById } from "#core/ir";
import { type Choice, choicesOf } from "./choices.ts";
import { gradientNeeds } from "./gradient-needs.ts";
import { Keys } from "./keys.ts";
import { modelPricing, ownPricing, type Pricing } from "./pricing.ts";
import type { PlanRequest } from "./problem.ts";
import { type UpdateRule, type Use, type Weight, weightOf } from "./value-cost.ts";
import { weighAll } from "./value-weights.ts";
import { type PlannedValue, type Reader, RouteTables, valuesOf } from "./values.ts";

/** A variable of the network: an operator's strategy, or the layout of an input at rest. */
export interface Unknown {
  readonly seconds: Float64Array;
  readonly key: number;
}

/** The seconds and bytes of one value, over the unknowns that decide them (see `Table`). */
export interface ValueTable {
  readonly scope: readonly number[];
  readonly maps: readonly Int32Array[];
  readonly dims: readonly number[];
  readonly seconds: Float64Array;
  readonly bytes: Float64Array;
  readonly key: number;
}

/** A program as a network of costs: the least sum over all unknowns is the cheapest plan. */
export interface Network {
  readonly request: PlanRequest;
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
}

/** The network of a request. Throws `PinConflict`, and `RangeError` where it is too large. */
export function networkOf(request: PlanRequest): Network {
  const tensors = tensorsById(request.graph);
  const needs = gradientNeeds(request);
  const tensor = (id: TensorId) => {
    const found = tensors.get(id);
    if (found === undefined) throw new Error(`no tensor ${id}`);
    return found;
  };
  const hasGradient = (id: TensorId) => needs.has(id);
  const pricing = pricingOf(request, tensor, hasGradient);
  const tables = new RouteTables(pricing);
  const routes = (id: TensorId) => tables.of(tensor(id));
  const context = { request, pricing, routes, hasGradient };
  const rule = updateRule(request, pricing);
  const keys = new Keys(request, context.hasGradient);
  const { operators } = request.graph;
  const choices = choicesByKind(operators, keys, (operator) => choicesOf(operator, context));
  const values = valuesOf(request, tables, needs);
  const restOf = new Map<PlannedValue, number>();
  const unknowns: Unknown[] = operators.map((operator, at) => ({
    seconds: Float64Array.from(choices[at] ?? [], ({ seconds }) => seconds),
    key: keys.operator(operator),
  }));
  for (const value of values) {
    if (value.source.kind !== "rest") continue;
    restOf.set(value, unknowns.length);
    const { states } = value.source;
    unknowns.push({ seconds: new Float64Array(states.length), key: keys.rest(value) });
  }
  const known = new Map<number, ValueTable>();
  const built = values.flatMap((value): readonly ValueTable[] =>
    partsOf(value, restOf, choices, rule).map(({ part, scope, share }) => {
      const key = keys.value(part, scope, share);
      const like = known.get(key);
      if (like !== undefined) return { ...like, scope };
      const table = tableOf(part, scope, choices, { rule, share, key });
      known.set(key, table);
      return table;
    }),
  );
  const isRelaxed = built.length > values.length;
  return { request, pricing, choices, values, unknowns, tables: built, restOf, isRelaxed };
}

/** A value as one table, or a share of it for one of its readers. */
interface Part {
  readonly part: PlannedValue;
  readonly scope: readonly number[];
  readonly share: number;
}

/**
 * A value as the tables that price it. One with too many cases is priced reader by reader, each at
 * its share: what several want alike is paid once, so that together the shares never come to more
 * than the value costs, and the least sum stays a bound.
 */
function partsOf(
  value: PlannedValue,
  restOf: ReadonlyMap<PlannedValue, number>,
  choices: readonly (readonly Choice[])[],
  { zero }: UpdateRule,
): readonly Part[] {
  const scope = scopeOf(value, restOf);
  const cases = scope.reduce((product, at) => product * sideOf(value, at, choices).uses.length, 1);
  if (cases <= tableLimit) return [{ part: value, scope, share: 1 }];
  if (zero > 0 && value.source.kind === "rest" && value.hasGradient) {
    throw new RangeError(`"${value.tensor.name}" has ${value.readers.length} readers`);
  }
  const readers = [...new Set(value.readers.map(({ operator }) => operator))];
  return readers.map((reader): Part => {
    const part = { ...value, readers: value.readers.filter((each) => each.operator === reader) };
    const own = scope[0] === reader || value.source.kind === "given" ? [] : scope.slice(0, 1);
    return { part, scope: [...own, reader], share: 1 / readers.length };
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

/** Operators of one kind have one list of choices. */
function choicesByKind(
  operators: readonly Operator[],
  keys: Keys,
  of: (operator: Operator) => readonly Choice[],
): readonly (readonly Choice[])[] {
  const known = new Map<number, readonly Choice[]>();
  return operators.map((operator) => {
    const key = keys.operator(operator);
    const choices = known.get(key) ?? of(operator);
    known.set(key, choices);
    return choices;
  });
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

/** What one unknown says of a value: classes of its values that say the same. */
interface Side {
  readonly map: Int32Array;
  readonly uses: readonly Partial<Use>[];
}

function tableOf(
  value: PlannedValue,
  scope: readonly number[],
  choices: readonly (readonly Choice[])[],
  { rule, share, key }: { readonly rule: UpdateRule; readonly share: number; readonly key: number },
): ValueTable {
  const sides = scope.map((at) => sideOf(value, at, choices));
  const dims = sides.map(({ uses }) => uses.length);
  const given = value.source.kind === "given" ? value.source.state : 0;
  const { seconds, bytes } = weighAll(
    value,
    sides.map(({ uses }) => uses),
    given,
    rule,
  );
  const maps = sides.map(({ map }) => map);
  if (share === 1) return { scope, maps, dims, seconds, bytes, key };
  const part = (each: number) => each * share;
  return { scope, maps, dims, seconds: seconds.map(part), bytes: bytes.map(part), key };
}

/** Entries of one table beyond which a value is priced reader by reader. */
const tableLimit = 5e6;

function sideOf(value: PlannedValue, at: number, choices: readonly (readonly Choice[])[]): Side {
  const { source, readers } = value;
  if (source.kind === "rest" && at >= choices.length) {
    return { map: Int32Array.from(source.states.keys()), uses: source.states.map(restUse) };
  }
  const own = choices[at] ?? [];
  const output = source.kind === "operator" && source.operator === at ? source.output : undefined;
  const mine = readers.filter(({ operator }) => operator === at);
  return classed(own.map((choice) => usageOf(value, choice, output, mine)));
}

function restUse(source: number): Partial<Use> {
  return { source };
}

/** What a choice says of a value: where it leaves it, how it reads it, where it makes its gradient. */
function usageOf(
  { hasGradient, tensor }: PlannedValue,
  choice: Choice,
  output: number | undefined,
  readers: readonly Reader[],
): Partial<Use> {
  const source = output === undefined ? undefined : choice.makes[output];
  const reads = readers.map(({ position }) => choice.reads[position] ?? 0);
  const makes = readers.filter(({ makesGradient }) => hasGradient && makesGradient);
  const gradients = statesAt(choice.gradients, makes);
  const again = tensor.role === "parameter" ? statesAt(choice.again, readers) : [];
  const more = tensor.role === "parameter" ? [] : statesAt(choice.again, readers);
  const from = source === undefined ? {} : { source };
  return { ...from, reads: [...reads, ...more], gradients: distinctOf(gradients), again };
}

/** The states that a choice names at the positions of some readers, where it names one. */
function statesAt(states: readonly number[], readers: readonly Reader[]): readonly number[] {
  return readers.flatMap(({ position }) => {
    const state = states[position] ?? -1;
    return state < 0 ? [] : [state];
  });
}

/** One operator adds up its own gradients of a tensor that it reads twice. */
function distinctOf(states: readonly number[]): readonly number[] {
  return states.length < 2 ? states : [...new Set(states)];
}

function classed(uses: readonly Partial<Use>[]): Side {
  const known = new Map<string, number>();
  const distinct: Partial<Use>[] = [];
  const map = Int32Array.from(uses, (use) => {
    const key = [use.source, use.reads, use.gradients, use.again].join("|");
    const found = known.get(key) ?? distinct.push(use) - 1;
    known.set(key, found);
    return found;
  });
  return { map, uses: distinct };
}

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

/** How a value is used under a whole plan. */
export function usageIn(
  value: PlannedValue,
  plan: readonly number[],
  choices: readonly (readonly Choice[])[],
  restOf: ReadonlyMap<PlannedValue, number>,
): Use {
  const { source, readers } = value;
  const chosen = (at: number) => choices[at]?.[plan[at] ?? -1];
  const uses = readers.flatMap((reader) => {
    const choice = chosen(reader.operator);
    return choice === undefined ? [] : [usageOf(value, choice, undefined, [reader])];
  });
  const own =
    source.kind === "operator"
      ? chosen(source.operator)?.makes[source.output]
      : source.kind === "given"
        ? source.state
        : source.states[plan[restOf.get(value) ?? -1] ?? -1];
  return {
    source: own ?? 0,
    reads: uses.flatMap(({ reads = [] }) => reads),
    gradients: uses.flatMap(({ gradients = [] }) => gradients),
    again: uses.flatMap(({ again = [] }) => again),
  };
}
