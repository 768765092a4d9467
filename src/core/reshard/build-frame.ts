import { product } from "#core/arithmetic";
import type { Layout, Part, ReduceKind } from "#core/mesh";
import {
  type AxisRadices,
  type Digit,
  empty,
  type Frame,
  type PrimeSubAxis,
  primesOf,
  subAxesOf,
  subAxesOfPart,
  subAxisKey,
} from "./prime-sub-axis.ts";

/** Frame of aligned digits, without sub-axes that keep their place on both sides. */
export function buildFrame(
  from: Layout,
  to: Layout,
  shape: readonly number[],
  sequences: readonly (readonly [Sequence, Sequence])[],
  radices: AxisRadices,
  targetSubAxes: (part: Part) => readonly PrimeSubAxis[],
): Frame {
  const partials = partialSubAxes(from, radices);
  const wanted = new Set(to.partials.flatMap(({ part }) => targetSubAxes(part)).map(subAxisKey));
  const keptPartials = partials.filter(({ subAxis }) => wanted.has(subAxisKey(subAxis)));
  const kept = new Set([
    ...keptPartials.map(({ subAxis }) => subAxisKey(subAxis)),
    ...sequences.flatMap(([a, b]) => a.filter((digit, at) => isKept(digit, b[at])).map(keyOfDigit)),
  ]);
  const subAxes = subAxesOf(from.mesh, radices).filter((subAxis) => !kept.has(subAxisKey(subAxis)));
  const slotted = fillSlots(sequences, subAxes);
  const all = addSpares(slotted.dims, shape, subAxes, slotted.slotRadices);
  const spares = all.slotRadices.slice(slotted.slotRadices.length).map(() => empty);
  const reduces = subAxes.map(
    (subAxis) =>
      partials.find((partial) => subAxisKey(partial.subAxis) === subAxisKey(subAxis))?.reduce,
  );
  return {
    mesh: from.mesh,
    subAxes,
    ...all,
    spareFrom: slotted.slotRadices.length,
    source: {
      slots: [...slotted.source, ...spares],
      partials: reduces.reduce(
        (bits, kind, at) => (kind === undefined ? bits : bits | (1 << at)),
        0,
      ),
    },
    target: { slots: [...slotted.target, ...spares], partials: 0 },
    reduces,
    keptPartials,
    elements: product(shape) / keptCut(slotted.dims),
  };
}

function partialSubAxes(
  { partials }: Layout,
  radices: AxisRadices,
): readonly { readonly subAxis: PrimeSubAxis; readonly reduce: ReduceKind }[] {
  return partials.flatMap(({ part, reduce }) =>
    subAxesOfPart(part, radices).map((subAxis) => ({ subAxis, reduce })),
  );
}

function isKept(a: Sequence[number], b: Sequence[number] | undefined): boolean {
  return (
    a.subAxis !== undefined &&
    b?.subAxis !== undefined &&
    subAxisKey(a.subAxis) === subAxisKey(b.subAxis)
  );
}

function keyOfDigit({ subAxis }: Sequence[number]): string {
  return subAxis === undefined ? "" : subAxisKey(subAxis);
}

function keptCut(dims: Frame["dims"]): number {
  return dims
    .flat()
    .reduce((n, digit) => (digit.kind === "kept" && digit.subAxis ? n * digit.radix : n), 1);
}

interface Slotted extends Pick<Frame, "dims" | "slotRadices"> {
  readonly source: readonly number[];
  readonly target: readonly number[];
}

/** A slot for every digit that a sub-axis enters or leaves. */
function fillSlots(
  sequences: readonly (readonly [Sequence, Sequence])[],
  subAxes: readonly PrimeSubAxis[],
): Slotted {
  const indices = new Map(subAxes.map((subAxis, index) => [subAxisKey(subAxis), index]));
  const indexOf = (digit: Sequence[number] | undefined) =>
    digit === undefined ? empty : (indices.get(keyOfDigit(digit)) ?? empty);
  const [slotRadices, source, target]: [number[], number[], number[]] = [[], [], []];
  const dims = sequences.map(([a, b]) =>
    (a.length > b.length ? a : b).map(({ radix }, at): Digit => {
      const [first, second] = [a[at], b[at]];
      const isEmpty = first?.subAxis === undefined && second?.subAxis === undefined;
      if (isEmpty || (first !== undefined && isKept(first, second))) {
        return { kind: "kept", radix, subAxis: first?.subAxis };
      }
      source.push(indexOf(first));
      target.push(indexOf(second));
      return { kind: "slot", radix, slot: slotRadices.push(radix) - 1 };
    }),
  );
  return { dims, slotRadices, source, target };
}

/**
 * Appends spare slots, which neither layout uses, to the dims: per radix at most as many as there
 * are sub-axes.
 */
function addSpares(
  dims: readonly (readonly Digit[])[],
  shape: readonly number[],
  subAxes: readonly PrimeSubAxis[],
  mainRadices: readonly number[],
): Pick<Frame, "dims" | "slotRadices"> {
  const slotRadices = [...mainRadices];
  const left = new Map<number, number>();
  for (const { radix } of subAxes) left.set(radix, (left.get(radix) ?? 0) + 1);
  const extended = dims.map((digits, at) => {
    const cut = digits.reduce((n, digit) => n * digit.radix, 1);
    const spares = primesOf((shape[at] ?? 0) / cut).filter((radix) => {
      const room = left.get(radix) ?? 0;
      left.set(radix, room - 1);
      return room > 0;
    });
    const added = spares.map(
      (radix): Digit => ({ kind: "slot", radix, slot: slotRadices.push(radix) - 1 }),
    );
    return [...digits, ...added];
  });
  return { dims: extended, slotRadices };
}

/**
 * The digits into which a layout cuts a dim, major first; without a sub-axis they are held locally.
 */
export type Sequence = readonly {
  readonly radix: number;
  readonly subAxis: PrimeSubAxis | undefined;
}[];
