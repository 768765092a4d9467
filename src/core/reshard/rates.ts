import {
  type Collective,
  type CollectiveRate,
  collectiveRate,
  defaultLink,
} from "#core/collective";
import type { AxisName, DeviceMesh, Link } from "#core/mesh";
import { fieldOf } from "#core/records";
import type { PrimeSubAxis } from "./prime-sub-axis.ts";

/**
 * Time of a sequence of steps: `fixed` seconds, and `perByte` seconds for each byte of an element.
 */
export interface RouteRate {
  readonly fixed: number;
  readonly perByte: number;
}

/** Times of collectives over sets of sub-axes; sub-axis i is bit i of a set. */
export interface SubAxisRates {
  /** The kind of each sub-axis: those of one kind have equal links and are interchangeable. */
  readonly kinds: readonly number[];
  readonly rateOf: (collective: Collective, subAxes: number) => CollectiveRate;
}

/** The rates of the sub-axes of a mesh, with the links of their axes. */
export function subAxisRates(
  subAxes: readonly PrimeSubAxis[],
  mesh: DeviceMesh,
  options: PriceOptions,
): SubAxisRates {
  const links = subAxes.map(({ axis }) => linkOf(mesh, axis, options));
  const texts = links.map(linkText);
  const launch = collectiveLaunchSeconds(options);
  const known = new Map<string, CollectiveRate>();
  const rateOf = (collective: Collective, set: number) => {
    const key = `${collective}${set}`;
    const rate = known.get(key) ?? rateOfSet(collective, set, { subAxes, links, launch });
    known.set(key, rate);
    return rate;
  };
  return { kinds: texts.map((text) => texts.indexOf(text)), rateOf };
}

/** The rates of coarse sub-axes, each a run of finer ones. */
export function joinedRates(
  { kinds, rateOf }: SubAxisRates,
  chains: readonly (readonly number[])[],
): SubAxisRates {
  const sets = chains.map((chain) => chain.reduce((set, subAxis) => set | (1 << subAxis), 0));
  return {
    kinds: chains.map(([first = 0]) => kinds[first] ?? first),
    rateOf: (collective, subAxes) =>
      rateOf(
        collective,
        sets.reduce((all, set, at) => ((subAxes >> at) & 1 ? all | set : all), 0),
      ),
  };
}

/** Key of a link; equal links have equal keys. */
export function linkText({ latency, bandwidth, reached = 1, fabric, inner }: Link): string {
  const own = `${latency} ${bandwidth * reached} ${fabric ?? ""}`;
  return inner === undefined ? own : `${own} ${inner.nodes} × ${inner.devices} ${linkText(inner)}`;
}

function rateOfSet(
  collective: Collective,
  set: number,
  {
    subAxes,
    links,
    launch,
  }: { subAxes: readonly PrimeSubAxis[]; links: readonly Link[]; launch: number },
): CollectiveRate {
  const used = [...subAxes.keys()].filter((subAxis) => (set >> subAxis) & 1);
  const groupSize = used.reduce((size, subAxis) => size * (subAxes[subAxis]?.radix ?? 1), 1);
  return collectiveRate(collective, {
    groupSize,
    links: used.flatMap((subAxis) => links[subAxis] ?? []),
    launch,
  });
}

/** Relative tolerance: sums in another order differ by less. */
const rounding = 1e-12;

/** Whether one figure is below another by more than rounding. */
export function isLess(a: number, b: number): boolean {
  return b === Number.POSITIVE_INFINITY ? a < b : a < b - rounding * Math.abs(b);
}

/**
 * Sequences without those that another one equals or beats at every size; of equal ones the first.
 */
export function quickest<T extends { readonly rate: RouteRate }>(all: readonly T[]): readonly T[] {
  if (all.length < 2) return all;
  return all.filter(
    ({ rate }, at) =>
      !all.some(
        (other, index) =>
          index !== at &&
          isNoSlower(other.rate, rate) &&
          !(index > at && isNoSlower(rate, other.rate)),
      ),
  );
}

/** Whether one sequence takes at most the time of another at every size of the tensor. */
export function isNoSlower(a: RouteRate, b: RouteRate): boolean {
  return !isLess(b.fixed, a.fixed) && !isLess(b.perByte, a.perByte);
}

/** The figures with which steps are priced. */
export interface PriceOptions {
  /** 4 by default. */
  readonly bytesPerElement?: number;
  /** Links of axes, in place of those of the mesh. */
  readonly links?: Readonly<Record<AxisName, Link>>;
  /** Seconds to launch any collective; 5 µs by default. */
  readonly launchSeconds?: number;
}

/** Seconds to launch a collective, if the options do not say. */
const usualLaunchSeconds = 5e-6;

/** Seconds to launch a collective. */
export function collectiveLaunchSeconds({
  launchSeconds = usualLaunchSeconds,
}: PriceOptions): number {
  return launchSeconds;
}

/** How devices along an axis are connected. */
export function linkOf({ axes }: DeviceMesh, axis: AxisName, { links }: PriceOptions): Link {
  return fieldOf(links, axis) ?? axes.find(({ name }) => name === axis)?.link ?? defaultLink;
}
