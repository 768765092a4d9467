import { type Collective, type CollectiveRate, collectiveRate } from "#core/collective";
import type { DeviceMesh, Link } from "#core/mesh";
import type { Atom } from "./atom.ts";
import { launchOf, linkOf, type PriceOptions } from "./price-options.ts";

/** What a sequence of steps takes: `fixed` seconds, and `perByte` for each byte of an element. */
export interface RouteRate {
  readonly fixed: number;
  readonly perByte: number;
}

/** What collectives over sets of atoms take; a set has bit i for atom i. */
export interface AtomRates {
  /** Atoms of one kind have equal links, so that it does not matter which of them is used. */
  readonly kinds: readonly number[];
  readonly rateOf: (collective: Collective, atoms: number) => CollectiveRate;
}

/** The rates of the atoms of a mesh, with the links of their axes. */
export function atomRates(
  atoms: readonly Atom[],
  mesh: DeviceMesh,
  options: PriceOptions,
): AtomRates {
  const links = atoms.map(({ axis }) => linkOf(mesh, axis, options));
  const texts = links.map(linkText);
  const launch = launchOf(options);
  const known = new Map<string, CollectiveRate>();
  const rateOf = (collective: Collective, set: number) => {
    const key = `${collective}${set}`;
    const rate = known.get(key) ?? rateOfSet(collective, set, { atoms, links, launch });
    known.set(key, rate);
    return rate;
  };
  return { kinds: texts.map((text) => texts.indexOf(text)), rateOf };
}

/** The rates of atoms that stand for runs of finer ones. */
export function joinedRates(
  { kinds, rateOf }: AtomRates,
  chains: readonly (readonly number[])[],
): AtomRates {
  const sets = chains.map((chain) => chain.reduce((set, atom) => set | (1 << atom), 0));
  return {
    kinds: chains.map(([first = 0]) => kinds[first] ?? first),
    rateOf: (collective, atoms) =>
      rateOf(
        collective,
        sets.reduce((all, set, at) => ((atoms >> at) & 1 ? all | set : all), 0),
      ),
  };
}

/** A text that only equal links share. */
export function linkText({ latency, bandwidth, fabric, inner }: Link): string {
  const own = `${latency} ${bandwidth} ${fabric ?? ""}`;
  return inner === undefined ? own : `${own} ${inner.nodes} × ${inner.devices} ${linkText(inner)}`;
}

function rateOfSet(
  collective: Collective,
  set: number,
  { atoms, links, launch }: { atoms: readonly Atom[]; links: readonly Link[]; launch: number },
): CollectiveRate {
  const used = [...atoms.keys()].filter((atom) => (set >> atom) & 1);
  const groupSize = used.reduce((size, atom) => size * (atoms[atom]?.radix ?? 1), 1);
  return collectiveRate(collective, {
    groupSize,
    links: used.flatMap((atom) => links[atom] ?? []),
    launch,
  });
}

/** Sums in another order differ by less than this part. */
const rounding = 1e-12;

/** Whether one figure is below another by more than rounding. */
export function isLess(a: number, b: number): boolean {
  return b === Number.POSITIVE_INFINITY ? a < b : a < b - rounding * Math.abs(b);
}

/** Of sequences those that no other takes less time than at any size; of equal ones the first. */
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

/** Whether one takes at most the time of another, whatever the size of the tensor. */
export function isNoSlower(a: RouteRate, b: RouteRate): boolean {
  return !isLess(b.fixed, a.fixed) && !isLess(b.perByte, a.perByte);
}
