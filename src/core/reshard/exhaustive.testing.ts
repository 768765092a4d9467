import type { Collective } from "#core/collective";
import { empty, type State } from "./prime-sub-axis.ts";
import { maxSteps } from "./search.ts";
import { changedSubAxes, freeSubAxes, isSliceAway, type Space, sizeOf } from "./space.ts";

/**
 * The front of (steps, elements) with the least seconds of each point, by trying every collective
 * of redistribution.md §7.2 on every state, without any of the rules that make the search quick. No
 * exchange.
 */
export function exhaustiveFront(
  space: Space,
  bytesPerElement = 4,
): readonly { readonly steps: number; readonly elements: number; readonly seconds: number }[] {
  const front: { steps: number; elements: number; seconds: number }[] = [];
  const known = new Map<string, Entry>();
  const start = { state: space.source, elements: 0, seconds: 0 };
  let layer = sliceClosure(space, new Map([[textOf(space.source), start]]));
  for (let steps = 0; steps <= maxSteps; steps++) {
    for (const { state, elements, seconds } of layer.values()) {
      const best = front.at(-1) ?? { elements: Infinity, seconds: Infinity };
      const isNext = front.at(-1)?.steps !== steps;
      if (!isTarget(space, state) || elements > best.elements) continue;
      if (elements === best.elements && (isNext || seconds >= best.seconds)) continue;
      if (!isNext) front.pop();
      front.push({ steps, elements, seconds });
    }
    const next = new Map<string, Entry>();
    for (const { state, elements, seconds } of layer.values()) {
      for (const edge of collectives(space, state)) {
        const changed = changedSubAxes(state, edge.state);
        const { fixed, secondsPerByte } = space.rates.rateOf(edge.collective, changed);
        const time = fixed + edge.elements * bytesPerElement * secondsPerByte;
        const after = { ...edge, elements: elements + edge.elements, seconds: seconds + time };
        const key = textOf(edge.state);
        const there = next.get(key) ?? known.get(key);
        if (there !== undefined && !isBetter(after, there)) continue;
        next.set(key, after);
      }
    }
    for (const [key, reached] of next) known.set(key, reached);
    layer = sliceClosure(space, next);
  }
  return front;
}

interface Entry {
  readonly state: State;
  readonly elements: number;
  readonly seconds: number;
}

/** Whether an entry has fewer elements, or as many in less time. */
function isBetter(a: Entry, b: Entry): boolean {
  return a.elements < b.elements || (a.elements === b.elements && a.seconds < b.seconds);
}

/** The state after a collective, and the elements received. */
interface Stepped {
  readonly collective: Collective;
  readonly state: State;
  readonly elements: number;
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
  for (const entry of queue) {
    const { state } = entry;
    for (const [subAxis, slot] of fits(space, state.slots, freeSubAxes(space, state))) {
      const next = { slots: state.slots.with(slot, subAxis), partials: state.partials };
      const sliced = { ...entry, state: next };
      const there = found.get(textOf(next));
      if (there !== undefined && !isBetter(sliced, there)) continue;
      found.set(textOf(next), sliced);
      queue.push(sliced);
    }
  }
  return found;
}

/** Every (sub-axis, empty slot) of equal radix, for the sub-axes of a set. */
function fits(
  space: Space,
  slots: readonly number[],
  subAxes: number,
): readonly (readonly [number, number])[] {
  return space.radices.flatMap((radix, subAxis) =>
    ((subAxes >> subAxis) & 1) === 0
      ? []
      : slots.flatMap((held, slot) =>
          held === empty && space.slotRadices[slot] === radix ? [[subAxis, slot] as const] : [],
        ),
  );
}

function collectives(space: Space, state: State): readonly Stepped[] {
  const held = sizeOf(space, state);
  const kinds = new Set(space.reduces.filter((kind) => kind !== undefined));
  const ofKind = [...kinds].map((kind) =>
    space.reduces.reduce(
      (bits, other, subAxis) => (other === kind ? bits | (1 << subAxis) : bits),
      0,
    ),
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

function gathers(space: Space, state: State, held: number): readonly Stepped[] {
  const occupied = state.slots.flatMap((subAxis, slot) => (subAxis === empty ? [] : [slot]));
  return subsets(occupied)
    .slice(1)
    .map((gone) => ({
      slots: state.slots.map((subAxis, slot) => (gone.includes(slot) ? empty : subAxis)),
      partials: state.partials,
    }))
    .filter((after) => sizeOf(space, after) <= space.bound)
    .map((state) => {
      return { collective: "all-gather", state, elements: sizeOf(space, state) - held };
    });
}

function moves(space: Space, state: State, held: number): readonly Stepped[] {
  const occupied = state.slots.flatMap((subAxis, slot) => (subAxis === empty ? [] : [slot]));
  return subsets(occupied)
    .slice(1)
    .flatMap((moved) => {
      const subAxes = moved.map((slot) => state.slots[slot] ?? empty);
      const group = subAxes.reduce((n, subAxis) => n * (space.radices[subAxis] ?? 1), 1);
      return landings(space, state.slots, subAxes).map((landed) => {
        const slots = landed.map((subAxis, slot) => (moved.includes(slot) ? empty : subAxis));
        const after = { slots, partials: state.partials };
        return { collective: "all-to-all", state: after, elements: held - held / group };
      });
    });
}

/** Every way to put sub-axes into empty slots of their radix. */
function landings(
  space: Space,
  slots: readonly number[],
  subAxes: readonly number[],
): readonly (readonly number[])[] {
  const [subAxis, ...rest] = subAxes;
  if (subAxis === undefined) return [slots];
  return fits(space, slots, 1 << subAxis).flatMap(([, slot]) =>
    landings(space, slots.with(slot, subAxis), rest),
  );
}

function relabellings(space: Space, state: State, held: number): readonly Stepped[] {
  const walk = (slot: number, slots: readonly number[], free: number): readonly State[] => {
    if (slot === slots.length) return [{ slots, partials: state.partials }];
    if (slots[slot] === empty) return walk(slot + 1, slots, free);
    return space.radices.flatMap((radix, subAxis) =>
      ((free >> subAxis) & 1) === 1 && radix === space.slotRadices[slot]
        ? walk(slot + 1, slots.with(slot, subAxis), free & ~(1 << subAxis))
        : [],
    );
  };
  const all = ((1 << space.radices.length) - 1) & ~state.partials;
  return walk(0, state.slots, all)
    .filter((after) => textOf(after) !== textOf(state))
    .map((after) => ({ collective: "collective-permute", state: after, elements: held }));
}

function reductions(
  space: Space,
  state: State,
  held: number,
  partials: number,
): readonly Stepped[] {
  const present = space.radices.flatMap((_, subAxis) =>
    (partials >> subAxis) & 1 ? [subAxis] : [],
  );
  return subsets(present)
    .slice(1)
    .flatMap((subAxes) => {
      const group = subAxes.reduce((n, subAxis) => n * (space.radices[subAxis] ?? 1), 1);
      const left = subAxes.reduce((bits, subAxis) => bits & ~(1 << subAxis), state.partials);
      const elements = held - held / group;
      const scattered = landings(space, state.slots, subAxes).map((slots): Stepped => {
        return { collective: "reduce-scatter", state: { slots, partials: left }, elements };
      });
      const whole = { slots: state.slots, partials: left };
      return [...scattered, { collective: "all-reduce", state: whole, elements: 2 * elements }];
    });
}
