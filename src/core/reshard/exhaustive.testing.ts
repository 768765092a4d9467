import { empty, type State } from "./frame.ts";
import { maxSteps } from "./search.ts";
import { freeAtoms, isSliceAway, type Space, sizeOf } from "./space.ts";

/**
 * The front of (steps, elements) by trying every collective of redistribution.md §7.2 on every
 * state, without any of the rules that make the search quick. No exchange.
 */
export function exhaustiveFront(
  space: Space,
): readonly { readonly steps: number; readonly elements: number }[] {
  const front: { steps: number; elements: number }[] = [];
  const known = new Map<string, number>();
  let layer = sliceClosure(space, new Map([[textOf(space.source), entry(space.source, 0)]]));
  for (let steps = 0; steps <= maxSteps; steps++) {
    for (const { state, elements } of layer.values()) {
      const best = front.at(-1)?.elements ?? Number.POSITIVE_INFINITY;
      if (!isTarget(space, state) || elements >= best) continue;
      if (front.at(-1)?.steps === steps) front.pop();
      front.push({ steps, elements });
    }
    const next = new Map<string, Entry>();
    for (const { state, elements } of layer.values()) {
      for (const edge of collectives(space, state)) {
        const total = elements + edge.elements;
        const key = textOf(edge.state);
        if (total >= (known.get(key) ?? Number.POSITIVE_INFINITY)) continue;
        known.set(key, total);
        next.set(key, entry(edge.state, total));
      }
    }
    layer = sliceClosure(space, next);
  }
  return front;
}

interface Entry {
  readonly state: State;
  readonly elements: number;
}

function entry(state: State, elements: number): Entry {
  return { state, elements };
}

function textOf({ slots, partials }: State): string {
  return `${slots}|${partials}`;
}

function isTarget(space: Space, state: State): boolean {
  return isSliceAway(space, state) && textOf(state) === textOf(space.target);
}

function sliceClosure(space: Space, start: ReadonlyMap<string, Entry>): ReadonlyMap<string, Entry> {
  const found = new Map(start);
  const queue = [...start.values()].sort((a, b) => a.elements - b.elements);
  for (let at = 0; at < queue.length; at++) {
    const { state, elements } = queue[at] ?? entry(space.source, 0);
    for (const [atom, slot] of fits(space, state.slots, freeAtoms(space, state))) {
      const next = { slots: state.slots.with(slot, atom), partials: state.partials };
      if ((found.get(textOf(next))?.elements ?? Number.POSITIVE_INFINITY) <= elements) continue;
      found.set(textOf(next), entry(next, elements));
      queue.push(entry(next, elements));
    }
  }
  return found;
}

/** Every (atom, empty slot) of equal radix, for the atoms of a set. */
function fits(
  space: Space,
  slots: readonly number[],
  atoms: number,
): readonly (readonly [number, number])[] {
  return space.radices.flatMap((radix, atom) =>
    ((atoms >> atom) & 1) === 0
      ? []
      : slots.flatMap((held, slot) =>
          held === empty && space.slotRadices[slot] === radix ? [[atom, slot] as const] : [],
        ),
  );
}

function collectives(space: Space, state: State): readonly Entry[] {
  const held = sizeOf(space, state);
  const kinds = new Set(space.reduces.filter((kind) => kind !== undefined));
  const ofKind = [...kinds].map((kind) =>
    space.reduces.reduce((bits, other, atom) => (other === kind ? bits | (1 << atom) : bits), 0),
  );
  return [
    ...gathers(space, state, held),
    ...moves(space, state, held),
    ...relabellings(space, state, held),
    ...ofKind.flatMap((bits) => reductions(space, state, held, bits & state.partials)),
  ];
}

function subsets<T>(items: readonly T[]): readonly (readonly T[])[] {
  return Array.from({ length: 2 ** items.length }, (_, chosen) =>
    items.filter((_, at) => (chosen >> at) & 1),
  );
}

function gathers(space: Space, state: State, held: number): readonly Entry[] {
  const occupied = state.slots.flatMap((atom, slot) => (atom === empty ? [] : [slot]));
  return subsets(occupied)
    .slice(1)
    .map((gone) => ({
      slots: state.slots.map((atom, slot) => (gone.includes(slot) ? empty : atom)),
      partials: state.partials,
    }))
    .filter((after) => sizeOf(space, after) <= space.bound)
    .map((after) => entry(after, sizeOf(space, after) - held));
}

function moves(space: Space, state: State, held: number): readonly Entry[] {
  const occupied = state.slots.flatMap((atom, slot) => (atom === empty ? [] : [slot]));
  return subsets(occupied)
    .slice(1)
    .flatMap((moved) => {
      const atoms = moved.map((slot) => state.slots[slot] ?? empty);
      const group = atoms.reduce((n, atom) => n * (space.radices[atom] ?? 1), 1);
      return landings(space, state.slots, atoms).map((landed) => {
        const slots = landed.map((atom, slot) => (moved.includes(slot) ? empty : atom));
        return entry({ slots, partials: state.partials }, held - held / group);
      });
    });
}

/** Every way to put atoms into empty slots of their radix. */
function landings(
  space: Space,
  slots: readonly number[],
  atoms: readonly number[],
): readonly (readonly number[])[] {
  const [atom, ...rest] = atoms;
  if (atom === undefined) return [slots];
  return fits(space, slots, 1 << atom).flatMap(([, slot]) =>
    landings(space, slots.with(slot, atom), rest),
  );
}

function relabellings(space: Space, state: State, held: number): readonly Entry[] {
  const walk = (slot: number, slots: readonly number[], free: number): readonly State[] => {
    if (slot === slots.length) return [{ slots, partials: state.partials }];
    if (slots[slot] === empty) return walk(slot + 1, slots, free);
    return space.radices.flatMap((radix, atom) =>
      ((free >> atom) & 1) === 1 && radix === space.slotRadices[slot]
        ? walk(slot + 1, slots.with(slot, atom), free & ~(1 << atom))
        : [],
    );
  };
  const all = ((1 << space.radices.length) - 1) & ~state.partials;
  return walk(0, state.slots, all)
    .filter((after) => textOf(after) !== textOf(state))
    .map((after) => entry(after, held));
}

function reductions(space: Space, state: State, held: number, partials: number): readonly Entry[] {
  const present = space.radices.flatMap((_, atom) => ((partials >> atom) & 1 ? [atom] : []));
  return subsets(present)
    .slice(1)
    .flatMap((atoms) => {
      const group = atoms.reduce((n, atom) => n * (space.radices[atom] ?? 1), 1);
      const left = atoms.reduce((bits, atom) => bits & ~(1 << atom), state.partials);
      const scattered = landings(space, state.slots, atoms).map((slots) =>
        entry({ slots, partials: left }, held - held / group),
      );
      const all = entry({ slots: state.slots, partials: left }, 2 * (held - held / group));
      return [...scattered, all];
    });
}
