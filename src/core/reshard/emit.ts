import {
  createExchange,
  groupsOf,
  type LayoutStep,
  type Move,
  movedParts,
  type Slot,
  transfersOf,
} from "#core/collective";
import {
  canonicalLayout,
  type DimLayout,
  type Layout,
  type Part,
  partSize,
  refineLayout,
  sameMesh,
} from "#core/mesh";
import type { Edge } from "./finish.ts";
import {
  type Digit,
  empty,
  type Frame,
  type PrimeSubAxis,
  partOf,
  type State,
} from "./prime-sub-axis.ts";

/** A collective with the elements that its busiest device receives. */
export interface DraftStep extends LayoutStep {
  readonly elements: number;
}

/**
 * Steps of a route, with slices where states differ; the last layout is the wanted one.
 *
 * If that is on another mesh, the last transfers are listed, since moves and groups refer to one
 * mesh only. A reduction, which transfers cannot express, is followed by an empty slice.
 * `undefined` if too many transfers would have to be listed.
 */
export function draftSteps(
  frame: Frame,
  edges: readonly Edge[],
  from: Layout,
  to: Layout,
  shape: readonly number[],
): readonly DraftStep[] | undefined {
  const steps: (DraftStep | undefined)[] = [];
  const isSame = sameMesh(from.mesh, to.mesh);
  let [state, layout] = [frame.source, from];
  const add = (collective: Edge["collective"], after: State, elements: number) => {
    const isLast = isSame && sameState(after, frame.target);
    const next = isLast ? to : layoutOf(frame, after);
    const moves = movesBetween(frame, { state, layout }, { state: after, layout: next });
    const groups = collective === "slice" ? [] : groupsOf(frame.mesh, movedParts(moves));
    const step = { collective, moves, groups, before: layout, after: next, elements };
    steps.push(collective === "exchange" ? withTransfers(step, shape) : step);
    [state, layout] = [after, next];
  };
  for (const edge of edges) {
    if (!sameState(state, edge.before)) add("slice", edge.before, 0);
    add(edge.collective, edge.after, edge.elements);
  }
  if (!sameState(state, frame.target)) add("slice", frame.target, 0);
  const known = steps.filter((step) => step !== undefined);
  if (known.length < steps.length) return undefined;
  return isSame ? known : onMeshOf(to, known, shape);
}

/** Steps whose last layout is written on another mesh. */
function onMeshOf(
  to: Layout,
  steps: readonly DraftStep[],
  shape: readonly number[],
): readonly DraftStep[] | undefined {
  const last = steps.at(-1);
  if (last === undefined) return steps;
  if (last.collective === "reduce-scatter" || last.collective === "all-reduce") {
    const relabel = { moves: [], groups: [], transfers: [], elements: 0 };
    return [...steps, { collective: "slice", ...relabel, before: last.after, after: to }];
  }
  const written = withTransfers(last, shape);
  return written && [...steps.slice(0, -1), { ...written, after: to }];
}

/** The most pairs of devices in groups whose transfers are written out one by one. */
const mostPairs = 1_000_000;

function withTransfers(step: DraftStep, shape: readonly number[]): DraftStep | undefined {
  if (step.collective === "exchange") {
    const exchange = createExchange(step.before, step.after, shape);
    return exchange && { ...exchange, moves: step.moves, elements: step.elements };
  }
  const pairs = step.groups.reduce((sum, { length }) => sum + length ** 2, 0);
  if (step.collective !== "collective-permute" && pairs > mostPairs) return undefined;
  return { ...step, transfers: transfersOf(step, shape) };
}

function sameState(a: State, b: State): boolean {
  return a.partials === b.partials && a.slots.every((subAxis, slot) => subAxis === b.slots[slot]);
}

interface Placed {
  readonly state: State;
  readonly layout: Layout;
}

/** The position of a digit: its dim, its index among the dim's digits, and the digits before it. */
interface DigitPosition {
  readonly dim: number;
  readonly at: number;
  readonly before: number;
}

/**
 * The move of every sub-axis between two states, with neighbours of one axis that move together
 * merged.
 */
