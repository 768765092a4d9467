import { endBound } from "./result-ends.ts";
import { gradientRuns } from "./run-counts.ts";
import { type UpdateRule, type Use, withoutPartials } from "./use.ts";
import { ownWeight } from "./value-cost.ts";
import type { PlannedValue } from "./values.ts";

/**
 * A variable for a value that several operators read. Its value is a pair of layouts that readers
 * may share: one in which the value is read, one in which its gradient is made. The hub pays for
 * them, and a reader that wants one of them pays nothing more; so each reader has a table with the
 * hub alone, not with all other readers. With up to three readers these costs are exact; with more,
 * a layout outside the hub counts only in part, since other readers may share it.
 */
export interface Hub {
  /** Layout of each value of the hub; −1 if the hub does not share it. */
  readonly reads: Int32Array;
  readonly gradients: Int32Array;
}

/**
 * Layouts that each use of a reader reads and makes beside a hub; -1 for a use without a gradient.
 */
export interface HubShape {
  readonly hub: Hub;
  readonly reads: Int32Array;
  readonly gradients: Int32Array;
}

/** Costs of one reader beside a hub, in row-major order of sources and uses. */
export interface HubCosts {
  /**
   * Costs if the reader shares no layout with the hub (`own`), the layout that it reads, or that of
   * its gradient.
   */
  readonly own: Float64Array;
  readonly readShared: Float64Array;
  readonly gradientShared: Float64Array;
  /** Costs if it shares both, per use. */
  readonly shared: Float64Array;
}

/** Largest number of readers of a hub for which one table joins all of them. */
export const mostHubReaders = 4;

/** Whether a use can share with a hub: it reads one layout and makes at most one gradient. */
export function isHubUse({ reads = [], gradients = [], again = [] }: Partial<Use>): boolean {
  return reads.length === 1 && gradients.length <= 1 && again.length === 0;
}

/**
 * Whether all uses of a reader differ in their reads or gradients, not only in the layouts that
 * they keep.
 */
export function isTold(uses: readonly Partial<Use>[]): boolean {
  const pairs = uses.map(({ reads = [], gradients = [] }) => `${reads} ${gradients}`);
  return new Set(pairs).size === uses.length;
}

/** Whether a reader keeps the layout that it reads for the backward pass, in every use. */
export function keepsReads(uses: readonly Partial<Use>[]): boolean {
  return uses.every(({ reads: [read] = [], holds: [held] = [] }) => held === read);
}

/** Hub with all pairs of layouts that readers may share; its first value shares none. */
export function hubOf(sides: readonly (readonly Partial<Use>[])[]): Hub {
  const pairs = new Map<string, readonly [number, number]>([["", [-1, -1]]]);
  for (const { reads: [read = -1] = [], gradients: [gradient = -1] = [] } of sides.flat()) {
    pairs.set(`${read} ${gradient}`, [read, gradient]);
  }
  const all = [...pairs.values()];
  return {
    reads: Int32Array.from(all, ([read]) => read),
    gradients: Int32Array.from(all, ([, gradient]) => gradient),
  };
}

/** Pair of figures for one item: seconds and bytes. */
export interface Both<T> {
  readonly seconds: T;
  readonly bytes: T;
}

