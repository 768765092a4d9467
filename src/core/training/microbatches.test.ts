import { expect, test } from "vitest";
import type { Diagnostic } from "#core/diagnostics";
import { propagate } from "#core/plan";
import { type Line, testGraph, testMesh, testRequests } from "../plan/graph.testing.ts";
import { expandTraining } from "./expand-training.ts";
import type { TrainingGraph } from "./training.ts";

const shapes = { x: [8, 4], t: [8, 4], w: [4, 4], w8: [8, 4], s: [4, 4] };
const product = "m k+, k+ n -> m n";

/** `y = m k+, k+ n -> m n (x w); …`; the last line makes the loss. */
function linesOf(text: string): readonly Line[] {
  return text.split("; ").map((line) => {
    const [, result = "", annotation = "", operands = ""] =
      /^(\w+) = (.*) \((.*)\)$/.exec(line) ?? [];
    return { result, annotation, inputs: operands.split(" ") };
  });
}

/** A training step on two devices; `cuts` as in `{ y: { m: "dp" } }`. */
function step(
  text: string,
  count: number,
  cuts: Readonly<Record<string, Readonly<Record<string, string>>>> = {},
): TrainingGraph {
  const graph = testGraph(shapes, linesOf(text));
  const mesh = testMesh({ dp: 2 });
  const { plan } = propagate(graph, mesh, testRequests(mesh, cuts));
  const loss = graph.operators.at(-1)?.outputs[0]?.tensor;
  if (loss === undefined) throw new Error("no loss");
  const recompute = new Set<never>();
  return expandTraining(graph, plan, {
    loss,
    optimizer: "sgd",
    zero: 0,
    recompute,
    microbatches: count,
  });
}

/** Faults beside the remark that some reduction has no derivative of its own. */
function faultsIn(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.filter(({ code }) => code !== "training/no-gradient");
}

test.each`
  lines                                                  | rows                                   | shares
  ${`y = ${product} (x w)`}                              | ${"x:0 y.grad:0 y:0"}                  | ${"w.grad"}
  ${`y = ${product} (x w); l = m+ n+ -> 1 (y)`}          | ${"x:0 y:0"}                           | ${"l"}
  ${`y = ${product} (x w); z = m n, m n -> m n (y t)`}   | ${"t:0 x:0 y.grad:0 y:0 z.grad:0 z:0"} | ${"w.grad"}
  ${`y = ${product} (x w); z = m n -> n m (y)`}          | ${"x:0 y.grad:0 y:0 z.grad:1 z:1"}     | ${"w.grad"}
  ${`y = ${product} (x w); z = m k+, k+ n -> m n (y s)`} | ${"x:0 y.grad:0 y:0 z.grad:0 z:0"}     | ${"w.grad"}
`("the rows of $lines are cut, sums over them are shares", ({ lines, rows, shares }) => {
  const { asked, diagnostics } = step(lines, 2);
  expect(faultsIn(diagnostics)).toEqual([]);
  const cut = [...(asked.microbatches?.dims ?? [])].map(([id, dim]) => `${id}:${dim}`);
  expect(cut.sort().join(" ")).toBe(rows);
  expect([...(asked.microbatches?.shares ?? [])].sort().join(" ")).toBe(shares);
});

test.each`
  lines                                                             | count | said
  ${`y = ${product} (x w); z = m k+, n k+ -> m n (y y)`}            | ${2}  | ${'"z" pairs every row with every other'}
  ${`y = ${product} (x w); z = m^ n -> m^ n (y)`}                   | ${2}  | ${'"z" needs the whole batch'}
  ${`y = ${product} (x w); z = m^ n -> n (y)`}                      | ${2}  | ${'"z" needs the whole batch'}
  ${`y = ${product} (x w); z = m+ n -> n (y); v = n, n -> n (z z)`} | ${2}  | ${'"v" needs sums over the whole batch'}
  ${`y = ${product} (x w); z = m n, m n -> m n (y w8)`}             | ${2}  | ${'the parameter "w8" has rows of its own'}
`("$lines in $count micro-batches is warned of: $said", ({ lines, count, said }) => {
  const { asked, diagnostics, graph } = step(lines, count);
  expect(asked.microbatches).toBeUndefined();
  expect(graph.operators.filter(({ op }) => op === "accumulate")).toEqual([]);
  const reason = `${said}: the steps and figures are those of one batch`;
  expect(faultsIn(diagnostics)).toMatchObject([
    { code: "training/one-batch", severity: "warning", message: reason },
  ]);
});

test.each`
  count | cuts                  | said
  ${3}  | ${{}}                 | ${'the 8 rows of "x" cannot be cut evenly into 3 micro-batches'}
  ${8}  | ${{ y: { m: "dp" } }} | ${'the 8 rows of "x", which lie in 2 pieces, cannot be cut evenly into 8 micro-batches'}
`("8 rows in $count micro-batches under $cuts are an error", ({ count, cuts, said }) => {
  const { asked, diagnostics } = step(`y = ${product} (x w)`, count, cuts);
  expect(asked.microbatches).toBeUndefined();
  expect(diagnostics).toMatchObject([{ code: "training/uneven-microbatches", severity: "error" }]);
  expect(diagnostics[0]?.message).toContain(said);
});

test("one micro-batch is the whole batch, and nothing is accumulated", () => {
  const { asked, graph } = step(`y = ${product} (x w)`, 1);
  expect(asked).toEqual({});
  expect(graph.operators.map(({ phase = "forward" }) => phase)).toEqual([
    "forward",
    "backward",
    "update",
  ]);
});
