import type { Link } from "#core/mesh";
import type { Collective } from "./collective.ts";
import { type TimeGrowth, timeGrowth } from "./growth.ts";

/** A part of a collective that one kind of links carries. */
export interface Stage {
  /** Where it is, of a collective that has two. */
  readonly place?: "between nodes" | "in a node";
  /** Devices that take part in it with one device. */
  readonly size: number;
  readonly link: Link;
  readonly growth: TimeGrowth;
  /** Of the bytes that a device receives in the whole collective, the part that comes in it. */
  readonly portion: number;
}

/**
 * The stages of a collective over more than one device: two where its group is an axis of nodes and
 * of the devices in them (planner.md §2.4, "a named axis that spans nodes is two physical stages").
 * Of k nodes with g devices each, n = k·g, a device gathers one block of each other node, then what
 * the others of its node have gathered: (k−1)/(n−1) and (g−1)·k/(n−1) of all. An all-to-all sends
 * n(k−1)/(k(n−1)) of its bytes between nodes and n(g−1)/(g(n−1)) inside. Each device has a link of
 * its own to the other nodes.
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

/** The largest latency and the smallest bandwidth: what bounds a fused collective. */
function slowest(links: readonly Link[], fallback: Link): Link {
  const [first = fallback, ...others] = links;
  return others.reduce((slow, link) => {
    if (link === slow) return slow;
    const narrow = isNarrower(link, slow) ? link : slow;
    return { ...narrow, latency: Math.max(slow.latency, link.latency) };
  }, first);
}

/** Of equal bandwidths the one on which bytes travel longest, in whatever order the links come. */
function isNarrower(link: Link, other: Link): boolean {
  if (link.bandwidth !== other.bandwidth) return link.bandwidth < other.bandwidth;
  return travel[link.fabric ?? "switch"] > travel[other.fabric ?? "switch"];
}

const travel = { ring: 0, switch: 1, "two-level": 1, line: 2 } as const;
