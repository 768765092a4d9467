import { bestOfClasses, jointClasses, viewOf } from "./classes.ts";
import { boundedCore } from "./core-bound.ts";
import { EliminationOrder } from "./elimination-order.ts";
import { besideHub, hubTableOf } from "./hub-elimination.ts";
import { type Grid, gridOf, sweep } from "./sweep.ts";
import type { Table, Variable } from "./table.ts";
import { TooWide } from "./too-wide.ts";

/**
 * The result of eliminating a variable: a table over its neighbours, and its best value per entry.
 */
export interface Message {
  readonly maps: readonly Int32Array[];
  readonly dims: readonly number[];
  readonly cost: Float64Array;
  readonly best: Int32Array;
  readonly key: number;
}

/**
 * Results of eliminations by a key of their inputs, for equal parts of this network and later ones.
 */
export interface EliminationMemory {
  readonly messages: Map<string, Message>;
  nextKey: number;
  /** Keys that the network solved last did not use; the next one drops them. */
  unused: Set<string>;
}

/** An empty memory. */
export function createEliminationMemory(): EliminationMemory {
  return { messages: new Map(), nextKey: -1, unused: new Set() };
}

/** One elimination: the variable, its neighbours, the tables it met in and what they became. */
export interface Bucket {
  readonly variable: number;
  readonly scope: readonly number[];
  readonly tables: readonly Table[];
  readonly message: Message;
  /** The message as a table of the neighbours; none where there are no neighbours. */
  readonly left?: Table;
}

/** A network solved exactly. */
export interface Solved {
  readonly cost: number;
  /** The best value of every variable; ties go to the value that is listed first. */
  readonly choices: readonly number[];
  readonly buckets: readonly Bucket[];
  /** Whether every variable is eliminated; else `cost` is a lower bound. */
  readonly isWhole: boolean;
}

/** Entries that eliminating one variable may take. */
const workLimit = 2e8;

/** Entries that all results of eliminations may hold together: 12 bytes each. */
const heldLimit = 1.2e7;

/** The same where what is too wide is bounded: it is reached early, and often. */
const narrowLimit = 1e6;

/**
 * The least sum of all costs, by bucket elimination in an order of least table sizes: exact, and
 * quick where the network is a narrow one. Equal parts are computed once.
 *
 * @param known an order to follow instead, of a network with the same scopes
 */
export function solveNetwork(
  variables: readonly Variable[],
  tables: readonly Table[],
  memory: EliminationMemory = createEliminationMemory(),
  known?: readonly number[],
): Solved {
  const { buckets } = eliminated(variables, tables, { memory, known, limit: workLimit });
  return backtrack(variables.length, buckets);
}

/**
 * The same for a network of any width: variables that depend on too many others stay, and what they
 * take is bounded (`boundedCore`). The cost is then a lower bound, and the choices nearly as good.
 *
 * @param limit entries that eliminating one variable may take
 */
export function boundNetwork(
  variables: readonly Variable[],
  tables: readonly Table[],
  memory: EliminationMemory = createEliminationMemory(),
  limit: number = narrowLimit,
): Solved {
  const { buckets, left, live } = eliminated(variables, tables, { memory, limit });
  if (left.length === 0) return backtrack(variables.length, buckets);
  const rest = [...new Set(left.flatMap((at) => [...(live[at] ?? [])]))];
  const { bound, choices } = boundedCore({ members: left, variables, tables: rest });
  const whole = backtrack(variables.length, buckets, choices);
  return { ...whole, cost: whole.cost + bound };
}

interface EliminationOptions {
  readonly memory: EliminationMemory;
  readonly known?: readonly number[] | undefined;
  /** Entries that eliminating one variable may take. */
  readonly limit: number;
}

