import type { AxisName, DeviceMesh, Link } from "#core/mesh";
import { frameOf } from "./align.ts";
import { type AxisState, layoutOf } from "./axis-state.ts";
import type { DraftStep } from "./emit.ts";
import { finishes } from "./finish.ts";
import { rateOfDraft } from "./price.ts";
import type { Frame } from "./prime-sub-axis.ts";
import { collectiveLaunchSeconds, isLess, linkOf, type RouteRate } from "./rates.ts";
import { type RouteKey, RouteKeys } from "./route-keys.ts";
import { findRoutes } from "./routes.ts";
import { isSliceAway, pooledSpace, remaining, type Space, spaceOf } from "./space.ts";

/** The known plans of all redistributions with one key, per element of the key. */
interface RouteSummary {
  /** Times of plans that may be the fastest at some size; all such plans where `isWhole`. */
  readonly ways: readonly RouteRate[];
  /** Lower bounds of the elements that a device receives, in total and over the slower links. */
  readonly least: number;
  readonly leastSlow: number;
  readonly isWhole: boolean;
}

/** The time of one redistribution as a function of bytes per element. */
export interface RouteTime {
  /** Seconds of the plan, after a search; `undefined` where `planReshard` is needed. */
  readonly seconds: (bytesPerElement: number) => number | undefined;
  /** Lower bound of the seconds of any plan, known without a search. */
  readonly bound: (bytesPerElement: number) => number;
  /** Whether the bound is exact, since all plans are known. */
  readonly isKnown: () => boolean;
}

/**
 * Seconds of redistributions between layouts of whole mesh axes, as `planReshard` gives them. One
 * search serves all redistributions with the same key, and lower bounds need no search.
 */
export class RouteTimes {
  private readonly mesh: DeviceMesh;
  private readonly keys: RouteKeys;
  private readonly floor: Floor;
  private readonly simple = new Map<RouteKey["key"], RouteSummary | undefined>();
  private readonly searched = new Map<RouteKey["whole"], readonly RouteRate[] | undefined>();

  /** `undefined` if the axes of a mesh do not have one prime in common. */
  static of(mesh: DeviceMesh): RouteTimes | undefined {
    const keys = RouteKeys.of(mesh, {});
    return keys && new RouteTimes(mesh, keys);
  }

  private constructor(mesh: DeviceMesh, keys: RouteKeys) {
    this.mesh = mesh;
    this.keys = keys;
    this.floor = floorOf(mesh);
  }

  /** The time of a redistribution; `undefined` where `planReshard` is needed. */
  timeOf(from: AxisState, to: AxisState, shape: readonly number[]): RouteTime | undefined {
    const found = this.keys.keyOf(from, to, shape);
    const known = found && this.knownOf(found, from, to, shape);
    if (found === undefined || known === undefined) return undefined;
    if (known.isWhole) return new KeyedTime(found.elements, known, nothingToFind);
    const all = () => this.searched.get(found.whole);
    const search = () => this.waysOf(found, from, to, shape);
    return new KeyedTime(found.elements, known, { floor: this.floor, all, search });
  }

  private knownOf(
    { key, elements }: RouteKey,
    from: AxisState,
    to: AxisState,
    shape: readonly number[],
  ): RouteSummary | undefined {
    if (this.simple.has(key)) return this.simple.get(key);
    const known = this.simpleWays(from, to, shape, elements);
    this.simple.set(key, known);
    return known;
  }

  /** Plans of a single collective; if one meets the lower bound, no search is needed. */
  private simpleWays(
    from: AxisState,
    to: AxisState,
    shape: readonly number[],
    elements: number,
  ): RouteSummary | undefined {
    const [source, target] = [layoutOf(from, this.mesh), layoutOf(to, this.mesh)];
    const frame = frameOf(source, target, shape);
    if (frame === undefined) return undefined;
    const space = spaceOf(frame, false);
    if (isSliceAway(space, space.source)) {
      return { ways: [{ fixed: 0, perByte: 0 }], least: 0, leastSlow: 0, isWhole: true };
    }
    const least = remaining(space, space.source);
    const single = finishes(space, space.source);
    const ways = single.map(({ rate }) => ({ ...rate, perByte: rate.perByte / elements }));
    const isWhole = single.some((edge) => !isLess(least, edge.elements));
    const leastSlow = isWhole ? 0 : this.slowElements(space, frame);
    return { ways, least: least / elements, leastSlow: leastSlow / elements, isWhole };
  }

  /** Elements that a device receives at least along the slower links. */
  private slowElements(space: Space, { subAxes }: Frame): number {
    const slow = subAxes.reduce(
      (set, { axis }, at) => (this.floor.slowAxes.has(axis) ? set | (1 << at) : set),
      0,
    );
    const pooled = pooledSpace(space, slow);
    return (remaining(pooled, pooled.source) * pooled.devices) / space.devices;
  }

