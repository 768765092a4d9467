import type { Collective } from "#core/collective";
import type { DeviceMesh } from "#core/mesh";
import { AxisRoutes } from "./axis-routes.ts";
import { layoutOf } from "./axis-state.ts";
import { createReshardPlanner, type PlanReshard } from "./planner.ts";

/**
 * Routes between the layouts of one tensor as the product itself takes them: the cheapest sequence
 * of fused collectives (`planReshard`), in place of single-axis steps.
 */
export class FusedRoutes extends AxisRoutes {
  private readonly mesh: DeviceMesh;
  private readonly planReshard: PlanReshard;
  private readonly known = new Map<number, number>();

  constructor(
    mesh: DeviceMesh,
    shape: readonly number[],
    bytesPerElement: number,
    planReshard: PlanReshard = createReshardPlanner(),
  ) {
    const axes = mesh.axes.map(({ size, link = { latency: 0, bandwidth: 1 } }) => ({ size, link }));
    super({ axes, shape, bytesPerElement, price: () => 0 });
    this.mesh = mesh;
    this.planReshard = planReshard;
  }

  override seconds(from: number, to: number): number {
    if (from === to) return 0;
    const key = from * 65_536 + to;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const seconds = this.canBecome(from, to) ? this.planned(from, to).seconds : Infinity;
    this.known.set(key, seconds);
    return seconds;
  }

  override collectives(from: number, to: number): readonly Collective[] {
    return from === to ? [] : this.planned(from, to).steps.map(({ collective }) => collective);
  }

  private planned(from: number, to: number) {
    const { shape, bytesPerElement } = this.options;
    const [source, target] = [from, to].map((id) => layoutOf(this.state(id), this.mesh));
    if (source === undefined || target === undefined) throw new Error("no such layouts");
    return this.planReshard(source, target, shape, { bytesPerElement });
  }

  /** Nothing becomes partial that is not. */
  private canBecome(from: number, to: number): boolean {
    const there = this.state(from).partials;
    return to >= 0 && this.state(to).partials.every((axis) => there.includes(axis));
  }
}
