import { type Classes, jointClasses, viewOf } from "./classes.ts";
import type { Bucket } from "./elimination.ts";
import type { Table } from "./table.ts";

/**
 * For every bucket and every entry of its resulting table, the least cost of the rest of the
 * network: an entry plus its outside is the least cost of a whole plan with that entry. A downward
 * pass over the bucket tree.
 *
 * @param unknowns costs of the variables alone, at the price of the buckets
 */
export function outsideOf(
  buckets: readonly Bucket[],
  unknowns: readonly { readonly seconds: Float64Array }[],
): ReadonlyMap<Bucket, Float64Array> {
  const makers = new Map<Table, Bucket>();
  for (const bucket of buckets) if (bucket.left !== undefined) makers.set(bucket.left, bucket);
  const roots = buckets.filter(({ left }) => left === undefined);
  const total = roots.reduce((sum, { message }) => sum + (message.cost[0] ?? 0), 0);
  const outside = new Map<Bucket, Float64Array>();
  for (const bucket of buckets.toReversed()) {
    if (bucket.left === undefined) {
      outside.set(bucket, Float64Array.of(total - (bucket.message.cost[0] ?? 0)));
    }
    for (const table of bucket.tables) {
      const child = makers.get(table);
      if (child !== undefined) outside.set(child, passed(bucket, table, outside, unknowns));
    }
  }
  return outside;
}

/** Outside of one table of a bucket: per entry, the least cost of all other tables. */
function passed(
  bucket: Bucket,
  table: Table,
  outside: ReadonlyMap<Bucket, Float64Array>,
  unknowns: readonly { readonly seconds: Float64Array }[],
): Float64Array {
  const { variable, scope, tables, message } = bucket;
  const sizeOf = (at: number) => unknowns[at]?.seconds.length ?? 1;
  const joints = scope.map((at) => jointClasses(at, sizeOf(at), tables));
  const own = eachValue(sizeOf(variable));
  const views = tables.map((each) => viewOf(each, variable, scope, own, joints));
  const target = tables.indexOf(table);
  const above = outside.get(bucket) ?? new Float64Array(message.cost.length);
  const least = new Float64Array(table.cost.length).fill(Number.POSITIVE_INFINITY);
  const alone = unknowns[variable]?.seconds ?? new Float64Array(own.count);
  for (let at = 0; at < message.cost.length; at += 1) {
    const bases = basesAt(at, message.dims, views);
    for (let value = 0; value < own.count; value += 1) {
      let price = (above[at] ?? 0) + (alone[value] ?? 0);
      let place = 0;
      for (const [index, view] of views.entries()) {
        const entry = (bases[index] ?? 0) + (view.own[value] ?? 0);
        if (index === target) place = entry;
        else price += view.cost[entry] ?? 0;
      }
      if (price < (least[place] ?? 0)) least[place] = price;
    }
  }
  return least;
}

function eachValue(count: number): Classes {
  const first = Array.from({ length: count }, (_, at) => at);
  return { map: Int32Array.from(first), count, first };
}

function basesAt(
  at: number,
  dims: readonly number[],
  views: readonly ReturnType<typeof viewOf>[],
): readonly number[] {
  const bases = new Array<number>(views.length).fill(0);
  let rest = at;
  for (let n = dims.length - 1; n >= 0; n -= 1) {
    const digit = rest % (dims[n] ?? 1);
    rest = Math.floor(rest / (dims[n] ?? 1));
    for (const [index, { others }] of views.entries()) {
      bases[index] = (bases[index] ?? 0) + (others[n]?.[digit] ?? 0);
    }
  }
  return bases;
}