/** Costs of a value and of the layouts of its hub, in row-major order of sources and hub values. */
export function hubWeights(
  value: PlannedValue,
  sources: readonly number[],
  { reads, gradients }: Hub,
  rule: UpdateRule,
): Both<Float64Array> {
  const { routes, hasGradient } = value;
  const makes = hasGradient && value.readers.some(({ makesGradient }) => makesGradient);
  const count = reads.length;
  const seconds = new Float64Array(sources.length * count);
  const bytes = new Float64Array(sources.length * count);
  for (const [row, source] of sources.entries()) {
    const own = ownWeight(value, { rest: source, update: source }, rule);
    const end = endBound(value, source);
    const { runs } = rule;
    const times = gradientRuns(value, { gradients: [] }, rule);
    const add = (state: number) => runs * rule.pricing.addSeconds(routes.localBytes(state));
    const wanted = withoutPartials(value, source);
    for (let at = 0; at < count; at += 1) {
      const [read, gradient] = [reads[at] as number, gradients[at] as number];
      const place = row * count + at;
      const isMoved = read >= 0 && read !== source;
      const combined =
        gradient >= 0 && hasGradient
          ? times * routes.bound(gradient, wanted) - add(gradient)
          : makes
            ? -add(wanted)
            : 0;
      seconds[place] =
        own.seconds +
        runs * end.seconds +
        combined +
        (isMoved ? runs * routes.bound(source, read) : 0);
      const copies = end.bytes + (isMoved ? routes.localBytes(read) : 0);
      bytes[place] = own.bytes + (rule.countsTurn ? 0 : copies);
    }
  }
  return { seconds, bytes };
}

/** Layouts that a reader's uses read and produce, next to a hub. */
export function hubShape(hub: Hub, uses: readonly Partial<Use>[]): HubShape {
  return {
    hub,
    reads: Int32Array.from(uses, ({ reads: [read = -1] = [] }) => read),
    gradients: Int32Array.from(uses, ({ gradients: [gradient = -1] = [] }) => gradient),
  };
}

/**
 * Costs of a reader next to a hub.
 *
 * @param share share that it pays of a layout outside the hub, since other readers may want it too
 * @param kept share that it pays of bytes kept for the backward pass, if those are counted
 */
export function readerCosts(
  value: PlannedValue,
  sources: readonly number[],
  { reads, gradients }: HubShape,
  rule: UpdateRule,
  share: number,
  kept: number,
): Both<HubCosts> {
  const { routes, hasGradient } = value;
  const { pricing, runs } = rule;
  const times = gradientRuns(value, { gradients: [] }, rule);
  const [seconds, bytes] = [
    emptyCosts(sources.length, reads.length),
    emptyCosts(sources.length, reads.length),
  ];
  const add = (state: number) => runs * pricing.addSeconds(routes.localBytes(state));
  for (const [row, source] of sources.entries()) {
    const wanted = withoutPartials({ routes }, source);
    const whole = add(wanted);
    for (let use = 0; use < reads.length; use += 1) {
      const [read, gradient] = [reads[use] as number, gradients[use] as number];
      const place = row * reads.length + use;
      const isCombined = hasGradient && gradient >= 0;
      const reading = read === source ? 0 : share * runs * routes.bound(source, read);
      const making = isCombined ? share * (times * routes.bound(gradient, wanted) + whole) : 0;
      const adding = isCombined ? add(gradient) : 0;
      seconds.own[place] = reading + making;
      seconds.readShared[place] = making;
      seconds.gradientShared[place] = reading + adding;
      seconds.shared[use] = adding;
      if (rule.countsTurn) {
        const held = kept * routes.localBytes(read);
        bytes.own[place] = held;
        bytes.readShared[place] = held;
        bytes.shared[use] = held;
      } else bytes.own[place] = read === source ? 0 : share * routes.localBytes(read);
      bytes.gradientShared[place] = bytes.own[place] as number;
    }
  }
  return { seconds, bytes };
}

function emptyCosts(sources: number, uses: number): HubCosts {
  const each = () => new Float64Array(sources * uses);
  return {
    own: each(),
    readShared: each(),
    gradientShared: each(),
    shared: new Float64Array(uses),
  };
}

/** Costs of a reader next to a hub, with bytes converted at a price. */
export function pricedCosts(
  { seconds, bytes }: Both<HubCosts>,
  pricedOf: (seconds: Float64Array, bytes: Float64Array) => Float64Array,
): HubCosts {
  return {
    own: pricedOf(seconds.own, bytes.own),
    readShared: pricedOf(seconds.readShared, bytes.readShared),
    gradientShared: pricedOf(seconds.gradientShared, bytes.gradientShared),
    shared: pricedOf(seconds.shared, bytes.shared),
  };
}
