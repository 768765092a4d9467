import { expect, test } from "vitest";
import { type Blocks, firstMismatch, replayCollective, scatter } from "#core/collective";
import type { Box } from "#core/indexspace";
import { type Layout, slicesOf } from "#core/mesh";
import type { CollectiveStep } from "#core/program";
import { compile } from "./compile.ts";
import type { Compiled } from "./compiled.ts";
import { programOf } from "./gallery.testing.ts";

/** Pieces of m, k and n in one MatMul: its strategy is ((m, k), (k, n)). */
type Pieces = readonly [m: number, k: number, n: number];

const shapes = { x: [16, 8], w: [8, 16], v: [16, 32], y: [16, 16], z: [16, 32] } as const;

/** The gallery's net with other strategies, on larger matrices. */
function netOf(first: Pieces, second: Pieces): string {
  const tuple = ([m, k, n]: Pieces) => `((${m}, ${k}), (${k}, ${n}))`;
  return programOf("mindspore-net")
    .replace(/(?<=matmul1 = .*shard\()\(.*\)(?=\)$)/m, tuple(first))
    .replace(/(?<=matmul2 = .*shard\()\(.*\)(?=\)$)/m, tuple(second))
    .replace(/^shapes.*$/m, "shapes(x=(16, 8), w=(8, 16), v=(16, 32))");
}

/** Every legal tuple strategy of one MatMul on a number of devices. */
function strategiesOn(devices: number): readonly Pieces[] {
  const powers = [1, 2, 4, 8].filter((power) => power <= devices);
  const all = powers.flatMap((m) => powers.flatMap((k) => powers.map((n): Pieces => [m, k, n])));
  return all.filter(([m, k, n]) => m * k * n <= devices);
}

/** Pairs in which the larger product needs exactly this number of devices. */
function pairsOn(devices: number): readonly (readonly [Pieces, Pieces])[] {
  const strategies = strategiesOn(devices);
  const pairs = strategies.flatMap((a) => strategies.map((b) => [a, b] as const));
  const exact = pairs.filter(([a, b]) => Math.max(product(a), product(b)) === devices);
  // All pairs in the long version only: eight devices have hundreds.
  return process.env.SOAK || devices < 8 ? exact : exact.filter((_, at) => at % 3 === 0);
}

/** Compiled pairs, shared by two tests. */
const known = new Map<string, Compiled>();

function compiledOf(first: Pieces, second: Pieces): Compiled {
  const text = netOf(first, second);
  const compiled = known.get(text) ?? compile(text);
  known.set(text, compiled);
  return compiled;
}

function product(pieces: Pieces): number {
  return pieces[0] * pieces[1] * pieces[2];
}

/** Rows and columns of rank r, from digits of the device matrix [m, k, n, copies]. */
function closedForm(
  tensor: "a" | "b" | "out",
  pieces: Pieces,
  rank: number,
  devices: number,
  shape: readonly [number, number],
): Box {
  const [m, k, n] = pieces;
  const digit = (size: number, behind: number) => Math.floor(rank / behind) % size;
  const copies = devices / product(pieces);
  const digits = { m: digit(m, k * n * copies), k: digit(k, n * copies), n: digit(n, copies) };
  const cuts = {
    a: [
      [digits.m, m],
      [digits.k, k],
    ],
    b: [
      [digits.k, k],
      [digits.n, n],
    ],
    out: [
      [digits.m, m],
      [digits.n, n],
    ],
  } as const;
  return cuts[tensor].map(([index, count], dim) => {
    const size = (shape[dim] ?? 0) / count;
    return { start: index * size, stop: (index + 1) * size };
  });
}

function layoutOf(compiled: Compiled, tensor: string): Layout {
  const view = compiled.tensors.find((candidate) => candidate.tensor === tensor);
  if (view === undefined) throw new Error(`${tensor} is not there`);
  return view.layout;
}

