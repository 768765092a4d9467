import { required } from "#core/records";
import type { Cases } from "./cases.ts";
import type { Choice } from "./choices.ts";
import {
  type Hub,
  hubOf,
  hubShape,
  hubWeights,
  isHubUse,
  isTold,
  keepsReads,
  mostHubReaders,
  readerCosts,
} from "./hub.ts";
import type { Keys } from "./keys.ts";
import type { KnownTable, MeshMemory } from "./planner-memory.ts";
import { sharedAdditions } from "./shared-additions.ts";
import type { ValueTable } from "./table.ts";
import { type Side, sideOf } from "./usage.ts";
import type { UpdateRule } from "./use.ts";
import type { ValueShare } from "./value-shares.ts";
import { weighAll } from "./value-weights.ts";
import type { PlannedValue } from "./values.ts";

/** The inputs of the tables of values. */
export interface TableContext {
  readonly shares: ReadonlyMap<PlannedValue, ValueShare>;
  readonly choices: readonly (readonly Choice[])[];
  readonly rule: UpdateRule;
  readonly keys: Keys;
  readonly known: MeshMemory;
  readonly cases: Cases;
  /** The unknown for the hub of a value; `size` is its number of values. */
  readonly hubFor: (value: PlannedValue, key: number, size: number) => number;
}

/** Tables of a value; an equal value's tables are reused. */
export function tablesOf(value: PlannedValue, context: TableContext): readonly ValueTable[] {
  const { known, shares, cases } = context;
  const own = known.tablesWithin(cases);
  const { scope, key } = required(shares, value, "value");
  const tables = own.get(key) ?? newTables(value, scope, key, context);
  own.set(key, tables);
  const hubSize = tables.find((each) => each.hubSize !== undefined)?.hubSize;
  const hub = hubSize === undefined ? 0 : context.hubFor(value, key, hubSize);
  return tables.map(({ places, table }) => ({
    ...table,
    scope: places.map((at) => scope[at] ?? hub),
  }));
}

/**
 * The tables that price a value. A value with too many cases is priced reader by reader, each
 * reader at its share. Readers of one layout pay for it once together, so the shares never exceed
 * the cost of the value, and the least sum of all tables is a lower bound. If all readers want one
 * layout, the shares equal the cost.
 */
function newTables(
  value: PlannedValue,
  scope: readonly number[],
  key: number,
  { choices, rule, keys, known, cases }: TableContext,
): readonly KnownTable[] {
  const sides = scope.map((at) => sideOf(value, at, choices));
  const count = sides.reduce((product, { uses }) => product * uses.length, 1);
  if (count <= cases.whole) {
    const places = [...scope.keys()];
    return [told({ places, table: tableOf(value, sides, { rule, share: 1, key }) })];
  }
  const { source } = value;
  if (rule.zero > 0 && source.kind === "rest" && value.hasGradient) {
    throw new RangeError(`"${value.tensor.name}" has ${value.readers.length} readers`);
  }
  const readers = [...new Set(value.readers.map(({ operator }) => operator))];
  const numberOf = (text: string) => known.numberOf(text);
  const hubbed =
    cases.hubs && value.hiding === undefined
      ? hubTables(value, sides, { readers, scope, key, rule, numberOf })
      : undefined;
  if (hubbed !== undefined) return hubbed;
  const makers = value.hasGradient ? value.readers.filter((each) => each.makesGradient) : [];
  return readers.map((reader): KnownTable => {
    const part: PlannedValue = {
      ...value,
      readers: value.readers.filter((each) => each.operator === reader),
      // The work of other readers, which may overlap with the redistribution, is unknown here.
      ...(value.hiding !== undefined &&
        readers.length > 1 && {
          hiding: { ...value.hiding, times: Number.POSITIVE_INFINITY },
        }),
    };
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
    return told({ places, table });
  });
}

/**
 * Table over only those unknowns whose values change the cost. A table with a single cost keeps its
 * first unknown, so that the cost counts.
 */
