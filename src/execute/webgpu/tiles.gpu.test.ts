import { expect, test } from "vitest";
import { tensorId } from "#core/ir";
import { propagate } from "#core/plan";
import { lower, type SpmdProgram } from "#core/program";
import { drawLeaves } from "#execute/reference";
import { runProgramOn } from "#execute/verify";
import { testGraph, testMesh, testRequests } from "../../core/plan/graph.testing.ts";
import { testEngine } from "./dawn.testing.ts";

/** Adapters with differently written kernels; the real one supports all of them. */
const adapters = {
  "this adapter": await testEngine(),
  "a CPU without quads": await testEngine({ limits: { isCpu: true, hasQuads: false } }),
  "a GPU": await testEngine({ limits: { isCpu: false, hasQuads: false } }),
};

/** A batched contraction and an addition, cut over four devices. */
function contraction(
  { b, m, k, n }: Readonly<Record<"b" | "m" | "k" | "n", number>>,
  cuts: Readonly<Record<string, Readonly<Record<string, string>>>>,
): SpmdProgram {
  const mesh = testMesh({ p: 2, q: 2 });
  const graph = testGraph({ x: [b, m, k], w: [k, n], u: [b, m, n] }, [
    { result: "h", annotation: "b m k+, k+ n -> b m n", inputs: ["x", "w"] },
    { result: "y", annotation: "b m n, b m n -> b m n", inputs: ["h", "u"] },
  ]);
  return lower(graph, propagate(graph, mesh, testRequests(mesh, cuts)).plan);
}

// Sizes with and without divisibility by tiles and quads, along every dim.
test.each`
  b    | m      | k      | n     | cuts
  ${2} | ${64}  | ${64}  | ${64} | ${{ h: { m: "p", n: "q" } }}
  ${2} | ${65}  | ${67}  | ${63} | ${{ h: { m: "p", n: "q" } }}
  ${2} | ${70}  | ${50}  | ${46} | ${{ h: { k: "p", n: "q" } }}
  ${3} | ${37}  | ${66}  | ${85} | ${{ h: { k: "p", m: "q" } }}
  ${1} | ${256} | ${258} | ${6}  | ${{ h: { n: "p" } }}
`("tiles of $b × $m × $k × $n equal the reference, on any adapter", async (row) => {
  const { cuts, ...sizes } = row;
  const program = contraction(sizes, cuts);
  for (const [name, engine] of Object.entries(adapters)) {
    const run = await runProgramOn(engine, program, { seed: 3, values: "integers" });
    if (!run.ok) throw new Error(run.diagnostics[0]?.message);
    expect(run.value.first, name).toBeUndefined();
    expect(run.value.maxAbsDiff, name).toBe(0);
  }
});

// Too large for the reference: single cells are checked, each by its own sum.
test.each`
  m      | k      | n
  ${259} | ${517} | ${515}
  ${320} | ${640} | ${336}
`("cells of large tiles of $m × $k × $n are their sums of products", async ({ m, k, n }) => {
  const program = contraction({ b: 1, m, k, n }, { h: { m: "p", n: "q" } });
  const leaves = drawLeaves(program.graph, 5, "integers");
  const valuesOf = (name: string) => leaves.get(tensorId(name))?.values ?? new Float64Array();
  const [x, w] = [valuesOf("x"), valuesOf("w")];
  const task = { program, leaves, settings: { values: "integers" } } as const;
  const { held } = await adapters["this adapter"].run(task);
  const made = program.values.find(({ tensor }) => tensor === "h");
  const blocks = [...(made === undefined ? [] : (held.get(made.id) ?? []))].flatMap(
    ([, all]) => all,
  );
  expect(blocks.length).toBe(4);
  for (const { box, values } of blocks) {
    const [, rows, columns] = box;
    const [top, left] = [rows?.start ?? 0, columns?.start ?? 0];
    const width = (columns?.stop ?? 0) - left;
    for (let at = values.length - 1; at >= 0; at -= 997) {
      const [row, column] = [top + Math.floor(at / width), left + (at % width)];
      let sum = 0;
      for (let each = 0; each < k; each += 1) {
        sum += (x[row * k + each] ?? 0) * (w[each * n + column] ?? 0);
      }
      expect(values[at], `${row}, ${column}`).toBe(sum);
    }
  }
});
