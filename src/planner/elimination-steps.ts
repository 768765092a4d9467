import { product } from "#core/arithmetic";
import { stepClasses } from "./classes.ts";
import type { EliminationMemory } from "./elimination-memory.ts";
import { EliminationOrder } from "./elimination-order.ts";
import { hubTableOf } from "./hub-elimination.ts";
import type { Shape, Variable } from "./table.ts";
import { TooWide } from "./too-wide.ts";

/**
 * Elimination of a variable before its costs are computed: the scopes of its tables and of the
 * result.
 */
export interface Step {
  readonly variable: number;
  /** Its neighbours, in rising order. */
  readonly scope: readonly number[];
  /** The tables of the variable; those made by earlier steps have no costs yet. */
  readonly inputs: readonly Shape[];
  /** A name of the inputs: steps with equal names have equal results, and one key. */
  readonly name: string;
  readonly key: number;
  /** The result as a table of the neighbours; absent without neighbours. */
  readonly left?: Shape;
}

/** All eliminations of a network, in order. */
export interface Steps {
  readonly steps: readonly Step[];
  /** All variables in elimination order, including those that stay. */
  readonly order: readonly number[];
  /** Variables whose elimination would take too many entries, and the tables between them. */
  readonly stays: readonly number[];
  readonly rest: readonly Shape[];
}

export interface StepOptions {
  /** Results of earlier networks, whose classes are known; it gives new results their keys. */
  readonly memory: EliminationMemory;
  /** The order to follow, from a network with the same scopes. */
  readonly order?: readonly number[] | undefined;
  /** The most entries for eliminating one variable. */
  readonly limit: number;
  /** Whether a variable beyond the limit stays; otherwise the network counts as too wide. */
  readonly mayStay: boolean;
}

/** The scope and key of the table that an elimination leaves. */
type Result = Pick<Shape, "maps" | "dims" | "key">;

/** The most entries of the table after one elimination beside a hub. */
const hubLimit = 2e7;

/** The most entries of all results together, at 12 bytes each. */
const heldLimit = 1.2e7;

/**
 * The order in which variables are eliminated, and the classes of every step. Sizes follow from the
 * scopes and classes of tables alone, so a network that is too wide is recognised before any cost
 * is computed.
 *
 * @throws TooWide if one result, or all together, have too many entries
 */
export function stepsOf(
  variables: readonly Variable[],
  tables: readonly Shape[],
  { memory, order, limit, mayStay }: StepOptions,
): Steps {
  const live = liveTables(variables.length, tables);
  const turns = order === undefined ? new EliminationOrder(variables, live) : followed(order);
  const results = new Map<string, Result>();
  const steps: Step[] = [];
  const stays: number[] = [];
  const taken: number[] = [];
  let entries = 0;
  for (let next = turns.take(); next !== undefined; next = turns.take()) {
    taken.push(next);
    const inputs = [...(live[next] ?? [])];
    const scope = neighboursIn(inputs, next);
    const name = nameOf(variables[next], scope, inputs);
    // Equal parts share one result.
    const known = results.get(name);
    const result =
      known ??
      memory.messages.get(name) ??
      resultOf(next, scope, variables, { inputs, limit, memory });
    if (result === undefined) {
      if (!mayStay) throw new TooWide();
      stays.push(next);
      continue;
    }
    if (known === undefined) entries += entriesOf(result);
    results.set(name, result);
    if (entries > heldLimit) throw new TooWide();
    const { maps, dims, key } = result;
    const left = scope.length === 0 ? undefined : { scope, maps, dims, key };
    steps.push({ variable: next, scope, inputs, name, key, ...(left && { left }) });
    for (const table of inputs) for (const at of table.scope) live[at]?.delete(table);
    if (left !== undefined) for (const at of scope) live[at]?.add(left);
    turns.changed(scope);
  }
  const rest = [...new Set(stays.flatMap((at) => [...(live[at] ?? [])]))];
  return { steps, order: taken, stays: stays.sort((a, b) => a - b), rest };
}

/** The scope of a new result; `undefined` if computing it takes too many entries. */
function resultOf(
  variable: number,
  scope: readonly number[],
  variables: readonly Variable[],
  { inputs, limit, memory }: Pick<StepOptions, "limit" | "memory"> & Pick<Step, "inputs">,
): Result | undefined {
  const { own, joints } = stepClasses(variable, scope, variables, inputs);
  const dims = joints.map(({ count }) => count);
  const entries = entriesOf({ dims });
  if (hubTableOf(variable, inputs) === undefined) {
    if (entries * own.count > limit) return undefined;
  } else if (entries > hubLimit) throw new TooWide();
  const key = memory.nextKey;
  memory.nextKey -= 1;
  return { maps: joints.map(({ map }) => map), dims, key };
}

function entriesOf({ dims }: Pick<Shape, "dims">): number {
  return product(dims);
}

function neighboursIn(tables: readonly Shape[], variable: number): readonly number[] {
  return [...new Set(tables.flatMap(({ scope }) => scope))]
    .filter((at) => at !== variable)
    .sort((a, b) => a - b);
}

function nameOf(
  variable: Variable | undefined,
  scope: readonly number[],
  tables: readonly Shape[],
): string {
  const places = new Map(scope.map((other, place) => [other, place]));
  const parts = tables.map(
    (table) => `${table.key}:${table.scope.map((each) => places.get(each) ?? "x").join(".")}`,
  );
  return `${variable?.key}|${parts.sort().join("|")}`;
}

function followed(order: readonly number[]): Pick<EliminationOrder, "take" | "changed"> {
  let at = 0;
  return {
    take: () => {
      at += 1;
      return order[at - 1];
    },
    changed: () => {},
  };
}

function liveTables(count: number, tables: readonly Shape[]): readonly Set<Shape>[] {
  const live = Array.from({ length: count }, () => new Set<Shape>());
  for (const table of tables) for (const at of table.scope) live[at]?.add(table);
  return live;
}
