import { empty, type State } from "./frame.ts";
import type { Space } from "./space.ts";

/** A number or text that states share when their futures cost the same. */
export type StateKey = number | string;

/**
 * The key of states that differ at most in what cannot matter: in which slot outside the target an
 * atom is parked, and which of several atoms on equal links without a place in the target is meant.
 */
export function keysOf(space: Space): (state: State) => StateKey {
  const alike = alikeAtoms(space, (atom) => kindIn(space, atom));
  const alikePartials = alikeAtoms(
    space,
    (atom) => `${kindIn(space, atom)} ${space.reduces[atom]}`,
  );
  const count = space.radices.length;
  const isWanted = space.target.slots.map((atom) => atom !== empty);
  const base = count + 1;
  const isSmall = base ** isWanted.filter(Boolean).length * 4 ** count < Number.MAX_SAFE_INTEGER;
  return ({ slots, partials }) => {
    let [placed, parked] = [0, 0];
    for (let slot = 0; slot < slots.length; slot++) {
      const atom = slots[slot] ?? empty;
      if (isWanted[slot])
        placed = placed * base + (atom === empty ? 0 : 1 + (alike[atom]?.[0] ?? 0));
      else if (atom !== empty) parked = withAtom(parked, atom, alike);
    }
    let combined = 0;
    for (let atom = 0; partials >> atom > 0; atom++) {
      if ((partials >> atom) & 1) combined = withAtom(combined, atom, alikePartials);
    }
    const rest = parked * 2 ** count + combined;
    return isSmall ? placed * 4 ** count + rest : `${placed} ${rest}`;
  };
}

function kindIn({ radices, rates }: Space, atom: number): string {
  return `${radices[atom]} ${rates.kinds[atom]}`;
}

/** A set with the first of the atoms like this one that it does not have yet. */
function withAtom(set: number, atom: number, alike: readonly (readonly number[])[]): number {
  const all = alike[atom] ?? [];
  for (const other of all) if (((set >> other) & 1) === 0) return set | (1 << other);
  return set;
}

/** Per atom the atoms like it, itself included, in order. */
function alikeAtoms(
  space: Space,
  kindOf: (atom: number) => string,
): readonly (readonly number[])[] {
  return space.radices.map((_, atom) => {
    if (space.home[atom] !== empty) return [atom];
    return space.radices.flatMap((_, other) =>
      space.home[other] === empty && kindOf(other) === kindOf(atom) ? [other] : [],
    );
  });
}
