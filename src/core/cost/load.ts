import { type CollectiveLoad, collectiveRate, defaultLink, movedParts } from "#core/collective";
import { blockCount, type Link } from "#core/mesh";
import { type CollectiveStep, type SpmdProgram, valuesById } from "#core/program";
import { collectiveLaunchSeconds } from "#core/reshard";

/** The links that a step uses. */
export type LinksOf = (step: CollectiveStep) => readonly Link[];

/** The links of the axes that a program's collectives use. */
export function linksOf(program: SpmdProgram): LinksOf {
  const values = valuesById(program);
  return (step) => {
    const axes = values.get(step.input)?.layout.mesh.axes ?? [];
    const used = axes.filter(({ name }) => step.axes.some((each) => each.split(":")[0] === name));
    return used.map(({ link }) => link ?? defaultLink);
  };
}

/**
 * The loads from which the time of a step may have been computed: with the launch time of our own
 * steps, and with none.
 */
export function loadsOf(step: CollectiveStep, links: readonly Link[]): readonly CollectiveLoad[] {
  const groupSize = groupSizeOf(step);
  return [collectiveLaunchSeconds({}), 0].map((launch) => ({
    groupSize,
    bytes: step.bytes,
    links,
    launch,
  }));
}

/**
 * The part of a step's seconds that does not depend on its bytes; 0 if a model with other terms
 * priced it.
 */
export function fixedSeconds(step: CollectiveStep, links: readonly Link[]): number {
  for (const load of loadsOf(step, links)) {
    const { fixed, secondsPerByte } = collectiveRate(step.collective, load);
    if (isEqual(fixed + secondsPerByte * step.bytes, step.seconds)) return fixed;
  }
  return 0;
}

/** Relative tolerance: products of the same numbers in another order differ by less. */
const tolerance = 1e-9;

/** Whether two figures are equal up to rounding, whatever the order of their sums. */
export function isEqual(a: number, b: number): boolean {
  return Math.abs(a - b) <= tolerance * Math.abs(b);
}

/**
 * The number of devices in a group of a collective: 2 where a step moves data between two arrangements
 * of devices; in an exchange the largest number of peers that a device has, plus itself.
 */
export function groupSizeOf({ collective, moves, pairs }: CollectiveStep): number {
  if (pairs === undefined) {
    return blockCount(movedParts(moves));
  }
  if (collective !== "exchange") return 2;
  const peers = new Map<string, Set<number>>();
  const note = (key: string, peer: number) =>
    peers.set(key, (peers.get(key) ?? new Set()).add(peer));
  for (const { from, to } of pairs) {
    note(`to ${to}`, from);
    note(`from ${from}`, to);
  }
  return 1 + Math.max(0, ...[...peers.values()].map(({ size }) => size));
}