function boxesOf(layout: Layout, shape: readonly number[]): readonly Box[] {
  return slicesOf(layout, shape).map(({ ranges }) => ranges);
}

/**
 * Replays the steps of a tensor on numbered elements, starting from the layout in which its
 * operator leaves it.
 */
function replayOf(compiled: Compiled, tensor: "y"): { blocks: Blocks; layout: Layout } {
  const values = new Map(compiled.program.values.map((value) => [value.id, value]));
  const shape = shapes[tensor];
  const steps = compiled.program.stages.flatMap((stage) => stage.steps);
  const made = steps
    .flatMap((step) => (step.kind === "local" ? step.outputs : []))
    .find((id) => values.get(id)?.tensor === tensor);
  const start = made === undefined ? undefined : values.get(made)?.layout;
  if (start === undefined) throw new Error(`${tensor} is not made`);
  const numbered = Float64Array.from({ length: shape[0] * shape[1] }, (_, index) => index + 1);
  const moving = steps.filter(
    (step): step is CollectiveStep =>
      step.kind === "collective" && values.get(step.input)?.tensor === tensor,
  );
  return moving.reduce(
    (state, step) => {
      const after = values.get(step.output)?.layout ?? state.layout;
      const replayed = {
        collective: step.collective,
        moves: step.moves,
        groups: step.groups,
        ...(step.pairs !== undefined && { transfers: step.pairs }),
        before: state.layout,
        after,
      };
      return { blocks: replayCollective(replayed, state.blocks, shape), layout: after };
    },
    { blocks: scatter(start, shape, numbered), layout: start },
  );
}

test.each([2, 4, 8])(
  "on %i devices every pair of legal strategies gives the closed form",
  (devices) => {
    const pairs = pairsOn(devices);
    expect(pairs.length).toBeGreaterThan(devices);
    for (const [first, second] of pairs) {
      const compiled = compiledOf(first, second);
      const name = `${first} then ${second}`;
      expect(
        compiled.diagnostics.filter(({ severity }) => severity === "error"),
        name,
      ).toEqual([]);
      expect(compiled.mesh.mesh.devices.length, name).toBe(devices);
      const ranks = Array.from({ length: devices }, (_, rank) => rank);
      const expected = (
        tensor: "a" | "b" | "out",
        pieces: Pieces,
        shape: readonly [number, number],
      ) => ranks.map((rank) => closedForm(tensor, pieces, rank, devices, shape));
      expect(boxesOf(layoutOf(compiled, "x"), shapes.x), name).toEqual(
        expected("a", first, shapes.x),
      );
      expect(boxesOf(layoutOf(compiled, "w"), shapes.w), name).toEqual(
        expected("b", first, shapes.w),
      );
      expect(boxesOf(layoutOf(compiled, "y"), shapes.y), name).toEqual(
        expected("out", first, shapes.y),
      );
      expect(boxesOf(layoutOf(compiled, "v"), shapes.v), name).toEqual(
        expected("b", second, shapes.v),
      );
      expect(boxesOf(layoutOf(compiled, "z"), shapes.z), name).toEqual(
        expected("out", second, shapes.z),
      );
    }
  },
);

test.each([2, 4, 8])(
  "on %i devices replaying y's steps gives the slices that matmul2 wants",
  (devices) => {
    for (const [first, second] of pairsOn(devices)) {
      const compiled = compiledOf(first, second);
      const { blocks, layout } = replayOf(compiled, "y");
      const numbered = Float64Array.from({ length: 16 * 16 }, (_, index) => index + 1);
      expect(
        firstMismatch(layout, shapes.y, blocks, numbered),
        `${first} then ${second}`,
      ).toBeUndefined();
      const wanted = Array.from({ length: devices }, (_, rank) =>
        closedForm("a", second, rank, devices, shapes.y),
      );
      expect(boxesOf(layout, shapes.y), `${first} then ${second}`).toEqual(wanted);
    }
  },
);