/** Eliminates variables in turn; those beyond a limit stay where it is not that of the work. */
function eliminated(
  variables: readonly Variable[],
  tables: readonly Table[],
  { memory, known, limit }: EliminationOptions,
) {
  const { messages, unused } = memory;
  memory.unused = new Set(messages.keys());
  const live = liveTables(variables.length, tables);
  const order = known === undefined ? new EliminationOrder(variables, live) : followed(known);
  const buckets: Bucket[] = [];
  const stays: number[] = [];
  const held = new Set<Message>();
  let entries = 0;
  for (let next = order.take(); next !== undefined; next = order.take()) {
    const bucket = eliminate(next, variables, [...(live[next] ?? [])], { memory, limit });
    if (bucket === undefined) {
      if (limit >= workLimit) throw new TooWide();
      stays.push(next);
      continue;
    }
    buckets.push(bucket);
    const { scope, left, message } = bucket;
    // Equal parts have one result.
    if (!held.has(message)) entries += message.cost.length;
    held.add(message);
    if (entries > heldLimit) throw new TooWide();
    for (const table of bucket.tables) for (const at of table.scope) live[at]?.delete(table);
    if (left !== undefined) for (const at of scope) live[at]?.add(left);
    order.changed(scope);
  }
  for (const key of unused) if (memory.unused.has(key)) messages.delete(key);
  return { buckets, left: stays.sort((a, b) => a - b), live };
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

function liveTables(count: number, tables: readonly Table[]): readonly Set<Table>[] {
  const live = Array.from({ length: count }, () => new Set<Table>());
  for (const table of tables) for (const at of table.scope) live[at]?.add(table);
  return live;
}

/** One elimination; `undefined` where it takes more entries than it may. */
function eliminate(
  variable: number,
  variables: readonly Variable[],
  tables: readonly Table[],
  { memory, limit }: Pick<EliminationOptions, "memory" | "limit">,
): Bucket | undefined {
  const scope = [...new Set(tables.flatMap((table) => table.scope))]
    .filter((at) => at !== variable)
    .sort((a, b) => a - b);
  const key = keyOf(variable, scope, variables, tables);
  let message = memory.messages.get(key);
  memory.unused.delete(key);
  if (message === undefined) {
    const found = messageOf(variable, scope, variables, { tables, limit });
    if (found === undefined) return undefined;
    message = { ...found, key: memory.nextKey };
    memory.nextKey -= 1;
    memory.messages.set(key, message);
  }
  const left = scope.length === 0 ? {} : { left: { scope, ...message } };
  return { variable, scope, tables, message, ...left };
}

function keyOf(
  variable: number,
  scope: readonly number[],
  variables: readonly Variable[],
  tables: readonly Table[],
): string {
  const places = new Map(scope.map((at, place) => [at, place]));
  const parts = tables.map(
    (table) => `${table.key}:${table.scope.map((at) => places.get(at) ?? "x").join(".")}`,
  );
  return `${variables[variable]?.key}|${parts.sort().join("|")}`;
}

function messageOf(
  variable: number,
  scope: readonly number[],
  variables: readonly Variable[],
  { tables, limit }: { readonly tables: readonly Table[]; readonly limit: number },
): Omit<Message, "key"> | undefined {
  const hub = hubTableOf(variable, tables);
  if (hub !== undefined) return besideHub(hub, variable, scope, variables, tables);
  const sizeOf = (at: number) => variables[at]?.cost.length ?? 1;
  const joints = scope.map((at) => jointClasses(at, sizeOf(at), tables));
  const own = jointClasses(variable, sizeOf(variable), tables);
  const dims = joints.map(({ count }) => count);
  const total = dims.reduce((product, size) => product * size, 1);
  if (total * own.count > limit) return undefined;
  const { least, value } = bestOfClasses(own, variables[variable]?.cost ?? new Float64Array());
  const grids: Grid[] = [];
  for (const table of tables) {
    const view = viewOf(table, variable, scope, own, joints);
    if (table.scope.length > 1) grids.push(gridOf(view, dims, own.count));
    else
      for (let x = 0; x < own.count; x += 1)
        least[x] = (least[x] ?? 0) + (view.cost[view.own[x] ?? 0] ?? 0);
  }
  const { cost, best } = sweep(dims, grids, least);
  for (const [at, klass] of best.entries()) best[at] = klass < 0 ? -1 : (value[klass] ?? -1);
  return { maps: joints.map(({ map }) => map), dims, cost, best };
}

function backtrack(
  count: number,
  buckets: readonly Bucket[],
  known: ReadonlyMap<number, number> = new Map(),
): Solved {
  const choices = Array.from({ length: count }, (_, at) => known.get(at) ?? -1);
  let cost = 0;
  for (const { scope, message } of buckets) if (scope.length === 0) cost += message.cost[0] ?? 0;
  for (const { variable, scope, message } of buckets.toReversed()) {
    let at = 0;
    for (const [index, other] of scope.entries()) {
      const klass = message.maps[index]?.[choices[other] ?? 0] ?? 0;
      at = at * (message.dims[index] ?? 1) + klass;
    }
    choices[variable] = message.best[at] ?? -1;
  }
  return { cost, choices, buckets, isWhole: known.size === 0 };
}
