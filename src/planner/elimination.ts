import { bestOfClasses, stepClasses, viewOf } from "./classes.ts";
import { boundedCore } from "./core-bound.ts";
import {
  createEliminationMemory,
  type EliminationMemory,
  type Message,
} from "./elimination-memory.ts";
import { type Step, type StepOptions, stepsOf } from "./elimination-steps.ts";
import { besideHub, hubTableOf } from "./hub-elimination.ts";
import { type Grid, gridOf, sweep } from "./sweep.ts";
import type { Shape, Table, Variable } from "./table.ts";

/** One elimination: the variable, its neighbours, its tables and their result. */
export interface Bucket {
  readonly variable: number;
  readonly scope: readonly number[];
  readonly tables: readonly Table[];
  readonly message: Message;
  /** The message as a table of the neighbours; absent without neighbours. */
  readonly left?: Table;
}

/** A network solved exactly. */
export interface Solved {
  readonly cost: number;
  /** The best value of every variable; ties go to the value listed first. */
  readonly choices: readonly number[];
  readonly buckets: readonly Bucket[];
  /** The order in which variables were eliminated, for networks with the same scopes. */
  readonly order: readonly number[];
  /** Whether every variable is eliminated; otherwise `cost` is a lower bound. */
  readonly isWhole: boolean;
}

/** The most entries for eliminating one variable. */
const workLimit = 2e8;

/** `workLimit` for searches that bound wide parts: they reach it early and often. */
const narrowLimit = 1e6;

/**
 * The least sum of all costs, by bucket elimination in an order of least table sizes: exact, and
 * quick for a narrow network. Equal parts are computed once.
 *
 * @param known the order to follow instead, from a network with the same scopes
 */
export function solveNetwork(
  variables: readonly Variable[],
  tables: readonly Table[],
  memory: EliminationMemory = createEliminationMemory(),
  known?: readonly number[],
): Solved {
  const options = { memory, order: known, limit: workLimit, mayStay: false };
  const { buckets, order } = eliminated(variables, tables, options);
  return backtrack(variables.length, buckets, order);
}

/**
 * `solveNetwork` for a network of any width: variables that depend on too many others stay, and
 * their costs are bounded (`boundedCore`). The cost is then a lower bound, and the choices nearly
 * as good.
 */
export function boundNetwork(
  variables: readonly Variable[],
  tables: readonly Table[],
  memory: EliminationMemory = createEliminationMemory(),
  { limit = narrowLimit, known }: BoundOptions = {},
): Solved {
  const options = { memory, order: known, limit, mayStay: true };
  const { buckets, order, stays, rest } = eliminated(variables, tables, options);
  if (stays.length === 0) return backtrack(variables.length, buckets, order);
  const { bound, choices } = boundedCore({ members: stays, variables, tables: rest });
  const whole = backtrack(variables.length, buckets, order, choices);
  return { ...whole, cost: whole.cost + bound };
}

interface BoundOptions {
  /** The most entries for eliminating one variable. */
  readonly limit?: number;
  /** The order to follow instead, from a network with the same scopes. */
  readonly known?: readonly number[] | undefined;
}

/** Eliminates variables in turn; returns the variables that stay, with their tables. */
function eliminated(
  variables: readonly Variable[],
  tables: readonly Table[],
  options: StepOptions,
): {
  readonly buckets: readonly Bucket[];
  readonly order: readonly number[];
  readonly stays: readonly number[];
  readonly rest: readonly Table[];
} {
  const { messages, unused } = options.memory;
  options.memory.unused = new Set(messages.keys());
  const { steps, order, stays, rest } = stepsOf(variables, tables, options);
  const written = new Map<Shape, Table>(tables.map((table) => [table, table]));
  const inCosts = (shapes: readonly Shape[]) =>
    shapes.flatMap((shape) => {
      const table = written.get(shape);
      return table === undefined ? [] : [table];
    });
  const buckets = steps.map((step): Bucket => {
    const bucket = eliminate(step, variables, inCosts(step.inputs), options.memory);
    if (step.left !== undefined && bucket.left !== undefined) written.set(step.left, bucket.left);
    return bucket;
  });
  for (const key of unused) if (options.memory.unused.has(key)) messages.delete(key);
  return { buckets, order, stays, rest: inCosts(rest) };
}

function eliminate(
  { variable, scope, name, key }: Step,
  variables: readonly Variable[],
  tables: readonly Table[],
  { messages, unused }: EliminationMemory,
): Bucket {
  const message = messages.get(name) ?? { ...messageOf(variable, scope, variables, tables), key };
  messages.set(name, message);
  unused.delete(name);
  const left = scope.length === 0 ? {} : { left: { scope, ...message } };
  return { variable, scope, tables, message, ...left };
}

function messageOf(
  variable: number,
  scope: readonly number[],
  variables: readonly Variable[],
  tables: readonly Table[],
): Omit<Message, "key"> {
  const hub = hubTableOf(variable, tables);
  const { own, joints } = stepClasses(variable, scope, variables, tables);
  const dims = joints.map(({ count }) => count);
  const { least, value } = bestOfClasses(own, variables[variable]?.cost ?? new Float64Array());
  const grids: Grid[] = [];
  for (const table of tables) {
    if (table === hub) continue;
    const view = viewOf(table, variable, scope, own, joints);
    if (table.scope.length > 1) grids.push(gridOf(view, dims, own.count));
    else
      for (let x = 0; x < own.count; x += 1)
        least[x] = (least[x] ?? 0) + (view.cost[view.own[x] ?? 0] ?? 0);
  }
  const { cost, best } =
    hub === undefined
      ? sweep(dims, grids, least)
      : besideHub(hub, { scope, own, joints }, { least, grids });
  for (const [at, klass] of best.entries()) best[at] = klass < 0 ? -1 : (value[klass] ?? -1);
  return { maps: joints.map(({ map }) => map), dims, cost, best };
}

function backtrack(
  count: number,
  buckets: readonly Bucket[],
  order: readonly number[],
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
  return { cost, choices, buckets, order, isWhole: known.size === 0 };
}