function told({ places, table }: KnownTable): KnownTable {
  const first = Math.max(
    0,
    table.dims.findIndex((size) => size !== 1),
  );
  const isTold = (_: unknown, at: number) => at === first || table.dims[at] !== 1;
  const maps = table.maps.filter(isTold);
  const dims = table.dims.filter(isTold);
  return { places: places.filter(isTold), table: { ...table, maps, dims } };
}

/** The part of a value that a table prices. */
interface TablePart {
  readonly rule: UpdateRule;
  /** The share of the value that it prices, and the number of readers that make a gradient. */
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

/** The inputs of the tables beside a hub. */
interface HubContext {
  readonly readers: readonly number[];
  readonly scope: readonly number[];
  readonly key: number;
  readonly rule: UpdateRule;
  readonly numberOf: (text: string) => number;
}

/**
 * The tables of a value with a hub: one of its own and one per reader; `undefined` without a hub.
 */
function hubTables(
  value: PlannedValue,
  sides: readonly Side[],
  { readers, scope, ...rest }: HubContext,
): readonly KnownTable[] | undefined {
  const hasSource = value.source.kind !== "given";
  const isOwnReader = hasSource && readers.includes(scope[0] ?? -1);
  const read = hasSource ? sides.slice(1) : sides;
  const isShared = read.every(({ uses }) => uses.every(isHubUse) && isTold(uses));
  if (isOwnReader || !isShared || readers.length > mostHubReaders) return undefined;
  const [first] = sides;
  const given = value.source.kind === "given" ? value.source.state : 0;
  const sources = hasSource ? (first?.uses ?? []).map(({ source = given }) => source) : [given];
  const hub = hubOf(read.map(({ uses }) => uses));
  const share = 1 / Math.max(1, Math.floor(readers.length / 2));
  // A value at rest is stored anyway, so no reader keeps it.
  const keepers = value.source.kind === "rest" ? [] : read.filter(({ uses }) => keepsReads(uses));
  const keptBy = (side: Side) => (keepers.includes(side) ? 1 / keepers.length : 0);
  const beside = { value, hub, sources, source: hasSource ? first : undefined, ...rest };
  return [
    hubTable(beside, scope.length),
    ...read.map((side, at) => {
      const place = at + (hasSource ? 1 : 0);
      return readerTable(beside, side, { place, share, kept: keptBy(side) }, scope);
    }),
  ];
}

interface Beside {
  readonly value: PlannedValue;
  readonly hub: Hub;
  readonly sources: readonly number[];
  /** The unknown that chooses the layout of the value; `undefined` for a given layout. */
  readonly source: Side | undefined;
  readonly key: number;
  readonly rule: UpdateRule;
  readonly numberOf: (text: string) => number;
}

/** The table of the value with its hub, whose index follows those of the value's scope. */
function hubTable({ value, hub, sources, source, key, rule }: Beside, place: number): KnownTable {
  const size = hub.reads.length;
  const maps = [...(source ? [source.map] : []), identity(size)];
  const dims = [...(source ? [sources.length] : []), size];
  const { seconds, bytes } = hubWeights(value, sources, hub, rule);
  const places = source ? [0, place] : [place];
  return { places, hubSize: size, table: { maps, dims, seconds, bytes, key } };
}

function readerTable(
  { value, hub, sources, source, key, rule, numberOf }: Beside,
  side: Side,
  { place, share, kept }: Readonly<Record<"place" | "share" | "kept", number>>,
  scope: readonly number[],
): KnownTable {
  const shape = hubShape(hub, side.uses);
  const costs = readerCosts(value, sources, shape, rule, share, kept);
  const size = hub.reads.length;
  const nothing = new Float64Array();
  return {
    places: [...(source ? [0] : []), scope.length, place],
    table: {
      maps: [...(source ? [source.map] : []), identity(size), side.map],
      dims: [...(source ? [sources.length] : []), size, side.uses.length],
      ...{ seconds: nothing, bytes: nothing, hub: { shape, costs } },
      key: numberOf(`${key} beside a hub ${place}`),
    },
  };
}

function identity(size: number): Int32Array {
  return Int32Array.from({ length: size }, (_, at) => at);
}
