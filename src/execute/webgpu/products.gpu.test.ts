import { expect, test } from "vitest";
import { propagate } from "#core/plan";
import { lower, type SpmdProgram } from "#core/program";
import { runProgramOn } from "#execute/verify";
import { testGraph, testMesh, testRequests } from "../../core/plan/graph.testing.ts";
import { testEngine } from "./dawn.testing.ts";
import type { ProductTile } from "./tile-choice.ts";

/** Tiles of products: with one and several parts of a sum, and more cells than a product has. */
const tiles: Readonly<Record<string, ProductTile>> = {
  "16 × 16": { rows: 16, columns: 16, depth: 8, perThread: [4, 4], parts: 1 },
  "32 × 16 in 3 parts": { rows: 32, columns: 16, depth: 16, perThread: [8, 4], parts: 3 },
  "64 × 64": { rows: 64, columns: 64, depth: 16, perThread: [8, 8], parts: 1 },
};

const engines = new Map<string, Awaited<ReturnType<typeof testEngine>>>();
for (const [name, product] of Object.entries(tiles)) {
  engines.set(name, await testEngine({ limits: { isCpu: false, hasQuads: false, product } }));
}

const annotations = [
  "b m k+, k+ n -> b m n",
  "b k+ m, k+ n -> b m n",
  "b m k+, n k+ -> b m n",
  "b k+ m, n k+ -> b n m",
  "b m k+, b k+ n -> b m n",
  "m b k+, b n k+ -> b n m",
  "b k+ m, k+ n -> n b m",
] as const;

type Sizes = Readonly<Record<"b" | "m" | "k" | "n", number>>;

/** A product by an annotation, cut over four devices. */
function product(
  annotation: string,
  sizes: Sizes,
  cuts: Readonly<Record<string, string>>,
): SpmdProgram {
  const mesh = testMesh({ p: 2, q: 2 });
  const [from = "", to = ""] = annotation.split(" -> ");
  const [x, w] = from.split(", ").map((each) => shapeOf(each, sizes));
  const graph = testGraph({ x: x ?? [], w: w ?? [], u: shapeOf(to, sizes) }, [
    { result: "h", annotation, inputs: ["x", "w"] },
    { result: "y", annotation: `${to}, ${to} -> ${to}`, inputs: ["h", "u"] },
  ]);
  return lower(graph, propagate(graph, mesh, testRequests(mesh, { h: cuts })).plan);
}

function shapeOf(dims: string, sizes: Sizes): readonly number[] {
  return dims.split(" ").map((name) => sizes[name.replace("+", "") as keyof Sizes] ?? 1);
}

/** Numbers that look random, the same in every run. */
function randomly(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
}

const draw = randomly(7);
const cuts = [{ m: "p", n: "q" }, { k: "p", n: "q" }, { k: "q", m: "p" }, { b: "p" }, {}];
const cases = annotations.flatMap((annotation) =>
  [0, 1, 2, 3].map((at) => {
    const isEven = at < 2;
    const size = (most: number) => (isEven ? 4 * (2 + draw(most / 4)) : 5 + draw(most));
    const sizes = { b: 1 + draw(4), m: 16 + size(90), k: size(70), n: 16 + size(80) };
    return { annotation, ...sizes, cut: cuts[draw(cuts.length)] ?? {} };
  }),
);

test.each(cases)("$annotation of $b, $m, $k, $n", async ({ annotation, cut, ...sizes }) => {
  const program = product(annotation, sizes, cut);
  for (const [name, engine] of engines) {
    for (const values of ["integers", "floats"] as const) {
      const run = await runProgramOn(engine, program, { seed: 3, values });
      if (!run.ok) throw new Error(run.diagnostics[0]?.message);
      expect(run.value.first, `${name}, ${values}`).toBeUndefined();
    }
  }
});
