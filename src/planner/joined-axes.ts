import type { AxisState } from "#core/reshard";
import type { AxisStrategy } from "./strategies.ts";
import type { PlannedValue } from "./values.ts";

/** Groups of mesh axes that cut together, by index in the mesh; every group is in mesh order. */
export type JoinedAxes = readonly (readonly number[])[];

/** The axes of a mesh in a number of groups of neighbours; axes of size 1 are left out. */
export function joinedAxes(sizes: readonly number[], groups: number): JoinedAxes {
  const axes = [...sizes.keys()].filter((at) => sizes[at] !== 1);
  const count = Math.min(groups, axes.length);
  return Array.from({ length: count }, (_, at) =>
    axes.slice(
      Math.round((at * axes.length) / count),
      Math.round(((at + 1) * axes.length) / count),
    ),
  );
}

/** Whether a strategy cuts by whole groups, in mesh order. */
export function isJoinedStrategy({ cuts, carry }: AxisStrategy, groups: JoinedAxes): boolean {
  const carried = carry.map(({ axis }) => axis).sort((a, b) => a - b);
  return [...cuts.values(), carried].every((axes) => isJoined(axes, groups));
}

/** A value whose layout at rest is chosen among layouts cut by whole groups. */
export function joinedRest(value: PlannedValue, groups: JoinedAxes): PlannedValue {
  const { source, routes } = value;
  if (source.kind !== "rest" || source.states.length === 1) return value;
  const isKept = ({ dims }: AxisState) => dims.every((axes) => isJoined(axes, groups));
  const states = source.states.filter((state) => isKept(routes.state(state)));
  return { ...value, source: { kind: "rest", states } };
}

function isJoined(axes: readonly number[], groups: JoinedAxes): boolean {
  const whole = groups.filter((group) => group.some((axis) => axes.includes(axis))).flat();
  return whole.length === axes.length && whole.every((axis, at) => axes[at] === axis);
}
