import type { AxisState } from "#core/reshard";

/**
 * Every layout without partial sums of a tensor of this rank: each mesh axis on no dim or on one,
 * in every order of axes on one dim. The whole layout is first.
 */
export function wholeRest(rank: number, sizes: readonly number[]): readonly AxisState[] {
  const whole: AxisState = { dims: Array.from({ length: rank }, () => []), partials: [] };
  return sizes.reduce<readonly AxisState[]>(
    (states, size, axis) =>
      size === 1 ? states : states.flatMap((state) => [state, ...insertions(state, axis)]),
    [whole],
  );
}

function insertions(state: AxisState, axis: number): readonly AxisState[] {
  return state.dims.flatMap((axes, dim) =>
    Array.from({ length: axes.length + 1 }, (_, place) => ({
      ...state,
      dims: state.dims.map((old, at) =>
        at === dim ? [...axes.slice(0, place), axis, ...axes.slice(place)] : old,
      ),
    })),
  );
}