function movesBetween(frame: Frame, now: Placed, then: Placed): readonly Move[] {
  const places = placesOf(frame.dims);
  const found = frame.subAxes.flatMap((subAxis, index) => {
    const [from, to] = [now.state.slots.indexOf(index), then.state.slots.indexOf(index)];
    const wasPartial = ((now.state.partials >> index) & 1) === 1;
    const isPartial = ((then.state.partials >> index) & 1) === 1;
    if (from === to && wasPartial === isPartial) return [];
    return [{ part: partOf(subAxis), from: placeAt(places, from), to: placeAt(places, to) }];
  });
  const runs = found.reduce<(typeof found)[number][][]>((done, move) => {
    const last = done.at(-1)?.at(-1);
    if (last !== undefined && continues(last, move)) done.at(-1)?.push(move);
    else done.push([move]);
    return done;
  }, []);
  const merged = runs.flatMap(mergeRun).sort(bySlot);
  const parts = merged.map(({ part }) => part);
  const [before, after] = [now.layout, then.layout].map((layout) => refined(layout, parts));
  return merged.map(
    ({ part, from, to }): Move => ({
      part,
      ...(from && { from: slotIn(before, from) }),
      ...(to && { to: slotIn(after, to) }),
    }),
  );
}

/**
 * Orders moves so that the members of a group are in the order of their blocks, not in mesh order.
 */
function bySlot(a: SubAxisMove, b: SubAxisMove): number {
  const [one, other] = [a, b].map(({ from, to }) => to ?? from);
  if (one === undefined || other === undefined) return Number(!one) - Number(!other);
  return one.dim - other.dim || one.at - other.at;
}

function mergeRun(run: readonly SubAxisMove[]): readonly SubAxisMove[] {
  const [first] = run;
  if (first === undefined) return [];
  const size = run.reduce((product, move) => product * move.part.size, 1);
  return [{ ...first, part: { ...first.part, size } }];
}

/**
 * The layout refined so that each part of a step is a part of its own, as `applyMoves` requires.
 */
function refined(layout: Layout, parts: readonly Part[]): Layout {
  return refineLayout(layout, parts) ?? layout;
}

interface SubAxisMove {
  readonly part: ReturnType<typeof partOf>;
  readonly from: DigitPosition | undefined;
  readonly to: DigitPosition | undefined;
}

function continues(a: SubAxisMove, b: SubAxisMove): boolean {
  const isNext = a.part.axis === b.part.axis && a.part.before * a.part.size === b.part.before;
  return isNext && follows(a.from, b.from) && follows(a.to, b.to);
}

function follows(a: DigitPosition | undefined, b: DigitPosition | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a.dim === b.dim && a.at + 1 === b.at;
}

function placesOf(dims: readonly (readonly Digit[])[]): readonly DigitPosition[] {
  const places: DigitPosition[] = [];
  for (const [dim, digits] of dims.entries()) {
    let before = 1;
    for (const [at, digit] of digits.entries()) {
      if (digit.kind === "slot") places[digit.slot] = { dim, at, before };
      before *= digit.radix;
    }
  }
  return places;
}

function placeAt(places: readonly DigitPosition[], slot: number): DigitPosition | undefined {
  return slot === empty ? undefined : places[slot];
}

/** The position of the part that covers a place in a layout. */
function slotIn(layout: Layout | undefined, { dim, before }: DigitPosition): Slot {
  const parts = layout?.dims[dim]?.parts ?? [];
  let product = 1;
  const position = parts.findIndex((part) => {
    product *= partSize(part);
    return product > before;
  });
  return { dim, position: position === -1 ? parts.length : position };
}

/**
 * A state as a layout: a locally held digit in front of a sub-axis is written as pieces, since it
 * is a local transpose away from an ordinary layout (redistribution.md §7.1.3).
 */
function layoutOf(frame: Frame, state: State): Layout {
  const dims = frame.dims.map((digits): DimLayout => {
    const parts = digits.map((digit) => digitPart(frame, state, digit));
    const last = parts.findLastIndex((part) => part.kind === "axis");
    return { parts: parts.slice(0, last + 1), chunks: "flat" };
  });
  const moving = frame.subAxes.flatMap((subAxis, index) => {
    const reduce = frame.reduces[index];
    const isPartial = ((state.partials >> index) & 1) === 1;
    return isPartial && reduce !== undefined ? [{ subAxis, reduce }] : [];
  });
  const partials = [...frame.keptPartials, ...moving].map(({ subAxis, reduce }) => ({
    part: partOf(subAxis),
    reduce,
  }));
  return canonicalLayout({ mesh: frame.mesh, dims, partials });
}

/** Sub-axis at a digit in a state; `undefined` if the digit is empty. */
function subAxisAt(frame: Frame, state: State, digit: Digit): PrimeSubAxis | undefined {
  if (digit.kind === "kept") return digit.subAxis;
  const subAxis = state.slots[digit.slot] ?? empty;
  return subAxis === empty ? undefined : frame.subAxes[subAxis];
}

function digitPart(frame: Frame, state: State, digit: Digit): Part {
  const subAxis = subAxisAt(frame, state, digit);
  return subAxis === undefined ? { kind: "pieces", count: digit.radix } : partOf(subAxis);
}
