import type { Link } from "#core/mesh";
import type { Collective } from "./collective.ts";

/** An expression of the devices in a group: computed and written by one definition. */
export interface Growth {
  readonly of: (n: number) => number;
  /** As it is written where `n` is written as `name`. */
  readonly text: (name: string) => string;
}

const n: Growth = { of: (size) => size, text: (name) => name };
const one = constant(1);
const two = constant(2);
const half: Growth = { of: () => 1 / 2, text: () => "1/2" };
const others: Growth = { of: (size) => size - 1, text: (name) => `(${name} − 1)` };
const halfWay: Growth = { of: (size) => Math.ceil(size / 2), text: (name) => `⌈${name}/2⌉` };

function constant(value: number): Growth {
  return { of: () => value, text: () => `${value}` };
}

function times(a: Growth, b: Growth): Growth {
  return {
    of: (size) => a.of(size) * b.of(size),
    text: (name) => `${a.text(name)} · ${b.text(name)}`,
  };
}

function over(a: Growth, b: Growth): Growth {
  return {
    of: (size) => a.of(size) / b.of(size),
    text: (name) => `${a.text(name)} / (${b.text(name)})`,
  };
}

/** How the time of a collective grows with its group: hops of latency, and shares of its bytes. */
export interface TimeGrowth {
  readonly hops: Growth;
  readonly share: Growth;
}

const twiceOthers = times(two, others);
const twiceHalfWay = times(two, halfWay);
/** The bytes of an all-to-all travel several hops where only neighbours are joined. */
const crowdedRing = over(times(n, n), times(constant(8), others));
const crowdedLine = over(times(n, n), times(constant(4), others));

const single: TimeGrowth = { hops: one, share: one };

type Grown = Exclude<Collective, "slice" | "exchange" | "collective-permute">;

const onRing: Readonly<Record<Grown, TimeGrowth>> = {
  "all-gather": { hops: halfWay, share: half },
  "reduce-scatter": { hops: halfWay, share: half },
  "all-reduce": { hops: twiceHalfWay, share: half },
  "all-to-all": { hops: halfWay, share: crowdedRing },
};

const elsewhere: Readonly<Record<Grown, TimeGrowth>> = {
  "all-gather": { hops: others, share: one },
  "reduce-scatter": { hops: others, share: one },
  "all-reduce": { hops: twiceOthers, share: one },
  "all-to-all": { hops: others, share: one },
};

const onLine = { ...elsewhere, "all-to-all": { hops: others, share: crowdedLine } };
const exchanged: TimeGrowth = { hops: others, share: one };

/**
 * What seconds of a collective are made of on a fabric: `hops · α + share · B / W` with the bytes B
 * that the busiest device receives (redistribution.md §3.1, planner.md §2.4).
 */
export function timeGrowth(
  collective: Exclude<Collective, "slice">,
  fabric: Link["fabric"],
): TimeGrowth {
  if (collective === "collective-permute") return single;
  if (collective === "exchange") return exchanged;
  if (fabric === "ring") return onRing[collective];
  return fabric === "line" ? onLine[collective] : elsewhere[collective];
}

/** Elements that a device receives: `times · L / over` with the elements L that it holds before. */
export interface BytesGrowth {
  readonly times: Growth;
  readonly over: Growth;
}

const received: Readonly<Record<Grown, BytesGrowth>> = {
  "all-gather": { times: others, over: one },
  "reduce-scatter": { times: others, over: n },
  "all-to-all": { times: others, over: n },
  "all-reduce": { times: twiceOthers, over: n },
};

/** How what a device receives grows with its group (redistribution.md §3.1). */
export function bytesGrowth(collective: Exclude<Collective, "slice" | "exchange">): BytesGrowth {
  return collective === "collective-permute" ? { times: one, over: one } : received[collective];
}
