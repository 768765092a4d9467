import { product } from "#core/arithmetic";
import type { Edge } from "./finish.ts";
import { empty, type Frame, type State } from "./prime-sub-axis.ts";
import { joinedRates } from "./rates.ts";
import type { Route } from "./search.ts";
import type { Space } from "./space.ts";

/** A space with fewer, larger sub-axes, and the way back. */
export interface Coarse {
  readonly space: Space;
  /** Translates a route to the sub-axes and slots of the fine space. */
  readonly refine: (route: Route) => Route;
}

/**
 * The coarser space in which neighbouring sub-axes of one axis are joined where both layouts keep
 * them together. Its routes are routes of the fine space, usually the best, and it has far fewer
 * states. `undefined` when no sub-axes can be joined.
 *
 * @param apart a sub-axis to keep apart from the next one, though they could be joined
 */
export function coarsen(frame: Frame, space: Space, apart?: number): Coarse | undefined {
  const glue = glueOf(frame, apart);
  if (glue.subAxes.size === 0) return undefined;
  const subAxes = chains(space.radices.length, glue.subAxes);
  const main = chains(space.spareFrom, glue.slots);
  const sequenceOf = (chain: readonly number[]) => chain.map((at) => space.radices[at] ?? 1);
  const spares = spareChains(frame, space, subAxes.map(sequenceOf));
  const slots = [...main, ...spares];
  const radices = subAxes.map((chain) => product(sequenceOf(chain)));
  const sequences = new Map(subAxes.map((chain, at) => [radices[at], sequenceOf(chain).join()]));
  if (subAxes.some((chain, at) => sequences.get(radices[at]) !== sequenceOf(chain).join())) {
    return undefined;
  }
  const coarseState = (state: State): State => ({
    slots: slots.map(([first = 0]) => {
      const subAxis = state.slots[first] ?? empty;
      return subAxis === empty ? empty : subAxes.findIndex((chain) => chain[0] === subAxis);
    }),
    partials: subAxes.reduce(
      (bits, [first = 0], at) => ((state.partials >> first) & 1 ? bits | (1 << at) : bits),
      0,
    ),
  });
  const target = coarseState(space.target);
  return {
    space: {
      ...space,
      radices,
      reduces: subAxes.map(([first = 0]) => space.reduces[first]),
      slotRadices: slots.map((chain) => product(chain.map((slot) => space.slotRadices[slot] ?? 1))),
      spareFrom: main.length,
      source: coarseState(space.source),
      target,
      home: subAxes.map((_, subAxis) => target.slots.indexOf(subAxis)),
      rates: joinedRates(space.rates, subAxes),
    },
    refine: (route) => refineRoute(route, subAxes, slots, space.slotRadices.length),
  };
}

/** Joints by index: sub-axes and slots joined with the next one. */
interface Glue {
  readonly subAxes: ReadonlySet<number>;
  readonly slots: ReadonlySet<number>;
}

/**
 * The largest set of joints in which joined sub-axes are always in joined slots, and joined slots
 * hold joined sub-axes.
 */
function glueOf(frame: Frame, apart: number | undefined): Glue {
  const joints = [...frame.subAxes.keys()].filter((at) => at !== apart && isRun(frame, at));
  const subAxes = new Set(joints);
  const slots = new Set(adjacentSlots(frame));
  const states = [frame.source, frame.target];
  for (let size = -1; size !== subAxes.size + slots.size; ) {
    size = subAxes.size + slots.size;
    for (const at of [...subAxes]) {
      const isKept = states.every((state) => areTogether(frame, state, at, slots));
      if (!isKept) subAxes.delete(at);
    }
    for (const at of [...slots]) {
      const isKept = states.every(({ slots: held }) => {
        const [first, second] = [held[at] ?? empty, held[at + 1] ?? empty];
        return first === empty ? second === empty : second === first + 1 && subAxes.has(first);
      });
      if (!isKept) slots.delete(at);
    }
  }
  return { subAxes, slots };
}

function isRun(frame: Frame, at: number): boolean {
  const [first, second] = [frame.subAxes[at], frame.subAxes[at + 1]];
  if (first === undefined || second === undefined) return false;
  const isNext = first.axis === second.axis && first.before * first.radix === second.before;
  return isNext && frame.reduces[at] === frame.reduces[at + 1];
}

function areTogether(
  frame: Frame,
  { slots, partials }: State,
  subAxis: number,
  joints: ReadonlySet<number>,
): boolean {
  const [first, second] = [slots.indexOf(subAxis), slots.indexOf(subAxis + 1)];
  if (first === empty && second === empty) {
    return ((partials >> subAxis) & 1) === ((partials >> (subAxis + 1)) & 1);
  }
  return second === first + 1 && joints.has(first) && first + 1 < frame.spareFrom;
}

/** Slots in use whose next slot follows them directly in the same dim. */
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

/**
 * Runs of spare slots of one dim that can hold the sub-axes, longest first, one for each sub-axis.
 */
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
  subAxes: readonly (readonly number[])[],
  slots: readonly (readonly number[])[],
  count: number,
): Route {
  const refineState = (state: State): State => {
    const fine = Array.from({ length: count }, () => empty);
    for (const [at, chain] of slots.entries()) {
      const parts = subAxes[state.slots[at] ?? empty] ?? [];
      for (const [place, slot] of chain.entries()) fine[slot] = parts[place] ?? empty;
    }
    const partials = subAxes.reduce(
      (bits, chain, at) =>
        (state.partials >> at) & 1
          ? chain.reduce((set, subAxis) => set | (1 << subAxis), bits)
          : bits,
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
