import { product } from "#core/arithmetic";
import type { View } from "./sweep.ts";
import type { Shape, Table, Variable } from "./table.ts";

/** Classes of a variable's values: values of one class have equal entries in all tables. */
export interface Classes {
  readonly map: Int32Array;
  readonly count: number;
  /** The first value of every class. */
  readonly first: readonly number[];
}

/** The classes of a variable that is eliminated, and of its neighbours. */
export interface StepClasses {
  readonly own: Classes;
  readonly joints: readonly Classes[];
}

/** Classes that the tables of an elimination distinguish. */
export function stepClasses(
  variable: number,
  scope: readonly number[],
  variables: readonly Variable[],
  tables: readonly Shape[],
): StepClasses {
  const classesOf = (at: number) => jointClasses(at, variables[at]?.cost.length ?? 1, tables);
  return { own: classesOf(variable), joints: scope.map(classesOf) };
}

/** The classes of a variable's values under some tables. */
export function jointClasses(at: number, size: number, tables: readonly Shape[]): Classes {
  let classes: Classes = { map: new Int32Array(size), count: 1, first: [0] };
  for (const { scope, maps, dims } of tables) {
    const index = scope.indexOf(at);
    const map = maps[index];
    if (map !== undefined) classes = paired(classes, map, dims[index] ?? 1);
  }
  return classes;
}

function paired({ map }: Classes, other: Int32Array, count: number): Classes {
  const known = new Map<number, number>();
  const joint = new Int32Array(map.length);
  const first: number[] = [];
  for (let value = 0; value < map.length; value += 1) {
    const pair = (map[value] ?? 0) * count + (other[value] ?? 0);
    let found = known.get(pair);
    if (found === undefined) {
      found = first.push(value) - 1;
      known.set(pair, found);
    }
    joint[value] = found;
  }
  return { map: joint, count: first.length, first };
}

/** The cheapest value of each class. */
export function bestOfClasses({ map, count }: Classes, cost: Float64Array) {
  const least = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
  const value = new Int32Array(count).fill(-1);
  for (let at = 0; at < map.length; at += 1) {
    const klass = map[at] ?? 0;
    const price = cost[at] ?? 0;
    if (price >= (least[klass] ?? 0)) continue;
    least[klass] = price;
    value[klass] = at;
  }
  return { least, value };
}

/** A table in the form in which one variable is eliminated. */
export function viewOf(
  { scope, maps, dims, cost }: Table,
  variable: number,
  neighbours: readonly number[],
  own: Classes,
  joints: readonly Classes[],
): View {
  const strides = dims.map((_, at) => product(dims.slice(at + 1)));
  const offsets = (at: number, { first }: Classes): Int32Array | undefined => {
    const index = scope.indexOf(at);
    const map = maps[index];
    if (map === undefined) return undefined;
    const stride = strides[index] ?? 1;
    return Int32Array.from(first, (value) => (map[value] ?? 0) * stride);
  };
  const empty: Classes = { map: new Int32Array(), count: 0, first: [] };
  return {
    cost,
    own: offsets(variable, own) ?? new Int32Array(own.count),
    others: neighbours.map((at, index) => offsets(at, joints[index] ?? empty)),
  };
}
