import fc from "fast-check";
import { sum } from "#core/arithmetic";

const base = "http://tensortapestry.org/schemas/loom/2024-01/";
const typeOf = (kind: string) => `${base}node_types.jsd#/nodes/${kind}`;
const tagOf = (kind: string) => `${base}tag_types.jsd#/tags/${kind}`;

/** Node ids in alphabetical order, in mixed case as documents may have them. */
export const idOf = (number: number) =>
  `0000000A-0000-4000-8000-${String(number).padStart(12, "0")}`;

/** Start of one dim of an index, and the lengths of the pieces into which Applications cut it. */
export interface CutAxis {
  readonly start: number;
  readonly lengths: readonly number[];
}

/** An operation of a chain: each maps the cells of one tensor to those of the next. */
export interface ChainLink {
  readonly axes: readonly CutAxis[];
  readonly label?: string;
  readonly hasApplications: boolean;
}

interface Box {
  readonly start: readonly number[];
  readonly end: readonly number[];
}

function grid(axes: readonly CutAxis[]): readonly Box[] {
  return axes.reduce<readonly Box[]>(
    (boxes, { start, lengths }) =>
      boxes.flatMap((box) => {
        let at = start;
        return lengths.map((length) => {
          const own = { start: [...box.start, at], end: [...box.end, at + length] };
          at += length;
          return own;
        });
      }),
    [{ start: [], end: [] }],
  );
}

function whole(axes: readonly CutAxis[]): Box {
  return {
    start: axes.map(({ start }) => start),
    end: axes.map(({ start, lengths }) => start + sum(lengths)),
  };
}

const identity = (rank: number) =>
  Array.from({ length: rank }, (_, row) =>
    Array.from({ length: rank }, (__, column) => (row === column ? 1 : 0)),
  );

/**
 * A document, as a plain object, with a chain `x0 -> relu -> x1 -> relu -> …`, the Applications of
 * every link and a Note. Each tensor begins where its index does.
 */
export function chainOf(links: readonly ChainLink[]): { id: string; nodes: object[] } {
  const axesOf = (at: number) => (links[Math.min(at, links.length - 1)] as ChainLink).axes;
  const size = (axes: readonly CutAxis[]) => whole(axes);
  const tensors = [...links.keys(), links.length].map((at) => ({
    id: idOf(100 + at),
    type: typeOf("Tensor"),
    label: `x${at}`,
    body: { dtype: "float32", range: size(axesOf(Math.max(0, at - 1))) },
  }));
  const nodes = links.flatMap(({ axes, label, hasApplications }, at) => {
    const rank = axes.length;
    const map = { affineMap: { projection: identity(rank), offset: identity(rank).map(() => 0) } };
    const projection = { ...map, shape: identity(rank).map(() => 1) };
    const selected = (range: Box) => ({
      inputs: { x: [{ tensorId: idOf(100 + at), range }] },
      outputs: { y: [{ tensorId: idOf(101 + at).toLowerCase(), range }] },
    });
    const operation = {
      id: idOf(200 + at),
      type: typeOf("Operation"),
      ...(label !== undefined && { label }),
      body: { kernel: "op:relu", ...selected(whole(axes)) },
      tags: {
        [tagOf("IPFIndex")]: whole(axes),
        [tagOf("IPFSignature")]: { inputs: { x: [projection] }, outputs: { y: [projection] } },
      },
    };
    const shards = grid(axes).map((box, piece) => ({
      type: typeOf("Application"),
      id: idOf(1000 + 100 * at + piece),
      label: `piece ${piece}`,
      body: { operationId: idOf(200 + at), ...selected(box) },
      tags: { [tagOf("IPFIndex")]: box },
    }));
    return hasApplications ? [operation, ...shards] : [operation];
  });
  const note = { id: idOf(900), type: typeOf("Note"), body: { message: "kept \u00e9 as it is" } };
  return { id: idOf(1), nodes: [...tensors, note, ...nodes] };
}

/** Lists of lengths of at least 1 that add up to `sum`. */
const lengths = (sum: number) =>
  fc.subarray(Array.from({ length: sum - 1 }, (_, at) => at + 1)).map((cuts) => {
    const kept = cuts.slice(0, 3);
    return [...kept, sum].map((cut, at) => cut - (kept[at - 1] ?? 0));
  });

/** Chains of random cuts, whose tensors begin anywhere. */
export const chains: fc.Arbitrary<readonly ChainLink[]> = fc
  .tuple(
    fc.tuple(fc.integer({ min: -20, max: 20 }), fc.integer({ min: 1, max: 10 })),
    fc.tuple(fc.integer({ min: -20, max: 20 }), fc.integer({ min: 1, max: 6 })),
    fc.integer({ min: 1, max: 3 }),
  )
  .chain(([rows, columns, count]) => {
    const axis = ([start, size]: readonly [number, number]) =>
      lengths(size).map((list) => ({ start, lengths: list }));
    const link = fc.record({
      axes: fc.tuple(axis(rows), axis(columns)),
      hasApplications: fc.constant(true),
    });
    return fc.array(link, { minLength: count, maxLength: count });
  });

/** Ways in which the same document may be spelled. */
export const spellings: readonly ((value: object) => string)[] = [
  (value) => JSON.stringify(value),
  (value) => `\n${JSON.stringify(value, undefined, 4)}  \n\n`,
  (value) => JSON.stringify(value, undefined, "\t").replaceAll('": ', '" : '),
  (value) => JSON.stringify(value, undefined, 2).replaceAll("\n", "\r\n"),
  (value) => JSON.stringify(value).replaceAll("\u00e9", "\\u00e9").replaceAll(",", " , "),
];