  /** All plans that the search finds between two states, as rates; `undefined` if it gives up. */
  private waysOf(
    { whole, elements }: RouteKey,
    from: AxisState,
    to: AxisState,
    shape: readonly number[],
  ): readonly RouteRate[] | undefined {
    if (this.searched.has(whole)) return this.searched.get(whole);
    const [source, target] = [layoutOf(from, this.mesh), layoutOf(to, this.mesh)];
    const { routes, isProportional } = findRoutes(source, target, shape, {});
    const rates = routes.flatMap((route) => rateOf(route, elements) ?? []);
    const isTold = isProportional && rates.length === routes.length;
    const ways = isTold ? rates : undefined;
    this.searched.set(whole, ways);
    return ways;
  }
}

/** Lower bounds of the time of plans with two or more steps. */
interface Floor {
  /** Least seconds to launch two steps. */
  readonly fixed: number;
  /** Least seconds per byte of any step, and of a step along one of the slower axes. */
  readonly perByte: number;
  readonly slowPerByte: number;
  readonly slowAxes: ReadonlySet<AxisName>;
}

function floorOf(mesh: DeviceMesh): Floor {
  const links = mesh.axes.map(({ name }) => linkOf(mesh, name, {}));
  const perBytes = links.map(perByteAlong);
  const perByte = Math.min(...perBytes);
  const isSlow = (at: number) => (perBytes[at] ?? perByte) > perByte;
  return {
    fixed:
      2 *
      (collectiveLaunchSeconds({}) +
        Math.min(
          ...links.map(({ latency, inner = { latency } }) => Math.min(latency, inner.latency)),
        )),
    perByte,
    slowPerByte: Math.min(...perBytes.filter((each) => each > perByte)),
    slowAxes: new Set(mesh.axes.filter((_, at) => isSlow(at)).map(({ name }) => name)),
  };
}

/**
 * Least seconds per byte of any collective along an axis or a part of it. An axis over nodes uses
 * both kinds of links at once, so their rates add up.
 */
function perByteAlong({ bandwidth, reached = 1, fabric, inner }: Link): number {
  const own = (fabric === "ring" ? 0.5 : 1) / (bandwidth * reached);
  return inner === undefined ? own : 1 / (1 / own + 1 / perByteAlong(inner));
}

/** The ways to find the plans of a redistribution. */
interface Finding {
  readonly floor: Floor;
  /** The plans that an earlier search found; `undefined` before a search. */
  readonly all: () => readonly RouteRate[] | undefined;
  readonly search: () => readonly RouteRate[] | undefined;
}

/** Result for redistributions without further plans to search for. */
const nothingToFind: Finding = {
  floor: { fixed: 0, perByte: 0, slowPerByte: 0, slowAxes: new Set() },
  all: () => undefined,
  search: () => undefined,
};

class KeyedTime implements RouteTime {
  private readonly elements: number;
  private readonly known: RouteSummary;
  private readonly finding: Finding;

  constructor(elements: number, known: RouteSummary, finding: Finding) {
    this.elements = elements;
    this.known = known;
    this.finding = finding;
  }

  seconds(bytesPerElement: number): number | undefined {
    const { ways, isWhole } = this.known;
    const bytes = this.elements * bytesPerElement;
    const single = quickestAt(ways, bytes);
    if (isWhole) return single;
    // A plan with more steps is no quicker, so no search is needed.
    if (this.finding.all() === undefined && single <= this.floorOf(bytes)) return single;
    const all = this.finding.search();
    return all && quickestAt(all, bytes);
  }

  bound(bytesPerElement: number): number {
    const { ways, isWhole } = this.known;
    const bytes = this.elements * bytesPerElement;
    const all = isWhole ? ways : this.finding.all();
    if (all !== undefined) return quickestAt(all, bytes);
    return Math.min(quickestAt(ways, bytes), this.floorOf(bytes));
  }

  /** Lower bound of the seconds of plans with two or more steps. */
  private floorOf(bytes: number): number {
    const { least, leastSlow } = this.known;
    const { fixed, perByte, slowPerByte } = this.finding.floor;
    const slow = leastSlow > 0 ? leastSlow * slowPerByte : 0;
    const sent = slow + Math.max(0, least - leastSlow) * perByte;
    return fixed + sent * bytes;
  }

  isKnown(): boolean {
    return this.known.isWhole || this.finding.all() !== undefined;
  }
}

/** Seconds of a plan, fixed and per participating element; `undefined` where a step has no rate. */
function rateOf(route: readonly DraftStep[], elements: number): RouteRate | undefined {
  let sum: RouteRate = { fixed: 0, perByte: 0 };
  for (const step of route) {
    const rate = rateOfDraft(step, {});
    if (rate === undefined) return undefined;
    sum = { fixed: sum.fixed + rate.fixed, perByte: sum.perByte + rate.perByte / elements };
  }
  return sum;
}

function quickestAt(ways: readonly RouteRate[], bytes: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (const { fixed, perByte } of ways) least = Math.min(least, fixed + perByte * bytes);
  return least;
}
