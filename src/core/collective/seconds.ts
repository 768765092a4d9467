import { blockCount, type Link } from "#core/mesh";
import type { Collective } from "./collective.ts";
import { totals, transfersOf } from "./messages.ts";
import { stepElements } from "./received.ts";
import { effective, stagesOf } from "./stages.ts";
import { type LayoutStep, movedParts } from "./step.ts";

/** Link of a mesh axis that has none: one direction of an A100's NVLink, 300 GB/s, 3 µs a hop. */
export const defaultLink: Link = { latency: 3e-6, bandwidth: 300e9 };

/** The inputs of the time model of a collective. */
export interface CollectiveLoad {
  /** Devices in a group; of an exchange, one more than the peers of the busiest device. */
  readonly groupSize: number;
  /** Bytes that the busiest device receives (of an exchange: receives or sends). */
  readonly bytes: number;
  /** The links of the axes used; the slowest bounds a fused collective. None: `defaultLink`. */
  readonly links: readonly Link[];
  /** Seconds to launch any collective, 0 if absent. */
  readonly launch?: number;
}

/** Seconds of a collective by the bytes received: `fixed` + `secondsPerByte` · bytes. */
export interface CollectiveRate {
  readonly fixed: number;
  readonly secondsPerByte: number;
}

/**
 * Seconds of a collective in the α–β model (redistribution.md §3.1, planner.md §2.4).
 *
 * With group size n, latency α, bandwidth W and received bytes B: (n−1)α + B/W for gather, scatter
 * and all-to-all, twice the latency for an all-reduce, α + B/W for a permute. On a `ring` with both
 * directions ⌈n/2⌉α + B/2W, all-to-all n·b/8W with local bytes b = nB/(n−1); on a `line` n·b/4W. A
 * fused collective takes the largest latency and the smallest bandwidth of its links; one along an
 * axis that spans nodes has two stages (`stagesOf`), the transfer of one beside that of the other. A
 * link reaches a share of its bandwidth (`reached`). Nothing to send takes no time, and neither does
 * a slice.
 */
export function collectiveSeconds(collective: Collective, load: CollectiveLoad): number {
  if (load.bytes <= 0) return 0;
  const { fixed, secondsPerByte } = collectiveRate(collective, load);
  return fixed + load.bytes * secondsPerByte;
}

/** `collectiveSeconds` as a function of the bytes received, which must not be 0. */
export function collectiveRate(
  collective: Collective,
  load: Omit<CollectiveLoad, "bytes">,
): CollectiveRate {
  let [fixed, secondsPerByte] = [0, 0];
  for (const timing of timingsOf(collective, load)) {
    fixed += timing.fixed;
    secondsPerByte = Math.max(secondsPerByte, timing.factor / timing.bandwidth);
  }
  return { fixed, secondsPerByte };
}

/**
 * One stage: seconds paid once, bandwidth, and the factor on the collective's bytes that it sends.
 */
interface Timing {
  readonly fixed: number;
  readonly bandwidth: number;
  readonly factor: number;
}

function timingsOf(
  collective: Collective,
  { groupSize, links, launch = 0 }: Omit<CollectiveLoad, "bytes">,
): readonly Timing[] {
  if (collective === "slice" || groupSize <= 1) return [];
  return stagesOf(collective, groupSize, links, defaultLink).map(
    ({ size, link, growth: { hops, share }, portion }, at) => ({
      fixed: (at === 0 ? launch : 0) + hops.of(size) * link.latency,
      bandwidth: effective(link),
      factor: share.of(size) * portion,
    }),
  );
}

/**
 * Seconds of a step on a tensor of this shape; axes without a link have `fallback`.
 *
 * An exchange or a permute between arrangements uses the links of the axes along which some sender
 * and receiver differ.
 */
export function stepSeconds(
  step: LayoutStep,
  shape: readonly number[],
  elementBytes: number,
  { fallback = defaultLink, launch = 0 }: { fallback?: Link; launch?: number } = {},
): number {
  const links = linksOf(step, shape, fallback);
  const groupSize = blockCount(movedParts(step.moves));
  if (step.collective !== "exchange") {
    const bytes = stepElements(step, shape) * elementBytes;
    const size = step.transfers === undefined ? groupSize : 2;
    return collectiveSeconds(step.collective, { groupSize: size, bytes, links, launch });
  }
  const transfers = transfersOf(step, shape);
  const busiest = [...totals(transfers, "to").values(), ...totals(transfers, "from").values()];
  const bytes = Math.max(0, ...busiest) * elementBytes;
  return collectiveSeconds("exchange", { groupSize: 1 + peersOf(step), bytes, links, launch });
}

function linksOf(step: LayoutStep, shape: readonly number[], fallback: Link): readonly Link[] {
  const { mesh } = step.before;
  const used =
    step.transfers === undefined
      ? new Set(step.moves.flatMap(({ part }) => (part.kind === "axis" ? part.axis : [])))
      : crossedAxes(step, shape);
  return mesh.axes.filter(({ name }) => used.has(name)).map(({ link }) => link ?? fallback);
}

/** The axes along which some sender and receiver differ. */
function crossedAxes(step: LayoutStep, shape: readonly number[]): ReadonlySet<string> {
  const { mesh } = step.before;
  const places = new Map(mesh.devices.map((id, index) => [id, index]));
  let stride = 1;
  const axes = mesh.axes.toReversed().map(({ name, size }) => {
    stride *= size;
    return { name, size, stride: stride / size };
  });
  const crossed = new Set<string>();
  for (const { from, to } of transfersOf(step, shape)) {
    const [sender, receiver] = [places.get(from) ?? 0, places.get(to) ?? 0];
    for (const { name, size, stride } of axes)
      if (Math.floor(sender / stride) % size !== Math.floor(receiver / stride) % size)
        crossed.add(name);
    if (crossed.size === axes.length) break;
  }
  return crossed;
}

/** The most devices that one device sends to or receives from. */
function peersOf({ transfers = [] }: LayoutStep): number {
  const [givers, takers] = [new Map<number, Set<number>>(), new Map<number, Set<number>>()];
  let most = 0;
  const note = (peers: Map<number, Set<number>>, device: number, peer: number) => {
    const known = peers.get(device) ?? new Set();
    peers.set(device, known.add(peer));
    most = Math.max(most, known.size);
  };
  for (const { from, to } of transfers) {
    note(givers, to, from);
    note(takers, from, to);
  }
  return most;
}
