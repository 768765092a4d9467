import fc from "fast-check";
import { expect, test } from "vitest";
import { examples } from "#app/examples";
import { type Compiled, compile, exportGraph } from "#compile";
import { planTextOf } from "#language/document/edit";
import { checkLoom } from "../check-loom.ts";
import { drawnPieces } from "../drawn-pieces.ts";
import { application, graph, ipf, operation, tags, tensor } from "../loom.testing.ts";
import { meshOfGrids } from "./mesh-of-grids.ts";

function exampleNamed(name: string): { readonly program: string; readonly plan: string } {
  const found = examples.find((example) => example.name === name);
  return { program: found?.program ?? "", plan: found?.plan ?? "" };
}

/** A graph with the Applications of a plan; the plan text itself is dropped. */
function withShards(program: string, plan: string): string {
  return exportGraph(compile(program, { planText: plan }), { dialect: "app" }).text;
}

function codesOf({ diagnostics }: Compiled): readonly string[] {
  return diagnostics.map(({ code }) => code);
}

/** The Applications of every operation, each once. */
function shardsIn({ imported }: Compiled): readonly string[] {
  const shards = imported?.operations.flatMap(({ operator, shards: all }) =>
    all.map(({ index }) => `${operator} ${JSON.stringify(index ?? [])}`),
  );
  return [...new Set(shards)].sort();
}

/** Pieces of every operation that devices compute, each once. */
function drawnIn({ graph, plan, imported }: Compiled): readonly string[] {
  const pieces = graph.operators.flatMap((operator) => {
    const operation = imported?.operations.find((each) => each.operator === operator.id);
    const own = plan.operators.get(operator.id);
    if (operation === undefined || own === undefined) return [];
    return drawnPieces(operation, operator, own).map(
      (box) => `${operator.id} ${JSON.stringify(box)}`,
    );
  });
  return pieces.sort();
}

test.each`
  name                  | plan                                                                                          | expected
  ${"loom-convolution"} | ${'mesh = Mesh(a=2, b=2)\nstrategy("conv", h="a", w="b")\n'}                                  | ${'mesh = Mesh(d0=2, d1=2)\nstrategy("conv", h="d0", w="d1")\n'}
  ${"loom-convolution"} | ${'mesh = Mesh(a=2, b=2)\nstrategy("conv", w=("a", "b"))\n'}                                  | ${'mesh = Mesh(d0=4)\nstrategy("conv", w="d0")\n'}
  ${"loom-split-k"}     | ${'mesh = Mesh(k=2)\nstrategy("partial", block="k")\nstrategy("total", m="k")\n'}             | ${'mesh = Mesh(d0=2)\nstrategy("partial", block="d0")\nstrategy("total", m="d0")\n'}
  ${"loom-split-k"}     | ${'mesh = Mesh(a=2, b=4)\nstrategy("partial", block="a", m="b")\nstrategy("total", m="b")\n'} | ${'mesh = Mesh(d0=4, d1=2)\nstrategy("partial", m="d0", block="d1")\nstrategy("total", m="d0")\n'}
  ${"loom-split-k"}     | ${'mesh = Mesh(a=4)\nstrategy("partial", m="a")\nstrategy("total", n="a")\n'}                 | ${'mesh = Mesh(d0=4)\nstrategy("partial", m="d0")\nstrategy("total", n="d0")\n'}
`("$name with the shards of $plan is drawn as they are", ({ name, plan, expected }) => {
  const text = withShards(exampleNamed(name).program, plan);
  const compiled = compile(text);
  expect(compiled.diagnostics).toEqual([]);
  expect(compiled.mesh.status).toBe("set");
  const derived = planTextOf(compiled.program.graph, compiled.mesh.mesh, compiled.plan);
  const order = ({ length }: string, other: string) => length - other.length;
  expect(derived.split("\n").sort(order)).toEqual(expected.split("\n").sort(order));
  expect(drawnIn(compiled)).toEqual(shardsIn(compiled));
  expect(exportGraph(compiled).text).toBe(text);
});

test("whatever a plan makes of a graph is drawn again from its Applications, and leaves as it came", () => {
  const names = ["loom-convolution", "loom-split-k", "loom-broadcast-add"];
  const sizes = fc.constantFrom(1, 2, 3, 4, 6);
  let drawn = 0;
  fc.assert(
    fc.property(
      fc.constantFrom(...names),
      sizes,
      sizes,
      fc.nat(2),
      fc.nat(2),
      (name, a, b, i, j) => {
        const { program } = exampleNamed(name);
        const { imported } = compile(program);
        const lines = (imported?.operations ?? []).map(({ operator, axes }) => {
          const [first, second] = [axes[i % axes.length], axes[j % axes.length]];
          const cuts = first === second ? `${first}=("a", "b")` : `${first}="a", ${second}="b"`;
          return `strategy("${operator}", ${cuts})\n`;
        });
        const planText = `mesh = Mesh(a=${a}, b=${b})\n${lines.join("")}`;
        const text = withShards(program, planText);
        if (checkLoom(text, { dialect: "app" }).issues.length > 0) return;
        const compiled = compile(text);
        expect(exportGraph(compiled).text).toBe(text);
        expect(exportGraph(compile(text, { planText }), { dialect: "app" }).text).toBe(text);
        if (codesOf(compiled).includes("loom/applications-irregular")) return;
        drawn++;
        expect(drawnIn(compiled)).toEqual(shardsIn(compiled));
      },
    ),
    { seed: 1, numRuns: process.env.SOAK === undefined ? 14 : 300 },
  );
  expect(drawn).toBeGreaterThan(8);
});

