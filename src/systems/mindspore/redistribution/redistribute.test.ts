import fc from "fast-check";
import { expect, test } from "vitest";
import { cleanedUp } from "./clean-up.ts";
import { costOf, refinedBytes } from "./cost.ts";
import { axisSizeOf, flattened, type MappedTensor, normalized } from "./flat-layout.ts";
import { primitiveNames } from "./primitives.ts";
import { listOfRank } from "./rank-list.ts";
import { type RedistributionOptions, redistribute } from "./redistribute.ts";
import { blocksOf, factorings, replayLists, tensorsOf } from "./replay.testing.ts";
import { expandedShape, unify } from "./unify.ts";

const soak = process.env.SOAK ? 40 : 1;

/** All maps of a shape on a device matrix, without tuples. */
function mapsOf(deviceMatrix: readonly number[], shape: readonly number[]): readonly number[][] {
  return shape.reduce<readonly number[][]>(
    (maps, size) =>
      maps.flatMap((map) =>
        [-1, ...deviceMatrix.keys()]
          .filter((value) => value === -1 || !map.includes(value))
          .filter((value) => size % axisSizeOf(deviceMatrix, value) === 0)
          .map((value) => [...map, value]),
      ),
    [[]],
  );
}

function isRight(
  from: MappedTensor,
  to: MappedTensor,
  options: RedistributionOptions,
  clean: boolean,
) {
  const redistribution = redistribute(from, to, options);
  const start = known(from).blocks;
  const lists = start.map((_, rank) => {
    const list = listOfRank(redistribution, rank);
    return clean ? cleanedUp(list, redistribution.sliceFrom, rank) : list;
  });
  return JSON.stringify(replayLists(start, lists)) === known(to).text;
}

/** Cache of blocks by tensor, since the same tensors recur. */
const blocksKnown = new Map<string, { blocks: ReturnType<typeof blocksOf>; text: string }>();

function known(tensor: MappedTensor) {
  const key = JSON.stringify(tensor);
  const found = blocksKnown.get(key);
  if (found !== undefined) return found;
  const blocks = blocksOf(tensor);
  const made = { blocks, text: JSON.stringify(blocks) };
  blocksKnown.set(key, made);
  return made;
}

test("[§4] all map pairs of (2,2,2) on (2,2,2) end in the right blocks, with and without AllToAll", () => {
  const [deviceMatrix, shape] = [
    [2, 2, 2],
    [2, 2, 2],
  ];
  const maps = mapsOf(deviceMatrix, shape);
  expect(maps).toHaveLength(34);
  const pairs = maps.flatMap((from) => maps.map((to) => [from, to] as const));
  const wrong = pairs.filter(([before, after]) => {
    const from = { deviceMatrix, tensorMap: before, shape };
    const to = { deviceMatrix, tensorMap: after, shape };
    return ![false, true].every((allToAll) => isRight(from, to, { allToAll }, false));
  });
  expect(pairs).toHaveLength(34 * 34);
  expect(wrong).toEqual([]);
});

/** All layouts of a number of elements on a number of devices, without tuples. */
function layoutsOf(devices: number, elements: number): readonly MappedTensor[] {
  return factorings(devices).flatMap((deviceMatrix) =>
    factorings(elements).flatMap((shape) =>
      mapsOf(deviceMatrix, shape).map((tensorMap) => ({ deviceMatrix, tensorMap, shape })),
    ),
  );
}

test.each([
  [2, 2],
  [2, 16],
  [4, 4],
  [4, 8],
  [8, 4],
  [8, 8],
  [16, 2],
  [16, 16],
])(
  "[§4] on %i devices layouts of %i elements unify and every rank keeps its data",
  (devices, elements) => {
    const layouts = layoutsOf(devices, elements);
    const stride = soak > 1 ? 7 : 101;
    const all = layouts.flatMap((from, row) =>
      layouts
        .filter((_, at) => layouts.length < 40 || (row * 31 + at) % stride === 0)
        .map((to) => [from, to] as const),
    );
    const pairs = all.filter((_, at) => at % Math.ceil(all.length / (400 * soak)) === 0);
    const wrong = pairs.filter(([from, to]) => {
      const pair = unify(normalized(flattened(from)), normalized(flattened(to)));
      if (pair === undefined) return true;
      const isCommon =
        pair.from.deviceMatrix.join() === pair.to.deviceMatrix.join() &&
        pair.from.shape.join() === pair.to.shape.join();
      return (
        !isCommon || valuesOf(pair.from) !== valuesOf(from) || valuesOf(pair.to) !== valuesOf(to)
      );
    });
    expect(pairs.length).toBeGreaterThan(0);
    expect(wrong).toEqual([]);
  },
);

