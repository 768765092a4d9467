import { type HubCosts, pricedCosts } from "./hub.ts";
import { HubTable } from "./hub-table.ts";
import type { Network } from "./network.ts";
import type { Table, ValueTable, Variable } from "./table.ts";

/** The weights of seconds and bytes in the sum that is minimised. */
export interface Price {
  readonly perSecond: number;
  readonly perByte: number;
}

/** A network at one price of bytes. */
export function pricedNetwork(
  { unknowns, tables }: Network,
  price: Price,
): { readonly variables: readonly Variable[]; readonly tables: readonly Table[] } {
  const { perSecond } = price;
  const costs = new Map<number, Float64Array>();
  const hubs = new Map<number, HubCosts>();
  const priced = tables.map((table): Table => {
    const { scope, maps, dims, key, hub } = table;
    if (hub !== undefined) {
      const known = hubs.get(key) ?? pricedCosts(hub.costs, (s, b) => pricedOf(s, b, price));
      hubs.set(key, known);
      return new HubTable({ scope, maps, dims, key }, hub.shape, known);
    }
    const cost = costs.get(key) ?? pricedTable(table, price);
    costs.set(key, cost);
    return { scope, maps, dims, cost, key };
  });
  const variables = unknowns.map(({ seconds, key }) => ({
    cost: perSecond === 1 ? seconds : seconds.map((each) => perSecond * each),
    key,
  }));
  return { variables, tables: priced };
}

function pricedTable({ seconds, bytes }: ValueTable, price: Price): Float64Array {
  return pricedOf(seconds, bytes, price);
}

function pricedOf(
  seconds: Float64Array,
  bytes: Float64Array,
  { perSecond, perByte }: Price,
): Float64Array {
  if (perSecond === 1 && perByte === 0) return seconds;
  return seconds.map((each, at) => {
    const weight = perByte === 0 ? 0 : perByte * (bytes[at] ?? 0);
    return Number.isFinite(each) ? perSecond * each + weight : Number.POSITIVE_INFINITY;
  });
}