test.each`
  edit                                                         | why
  ${(all: Shard[]) => all.slice(1)}                            | ${"they are 3 of the 4 pieces of a grid"}
  ${(all: Shard[]) => all.slice(2)}                            | ${'along "h" they leave out 0:8'}
  ${(all: Shard[]) => all.map((each) => moved(each, 20))}      | ${'along "h" they overlap'}
  ${(all: Shard[]) => all.map(({ tags: _, ...rest }) => rest)} | ${"one of them has no index"}
`("Applications that are no grid say why: $why", ({ edit, why }) => {
  const { program, plan } = exampleNamed("loom-convolution");
  const graph = JSON.parse(withShards(program, plan));
  const isShard = ({ type }: Shard) => type.endsWith("Application");
  const start = ({ tags }: Shard) => Object.values(tags)[0]?.start ?? [];
  const shards = graph.nodes
    .filter(isShard)
    .sort((a: Shard, b: Shard) => (start(a)[0] ?? 0) - (start(b)[0] ?? 0));
  const others = graph.nodes.filter((node: Shard) => !isShard(node));
  const text = JSON.stringify({ ...graph, nodes: [...others, ...edit(shards)] });
  const { diagnostics } = compile(text);
  const found = diagnostics.find(({ code }) => code === "loom/applications-irregular");
  expect(found?.message).toBe(
    `the Applications of "conv" are no plan for a mesh, so they are not drawn: ${why}`,
  );
});

interface Shard {
  readonly type: string;
  readonly tags: Readonly<Record<string, { readonly start: number[]; readonly end: number[] }>>;
}

/** A shard with its cut along the first axis moved; past the end, only its end moves. */
function moved(shard: Shard, by: number): Shard {
  const tags = Object.fromEntries(
    Object.entries(shard.tags).map(([tag, { start, end }]) => {
      const [from = 0, ...fromRest] = start;
      const [to = 0, ...toRest] = end;
      const far = by > 16;
      const first = from === 0 || far ? from : from + by;
      const last = to === 16 ? to : far ? to + 1 : to + by;
      return [tag, { start: [first, ...fromRest], end: [last, ...toRest] }];
    }),
  );
  return { ...shard, tags };
}

test("the mesh of several grids is as small as they allow, and equal dims are cut alike", () => {
  const grid = (counts: readonly number[], ...dims: readonly string[]) => ({
    counts,
    dims: dims.map((dim) => [dim]),
  });
  expect(meshOfGrids([grid([2, 4], "a", "b"), grid([4], "b"), grid([8], "c")])).toEqual({
    axes: [
      { name: "d0", size: 2 },
      { name: "d1", size: 4 },
    ],
    cuts: [[["d0"], ["d1"]], [["d1"]], [["d0", "d1"]]],
  });
  expect(meshOfGrids([grid([3], "a"), grid([2], "b")]).axes.map(({ size }) => size)).toEqual([
    3, 2,
  ]);
  expect(meshOfGrids([grid([12], "a"), grid([2, 6], "x", "a")]).axes.length).toBe(2);
});

/** An operation that copies cell by cell, in as many shards as it has cells. */
function inCells(number: number, from: number, cells: number) {
  const cell = ipf("1");
  const signature = { inputs: { a: [cell] }, outputs: { r: [cell] } };
  const index = tags(`0:${cells}`, signature);
  const all = [`a=${from}[0:${cells}]`, `r=${from + 1}[0:${cells}]`] as const;
  const shards = Array.from({ length: cells }, (_, at) => {
    const one = `[${at}:${at + 1}]`;
    const own = [`a=${from}${one}`, `r=${from + 1}${one}`] as const;
    return application(1000 * number + at, number, ...own, tags(`${at}:${at + 1}`));
  });
  return [operation(number, `copy${number}`, ...all, index), ...shards];
}

test("Applications whose mesh would be too large to be drawn say so", () => {
  const tensors = [67, 67, 71, 71].map((cells, at) => tensor(at + 1, `t${at}`, `0:${cells}`));
  const text = graph(...tensors, ...inCells(5, 1, 67), ...inCells(6, 3, 71));
  const { diagnostics } = compile(text);
  expect(diagnostics.map(({ code }) => code)).toContain("loom/applications-too-many");
});
