import type { Collective } from "#core/collective";
import { type AxisState, stateKey } from "./axis-state.ts";

/** One step between two states: a collective on one mesh axis, or a permute on several. */
export interface AxisMove {
  readonly collective: Exclude<Collective, "exchange">;
  /** Indices of the axes in the mesh; for a permute, the axes whose position changes. */
  readonly axes: readonly number[];
  /**
   * The dim that loses axes and the dim that gets them; absent for a permute, which changes
   * several.
   */
  readonly from?: number;
  readonly to?: number;
  readonly after: AxisState;
}

/**
 * Every step out of a state that changes one axis (planner-plain.md §5): a slice or a
 * reduce-scatter to the inner end of a dim, the all-gather or all-to-all of an innermost axis, an
 * all-reduce, and the permutes that leave every dim in as many pieces as before.
 *
 * @param sizes lengths of the mesh axes; those of length 1 take no part
 */
export function movesFrom(state: AxisState, sizes: readonly number[]): readonly AxisMove[] {
  return [
    ...slices(state, sizes),
    ...gathers(state),
    ...reductions(state),
    ...permutes(state, sizes),
  ];
}

/** Gathers and reductions over several axes at once: consecutive steps of one kind. */
export function fusionsFrom(state: AxisState): readonly AxisMove[] {
  return (["all-gather", "reduce-scatter", "all-reduce"] as const).flatMap((kind) => {
    const known = new Map<string, AxisMove>();
    let last: readonly AxisMove[] = [{ collective: kind, axes: [], after: state }];
    while (last.length > 0) {
      const longer = last.flatMap(({ axes, after }) =>
        [...gathers(after), ...reductions(after)]
          .filter(({ collective }) => collective === kind)
          .map((move) => ({ ...move, axes: [...axes, ...move.axes].sort((a, b) => a - b) })),
      );
      last = longer.filter(({ after }) => !known.has(stateKey(after)));
      for (const move of last) known.set(stateKey(move.after), move);
    }
    return [...known.values()].filter(({ axes }) => axes.length > 1);
  });
}

function slices(state: AxisState, sizes: readonly number[]): readonly AxisMove[] {
  return unusedAxes(state, sizes).flatMap((axis) =>
    state.dims.map((_, dim): AxisMove => {
      return { collective: "slice", axes: [axis], to: dim, after: added(state, dim, axis) };
    }),
  );
}

function gathers(state: AxisState): readonly AxisMove[] {
  return state.dims.flatMap((axes, dim): readonly AxisMove[] => {
    const axis = axes.at(-1);
    if (axis === undefined) return [];
    const without = replaced(state, dim, axes.slice(0, -1));
    const others = state.dims.flatMap((_, to) => (to === dim ? [] : [to]));
    return [
      { collective: "all-gather", axes: [axis], from: dim, after: without },
      ...others.map((to): AxisMove => {
        const after = added(without, to, axis);
        return { collective: "all-to-all", axes: [axis], from: dim, to, after };
      }),
    ];
  });
}

function reductions(state: AxisState): readonly AxisMove[] {
  return state.partials.flatMap((axis): readonly AxisMove[] => {
    const without = { ...state, partials: state.partials.filter((other) => other !== axis) };
    return [
      { collective: "all-reduce", axes: [axis], after: without },
      ...state.dims.map((_, dim): AxisMove => {
        const after = added(without, dim, axis);
        return { collective: "reduce-scatter", axes: [axis], to: dim, after };
      }),
    ];
  });
}

function permutes(state: AxisState, sizes: readonly number[]): readonly AxisMove[] {
  const free = [...state.dims.flat(), ...unusedAxes(state, sizes)].sort((a, b) => a - b);
  const counts = state.dims.map((axes) => product(axes, sizes));
  return arrangements(counts, free, sizes).flatMap((dims): readonly AxisMove[] => {
    const axes = free.filter(
      (axis) => slotOf(state.dims, axis, sizes) !== slotOf(dims, axis, sizes),
    );
    if (axes.length === 0) return [];
    return [{ collective: "collective-permute", axes, after: { ...state, dims } }];
  });
}

/** All ways to cut dims into the given numbers of pieces with some of these axes, in any order. */
function arrangements(
  counts: readonly number[],
  free: readonly number[],
  sizes: readonly number[],
): readonly (readonly (readonly number[])[])[] {
  const [count, ...others] = counts;
  if (count === undefined) return [[]];
  return listsOf(count, free, sizes).flatMap((list) => {
    const left = free.filter((axis) => !list.includes(axis));
    return arrangements(others, left, sizes).map((rest) => [list, ...rest]);
  });
}

/** Ordered lists of axes whose sizes multiply to a count. */
function listsOf(
  count: number,
  free: readonly number[],
  sizes: readonly number[],
): readonly (readonly number[])[] {
  if (count === 1) return [[]];
  return free.flatMap((axis) => {
    const size = sizes[axis] ?? 1;
    if (count % size !== 0) return [];
    const left = free.filter((other) => other !== axis);
    return listsOf(count / size, left, sizes).map((rest) => [axis, ...rest]);
  });
}

/**
 * The position of an axis: its dim, and the number of pieces outside of it; empty if it is unused.
 */
function slotOf(dims: AxisState["dims"], axis: number, sizes: readonly number[]): string {
  const dim = dims.findIndex((axes) => axes.includes(axis));
  const axes = dims[dim] ?? [];
  return dim < 0 ? "" : `${dim}:${product(axes.slice(0, axes.indexOf(axis)), sizes)}`;
}

function unusedAxes({ dims, partials }: AxisState, sizes: readonly number[]): readonly number[] {
  const used = new Set([...dims.flat(), ...partials]);
  return sizes.flatMap((size, axis) => (size > 1 && !used.has(axis) ? [axis] : []));
}

function added(state: AxisState, dim: number, axis: number): AxisState {
  return replaced(state, dim, [...(state.dims[dim] ?? []), axis]);
}

function replaced(state: AxisState, dim: number, axes: readonly number[]): AxisState {
  return { ...state, dims: state.dims.map((old, at) => (at === dim ? axes : old)) };
}

function product(axes: readonly number[], sizes: readonly number[]): number {
  return axes.reduce((total, axis) => total * (sizes[axis] ?? 1), 1);
}
