import type { Edge } from "./finish.ts";
import { empty, type Frame, type State } from "./frame.ts";
import { joinedRates } from "./rates.ts";
import type { Route } from "./search.ts";
import type { Space } from "./space.ts";

/** A space with fewer, larger atoms, and the way back. */
export interface Coarse {
  readonly space: Space;
  /** The same route in the atoms and slots of the fine space. */
  readonly refine: (route: Route) => Route;
}

/**
 * The space in which atoms of one axis that stand together on both sides are one atom.
 *
 * Plans found there are plans of the fine space, usually the best ones, and far fewer states are
 * to be looked at. `undefined` when no atoms join.
 *
 * @param apart an atom that is not joined with the next one, though it could be
 */
export function coarsen(frame: Frame, space: Space, apart?: number): Coarse | undefined {
  const glue = glueOf(frame, apart);
  if (glue.atoms.size === 0) return undefined;
  const atoms = chains(space.radices.length, glue.atoms);
  const main = chains(space.spareFrom, glue.slots);
  const sequenceOf = (chain: readonly number[]) => chain.map((at) => space.radices[at] ?? 1);
  const spares = spareChains(frame, space, atoms.map(sequenceOf));
  const slots = [...main, ...spares];
  const product = (factors: readonly number[]) => factors.reduce((n, factor) => n * factor, 1);
  const radices = atoms.map((chain) => product(sequenceOf(chain)));
  const sequences = new Map(atoms.map((chain, at) => [radices[at], sequenceOf(chain).join()]));
  if (atoms.some((chain, at) => sequences.get(radices[at]) !== sequenceOf(chain).join())) {
    return undefined;
  }
  const coarseState = (state: State): State => ({
    slots: slots.map(([first = 0]) => {
      const atom = state.slots[first] ?? empty;
      return atom === empty ? empty : atoms.findIndex((chain) => chain[0] === atom);
    }),
    partials: atoms.reduce(
      (bits, [first = 0], at) => ((state.partials >> first) & 1 ? bits | (1 << at) : bits),
      0,
    ),
  });
  const target = coarseState(space.target);
  return {
    space: {
      ...space,
      radices,
      reduces: atoms.map(([first = 0]) => space.reduces[first]),
      slotRadices: slots.map((chain) => product(chain.map((slot) => space.slotRadices[slot] ?? 1))),
      spareFrom: main.length,
      source: coarseState(space.source),
      target,
      home: atoms.map((_, atom) => target.slots.indexOf(atom)),
      rates: joinedRates(space.rates, atoms),
    },
    refine: (route) => refineRoute(route, atoms, slots, space.slotRadices.length),
  };
}

/** Neighbours that are joined with the next one, by the index of the first. */
interface Glue {
  readonly atoms: ReadonlySet<number>;
  readonly slots: ReadonlySet<number>;
}

/** The most joints for which atoms joined always stand in slots joined, and the other way round. */
function glueOf(frame: Frame, apart: number | undefined): Glue {
  const joints = [...frame.atoms.keys()].filter((at) => at !== apart && isRun(frame, at));
  const atoms = new Set(joints);
  const slots = new Set(adjacentSlots(frame));
  const states = [frame.source, frame.target];
  for (let size = -1; size !== atoms.size + slots.size; ) {
    size = atoms.size + slots.size;
    for (const at of [...atoms]) {
      const isKept = states.every((state) => areTogether(frame, state, at, slots));
      if (!isKept) atoms.delete(at);
    }
    for (const at of [...slots]) {
      const isKept = states.every(({ slots: held }) => {
        const [first, second] = [held[at] ?? empty, held[at + 1] ?? empty];
        return first === empty ? second === empty : second === first + 1 && atoms.has(first);
      });
      if (!isKept) slots.delete(at);
    }
  }
  return { atoms, slots };
}

function isRun(frame: Frame, at: number): boolean {
  const [first, second] = [frame.atoms[at], frame.atoms[at + 1]];
  if (first === undefined || second === undefined) return false;
  const isNext = first.axis === second.axis && first.before * first.radix === second.before;
  return isNext && frame.reduces[at] === frame.reduces[at + 1];
}

function areTogether(
  frame: Frame,
  { slots, partials }: State,
  atom: number,
  joints: ReadonlySet<number>,
): boolean {
  const [first, second] = [slots.indexOf(atom), slots.indexOf(atom + 1)];
  if (first === empty && second === empty) {
    return ((partials >> atom) & 1) === ((partials >> (atom + 1)) & 1);
  }
  return second === first + 1 && joints.has(first) && first + 1 < frame.spareFrom;
}

/** Slots followed by the next one directly in their dim, of those that a layout uses. */
function adjacentSlots(frame: Frame): readonly number[] {
  return frame.dims.flatMap((digits) =>
    digits.flatMap((digit, at) => {
      const next = digits[at + 1];
      if (digit.kind !== "slot" || next?.kind !== "slot") return [];
      return next.slot === digit.slot + 1 && next.slot < frame.spareFrom ? [digit.slot] : [];
    }),
  );
}

function chains(count: number, joints: ReadonlySet<number>): readonly (readonly number[])[] {
  const found: number[][] = [];
  for (let at = 0; at < count; at++) {
    if (at > 0 && joints.has(at - 1)) found.at(-1)?.push(at);
    else found.push([at]);
  }
  return found;
}

/** Runs of spare slots of one dim that can hold the atoms, longest first, one for each atom. */
function spareChains(
  frame: Frame,
  space: Space,
  sequences: readonly (readonly number[])[],
): readonly (readonly number[])[] {
  const runs = frame.dims.map((digits) =>
    digits.flatMap((digit) =>
      digit.kind === "slot" && digit.slot >= space.spareFrom ? [digit.slot] : [],
    ),
  );
  const found: (readonly number[])[] = [];
  for (const sequence of [...sequences].sort((a, b) => b.length - a.length)) {
    const run = runs.find((slots) =>
      sequence.every((r, at) => space.slotRadices[slots[at] ?? -1] === r),
    );
    if (run !== undefined) found.push(run.splice(0, sequence.length));
  }
  return found;
}

function refineRoute(
  route: Route,
  atoms: readonly (readonly number[])[],
  slots: readonly (readonly number[])[],
  count: number,
): Route {
  const refineState = (state: State): State => {
    const fine = Array.from({ length: count }, () => empty);
    for (const [at, chain] of slots.entries()) {
      const parts = atoms[state.slots[at] ?? empty] ?? [];
      for (const [place, slot] of chain.entries()) fine[slot] = parts[place] ?? empty;
    }
    const partials = atoms.reduce(
      (bits, chain, at) =>
        (state.partials >> at) & 1 ? chain.reduce((set, atom) => set | (1 << atom), bits) : bits,
      0,
    );
    return { slots: fine, partials };
  };
  const edges = route.edges.map(
    (edge): Edge => ({
      ...edge,
      before: refineState(edge.before),
      after: refineState(edge.after),
    }),
  );
  return { ...route, edges };
}
