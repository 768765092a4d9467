import type { Choice } from "./choices.ts";
import type { Keys } from "./keys.ts";
import { usageIn } from "./usage.ts";
import type { UpdateRule, Use } from "./use.ts";
import { routesOf, type UsedRoute, weightOf } from "./value-cost.ts";
import type { PlannedValue } from "./values.ts";
import type { Weight } from "./weight.ts";

/** A value of a network: the unknowns that decide its cost, and the key of its tables. */
export interface ValueShare {
  /** Unknown of the value's source, if it has one, then the unknowns of its readers. */
  readonly scope: readonly number[];
  readonly key: number;
  /** Uses computed for it or its equals, by the values of the scope's unknowns. */
  readonly known: Map<string, KnownUse>;
}

/** A use of equal values, and the results for it. */
interface KnownUse {
  readonly use: Use;
  weight?: Weight;
  routes?: readonly UsedRoute[];
}

/** The shares of all values of a network; equal values share their results. */
export function sharesOf(
  values: readonly PlannedValue[],
  restOf: ReadonlyMap<PlannedValue, number>,
  keys: Keys,
): ReadonlyMap<PlannedValue, ValueShare> {
  const known = new Map<number, ValueShare["known"]>();
  return new Map(
    values.map((value) => {
      const scope = scopeOf(value, restOf);
      const key = keys.value(value, scope);
      const uses: ValueShare["known"] = known.get(key) ?? new Map();
      known.set(key, uses);
      return [value, { scope, key, known: uses }];
    }),
  );
}

/** The unknowns on which a value's cost depends: its source first, then its readers. */
function scopeOf(
  value: PlannedValue,
  restOf: ReadonlyMap<PlannedValue, number>,
): readonly number[] {
  const { source, readers } = value;
  const own = source.kind === "operator" ? source.operator : restOf.get(value);
  const others = readers.map(({ operator }) => operator);
  return [...new Set([...(own === undefined ? [] : [own]), ...others])];
}

/**
 * Key text of a value under a plan from the view of one unknown. Equal values with equal choices,
 * read or made alike by the unknown, have equal texts, whichever of several equal readers the
 * unknown is.
 */
export function valueAsMet(
  { source, readers }: PlannedValue,
  { scope, key }: Pick<ValueShare, "scope" | "key">,
  plan: readonly number[],
  at: number,
): string {
  const made = source.kind === "operator" && source.operator === at ? "made" : "";
  let text = `${key}(`;
  for (const unknown of scope) text += `${plan[unknown]},`;
  text += made;
  for (const { operator, position, makesGradient, pass, isRunAgain } of readers) {
    if (operator !== at) continue;
    text += ` ${position}${makesGradient ? "'" : ""}${pass ?? ""}${isRunAgain === true ? "!" : ""}`;
  }
  return text;
}

/** The parts of a network from which a plan is weighed. */
export interface Weighable {
  readonly choices: readonly (readonly Choice[])[];
  readonly restOf: ReadonlyMap<PlannedValue, number>;
  readonly shares: ReadonlyMap<PlannedValue, ValueShare>;
}

/** `usageIn`, computed once for equal values with equal choices. */
export function sharedUse(network: Weighable, value: PlannedValue, plan: readonly number[]): Use {
  return knownUse(network, value, plan).use;
}

/** `weightOf` the use of a value under a plan, computed once for equal uses. */
export function sharedWeight(
  network: Weighable,
  value: PlannedValue,
  plan: readonly number[],
  rule: UpdateRule,
): Weight {
  const known = knownUse(network, value, plan);
  known.weight ??= weightOf(value, known.use, rule);
  return known.weight;
}

/** `routesOf` the use of a value under a plan, computed once for equal uses. */
export function sharedRoutes(
  network: Weighable,
  value: PlannedValue,
  plan: readonly number[],
  rule: UpdateRule,
): readonly UsedRoute[] {
  const known = knownUse(network, value, plan);
  known.routes ??= routesOf(value, known.use, rule);
  return known.routes;
}

function knownUse(
  { choices, restOf, shares }: Weighable,
  value: PlannedValue,
  plan: readonly number[],
): KnownUse {
  const share = shares.get(value);
  if (share === undefined) return { use: usageIn(value, plan, choices, restOf) };
  let name = "";
  for (const at of share.scope) name += `${plan[at]},`;
  const found = share.known.get(name) ?? { use: usageIn(value, plan, choices, restOf) };
  share.known.set(name, found);
  return found;
}