function valuesOf(tensor: MappedTensor): string {
  return JSON.stringify(blocksOf(tensor).map(({ values }) => values));
}

test.each([
  [8, 64],
  [16, 96],
  [12, 72],
  [6, 36],
])(
  "[§3] on %i devices random pairs of %i elements end in the right blocks, cleaned up too",
  (devices, elements) => {
    const pairs = fc.tuple(
      tensorsOf(devices, elements),
      tensorsOf(devices, elements),
      fc.boolean(),
    );
    fc.assert(
      fc.property(pairs, ([from, to, allToAll]) => {
        expect(isRight(from, to, { allToAll }, false)).toBe(true);
        expect(isRight(from, to, { allToAll }, true)).toBe(true);
        expect(isRight(from, to, { offline: true }, true)).toBe(true);
      }),
      { seed: 7, numRuns: 50 * soak },
    );
  },
);

// mindspore.md §3.3
test.each`
  shape         | by            | expanded
  ${[2, 8, 32]} | ${[16, 4, 8]} | ${[2, 8, 4, 8]}
  ${[8, 9]}     | ${[12, 6]}    | ${undefined}
`("$shape expanded by $by is $expanded", ({ shape, by, expanded }) => {
  expect(expandedShape(shape, by)).toEqual(expanded);
});

test("[§3.3] device matrices and shapes are refined together", () => {
  const from = { deviceMatrix: [8, 4], tensorMap: [1, 0], shape: [512, 1024] };
  const to = { deviceMatrix: [2, 16], tensorMap: [0, 1], shape: [512, 1024] };
  const pair = unify(from, to);
  expect(pair?.from).toEqual({
    deviceMatrix: [2, 2, 2, 4],
    tensorMap: [3, 2, 1, 0],
    shape: [2, 2, 128, 1024],
  });
  expect(pair?.to.tensorMap).toEqual([2, 1, 0, 3]);
});

// mindspore.md §1.6
test.each`
  matrix        | map       | normal
  ${[16, 1, 1]} | ${[2, 0]} | ${[[16], [0, -1]]}
  ${[1, 16, 1]} | ${[2, 1]} | ${[[16], [-1, 0]]}
  ${[1, 1, 1]}  | ${[2, 1]} | ${[[], [-1, -1]]}
  ${[2, 2, 1]}  | ${[2, 1]} | ${[[2, 2], [1, 0]]}
`("the map $map on $matrix is normally $normal", ({ matrix, map, normal }) => {
  const layout = normalized({ deviceMatrix: matrix, tensorMap: map, shape: [16, 16] });
  expect([layout.deviceMatrix, layout.tensorMap]).toEqual(normal);
});

test("[§3.7] layouts that are not expandable go through the whole tensor", () => {
  const from = { deviceMatrix: [4], tensorMap: [0, -1], shape: [8, 9] };
  const to = { deviceMatrix: [4], tensorMap: [0, -1], shape: [12, 6] };
  const found = redistribute(from, to);
  expect(found.isExpandable).toBe(false);
  expect(primitiveNames(found.operators)).toEqual(["AllGather", "Reshape", "StridedSlice"]);
});

test("[§3.10] the cost of rows to whole in elements, and its bytes as they are refined", () => {
  const from = { deviceMatrix: [4], tensorMap: [0, -1], shape: [64, 32] };
  const to = { ...from, tensorMap: [-1, -1] };
  expect(costOf(redistribute(from, to))).toEqual({
    forward: 1024,
    backward: 256,
    computation: 1024,
    memory: 2560,
  });
  expect([0, 1024, 4096].map(refinedBytes)).toEqual([0, 3072, 5120]);
});

// mindspore.md §3.10, with P = 16 elements
test.each`
  from        | to          | allToAll | cost
  ${[-1, -1]} | ${[0, -1]}  | ${false} | ${[0, 0, 32, 32]}
  ${[-1, 0]}  | ${[-1, -1]} | ${false} | ${[16, 8, 96, 96]}
  ${[0, -1]}  | ${[-1, 0]}  | ${true}  | ${[32, 32, 32, 32]}
  ${[-1, 0]}  | ${[0, -1]}  | ${true}  | ${[32, 32, 96, 96]}
`("from $from to $to costs $cost", ({ from, to, allToAll, cost }) => {
  const layout = { deviceMatrix: [2], shape: [8, 4] };
  const found = redistribute(
    { ...layout, tensorMap: from },
    { ...layout, tensorMap: to },
    { allToAll },
  );
  expect(Object.values(costOf(found))).toEqual(cost);
});
