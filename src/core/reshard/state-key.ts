import { empty, type State } from "./frame.ts";
import type { Space } from "./space.ts";

/** A number or text that states share when their futures cost the same. */
export type StateKey = number | string;

/**
 * The key of states that differ at most in what cannot matter: in which slot outside the target an
 * sub-axis is parked, and which of several sub-axes on equal links without a place in the target is
 * meant.
 */
export function keysOf(space: Space): (state: State) => StateKey {
  const alike = alikeSubAxes(space, (subAxis) => kindIn(space, subAxis));
  const alikePartials = alikeSubAxes(
    space,
    (subAxis) => `${kindIn(space, subAxis)} ${space.reduces[subAxis]}`,
  );
  const count = space.radices.length;
  const isWanted = space.target.slots.map((subAxis) => subAxis !== empty);
  const base = count + 1;
  const isSmall = base ** isWanted.filter(Boolean).length * 4 ** count < Number.MAX_SAFE_INTEGER;
  return ({ slots, partials }) => {
    let [placed, parked] = [0, 0];
    for (let slot = 0; slot < slots.length; slot++) {
      const subAxis = slots[slot] ?? empty;
      if (isWanted[slot])
        placed = placed * base + (subAxis === empty ? 0 : 1 + (alike[subAxis]?.[0] ?? 0));
      else if (subAxis !== empty) parked = withSubAxis(parked, subAxis, alike);
    }
    let combined = 0;
    for (let subAxis = 0; partials >> subAxis > 0; subAxis++) {
      if ((partials >> subAxis) & 1) combined = withSubAxis(combined, subAxis, alikePartials);
    }
    const rest = parked * 2 ** count + combined;
    return isSmall ? placed * 4 ** count + rest : `${placed} ${rest}`;
  };
}

function kindIn({ radices, rates }: Space, subAxis: number): string {
  return `${radices[subAxis]} ${rates.kinds[subAxis]}`;
}

/** A set with the first of the sub-axes like this one that it does not have yet. */
function withSubAxis(set: number, subAxis: number, alike: readonly (readonly number[])[]): number {
  const all = alike[subAxis] ?? [];
  for (const other of all) if (((set >> other) & 1) === 0) return set | (1 << other);
  return set;
}

/** Per sub-axis the sub-axes like it, itself included, in order. */
function alikeSubAxes(
  space: Space,
  kindOf: (subAxis: number) => string,
): readonly (readonly number[])[] {
  return space.radices.map((_, subAxis) => {
    if (space.home[subAxis] !== empty) return [subAxis];
    return space.radices.flatMap((_, other) =>
      space.home[other] === empty && kindOf(other) === kindOf(subAxis) ? [other] : [],
    );
  });
}
