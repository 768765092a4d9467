import type { Link } from "#core/mesh";
import type { Collective } from "./collective.ts";

/** Part of a collective that runs over one kind of links. */
export interface Stage {
  /** Links that the stage uses, for a collective of two stages. */
  readonly place?: "between nodes" | "in a node";
  /** Group size of the stage. */
  readonly size: number;
  readonly link: Link;
  readonly growth: TimeGrowth;
  /** Share of the collective's received bytes that arrives in this stage. */
  readonly portion: number;
}

/**
 * The stages of a collective over more than one device: two where its group is an axis of nodes and
 * of the devices in them (planner.md §2.4, "a named axis that spans nodes is two physical stages").
 * Of k nodes with g devices each, n = k·g, a device gathers one block of each other node, then what
 * the others of its node have gathered: (k−1)/(n−1) and (g−1)·k/(n−1) of all. An all-to-all sends
 * n(k−1)/(k(n−1)) of its bytes between nodes and n(g−1)/(g(n−1)) inside. Each device has a link of
 * its own to the other nodes. Pieces that have come through one stage go on in the other, so that
 * the longer of both transfers hides the other.
 *
 * A part of such an axis, and a fused collective over several axes, use the link between nodes for
 * all: the largest latency and the smallest bandwidth of the links.
 */
export function stagesOf(
  collective: Exclude<Collective, "slice">,
  groupSize: number,
  links: readonly Link[],
  fallback: Link,
): readonly Stage[] {
  const link = slowest(links, fallback);
  const inner = link.fabric === "two-level" ? link.inner : undefined;
  const isOne = links.every((each) => each === links[0]);
  const isWhole = isOne && inner !== undefined && inner.devices * inner.nodes === groupSize;
  if (!isWhole || collective === "exchange" || collective === "collective-permute") {
    return [{ size: groupSize, link, growth: timeGrowth(collective, link.fabric), portion: 1 }];
  }
  const { devices: g, nodes: k } = inner;
  const n = groupSize;
  const isAllToAll = collective === "all-to-all";
  return [
    {
      place: "between nodes",
      ...{ size: k, link, growth: timeGrowth(collective, "switch") },
      portion: isAllToAll ? (g * (k - 1)) / (n - 1) : (k - 1) / (n - 1),
    },
    {
      place: "in a node",
      ...{ size: g, link: inner, growth: timeGrowth(collective, inner.fabric) },
      portion: isAllToAll ? (k * (g - 1)) / (n - 1) : ((g - 1) * k) / (n - 1),
    },
  ];
}

/** Bytes per second that large collectives reach on a link. */
export function effective({ bandwidth, reached = 1 }: Pick<Link, "bandwidth" | "reached">): number {
  return bandwidth * reached;
}

/** The largest latency and the smallest bandwidth: what bounds a fused collective. */
function slowest(links: readonly Link[], fallback: Link): Link {
  const [first = fallback, ...others] = links;
  return others.reduce((slow, link) => {
    if (link === slow) return slow;
    const narrow = isNarrower(link, slow) ? link : slow;
    return { ...narrow, latency: Math.max(slow.latency, link.latency) };
  }, first);
}

/**
 * Orders links by bandwidth; with equal bandwidths the fabric on which bytes travel longest is
 * narrower, so that the order of the links does not matter.
 */
function isNarrower(link: Link, other: Link): boolean {
  const [own, its] = [effective(link), effective(other)];
  if (own !== its) return own < its;
  return travel[link.fabric ?? "switch"] > travel[other.fabric ?? "switch"];
}

const travel = { ring: 0, switch: 1, "two-level": 1, line: 2 } as const;

/** Expression of the group size; one definition gives both its value and its text. */
export interface Growth {
  readonly of: (n: number) => number;
  /** The group size as text, where `n` is written as `name`. */
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
 * Latency hops and byte share of a collective on a fabric. Its seconds are `hops · α + share · B /
 * W` with the bytes B that the busiest device receives (redistribution.md §3.1, planner.md §2.4).
 */
function timeGrowth(collective: Exclude<Collective, "slice">, fabric: Link["fabric"]): TimeGrowth {
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

/**
 * The growth of a device's received elements with the size of its group (redistribution.md §3.1).
 */
export function bytesGrowth(collective: Exclude<Collective, "slice" | "exchange">): BytesGrowth {
  return collective === "collective-permute" ? { times: one, over: one } : received[collective];
}
