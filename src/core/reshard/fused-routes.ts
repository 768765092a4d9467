import type { Collective } from "#core/collective";
import type { DeviceMesh } from "#core/mesh";
import { AxisRoutes } from "./axis-routes.ts";
import { layoutOf } from "./axis-state.ts";
import { createReshardPlanner, type PlanReshard } from "./plan-reshard.ts";
import { isLess } from "./rates.ts";
import type { RouteTime, RouteTimes } from "./route-times.ts";

/** The known routes from one layout, by target layout. */
interface Row {
  readonly seconds: (number | undefined)[];
  /** Returned lower bounds of seconds, by state. */
  readonly bounds: (number | undefined)[];
  /** Times by state; `null` if `RouteTimes` has no answer, so that `planReshard` is needed. */
  readonly times: (RouteTime | null | undefined)[];
}

/**
 * Largest mesh (devices) whose routes are searched as soon as a bound is requested. Up to this size
 * a search takes less time than planning again for each bound that proves too low.
 */
const mostSearchedAtOnce = 64;

/**
 * Routes between the layouts of one tensor by our own planner: the cheapest sequence of fused
 * collectives (`planReshard`), in place of single-axis steps.
 */
export class FusedRoutes extends AxisRoutes {
  private readonly mesh: DeviceMesh;
  private readonly planReshard: PlanReshard;
  private readonly times: RouteTimes | undefined;
  private readonly rows: Row[] = [];
  private readonly isSearchedAtOnce: boolean;
  private age = 0;

  /**
   * @param times prices that tensors of all shapes share, if there are any
   * @param isReplannedSoon whether a second search with the kept results would take hardly any time
   */
  constructor(
    mesh: DeviceMesh,
    shape: readonly number[],
    bytesPerElement: number,
    planReshard: PlanReshard = createReshardPlanner(),
    times: RouteTimes | undefined = undefined,
    isReplannedSoon = false,
  ) {
    const axes = mesh.axes.map(({ size, link = { latency: 0, bandwidth: 1 } }) => ({ size, link }));
    super({ axes, shape, bytesPerElement, price: () => 0 });
    this.mesh = mesh;
    this.planReshard = planReshard;
    this.times = times;
    const devices = mesh.axes.reduce((product, { size }) => product * size, 1);
    this.isSearchedAtOnce =
      times !== undefined && devices <= mostSearchedAtOnce && !isReplannedSoon;
  }

  override get version(): number {
    return this.age;
  }

  override seconds(from: number, to: number): number {
    if (from === to) return 0;
    const row = this.rowOf(from);
    const known = row.seconds[to];
    if (known !== undefined) return known;
    const seconds = this.canBecome(from, to) ? this.searched(from, to) : Infinity;
    row.seconds[to] = seconds;
    if (isLess(row.bounds[to] ?? seconds, seconds)) this.age += 1;
    return seconds;
  }

  override bound(from: number, to: number): number {
    if (from === to) return 0;
    const row = this.rowOf(from);
    const known = row.seconds[to];
    if (known !== undefined) return known;
    if (this.isSearchedAtOnce) return this.seconds(from, to);
    const bound = this.timeOf(from, to)?.bound(this.options.bytesPerElement);
    if (bound === undefined) return this.seconds(from, to);
    row.bounds[to] = bound;
    return bound;
  }

  override launch(from: number, to: number): number {
    return from === to ? 0 : (this.timeOf(from, to)?.bound(0) ?? 0);
  }

  override isKnown(from: number, to: number): boolean {
    if (from === to || this.rowOf(from).seconds[to] !== undefined) return true;
    return this.timeOf(from, to)?.isKnown() ?? false;
  }

  override collectives(from: number, to: number): readonly Collective[] {
    return from === to ? [] : this.planned(from, to).steps.map(({ collective }) => collective);
  }

  private searched(from: number, to: number): number {
    const seconds = this.timeOf(from, to)?.seconds(this.options.bytesPerElement);
    return seconds ?? this.planned(from, to).seconds;
  }

  private timeOf(from: number, to: number): RouteTime | undefined {
    const row = this.rowOf(from);
    const known = row.times[to];
    if (known === null) return undefined;
    if (known !== undefined) return known;
    const isAsked = this.times !== undefined && this.canBecome(from, to);
    const { shape } = this.options;
    const time = isAsked ? this.times?.timeOf(this.state(from), this.state(to), shape) : undefined;
    row.times[to] = time ?? null;
    return time;
  }

  private rowOf(from: number): Row {
    const row = this.rows[from] ?? { seconds: [], bounds: [], times: [] };
    this.rows[from] = row;
    return row;
  }

  private planned(from: number, to: number) {
    const { shape, bytesPerElement } = this.options;
    const [source, target] = [from, to].map((id) => layoutOf(this.state(id), this.mesh));
    if (source === undefined || target === undefined) throw new Error("no such layouts");
    return this.planReshard(source, target, shape, { bytesPerElement });
  }

  /** Whether the source is partial over all axes over which the target is partial. */
  private canBecome(from: number, to: number): boolean {
    const there = this.state(from).partials;
    return to >= 0 && this.state(to).partials.every((axis) => there.includes(axis));
  }
}
