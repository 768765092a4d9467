import { expect, test, vi } from "vitest";
import { propagate } from "#core/plan";
import { lower } from "#core/program";
import { drawLeaves, runReference } from "#execute/reference";
import { testGraph, testMesh, testRequests } from "../../core/plan/graph.testing.ts";
import { entryNamed, graphOf } from "../reference/operator.testing.ts";
import { runCpu } from "./index.ts";
import { wasmContraction } from "./wasm-contraction.ts";

test.each(["f64", "f32"] as const)(
  "the contraction on %s multiplies matrices of all sizes",
  (numbers) => {
    const wasm = wasmContraction(numbers);
    if (wasm === undefined) throw new Error("no Wasm with vectors");
    for (const [m, n, k] of [
      [1, 1, 1],
      [4, 8, 1],
      [5, 9, 3],
      [17, 31, 64],
      [64, 3, 300],
    ] as const) {
      const [a, b] = [
        (row: number, at: number) => row - 2 * at,
        (at: number, column: number) => (at % 5) - column,
      ];
      const { values, rowLength } = wasm.run({ m, n, k, a, b });
      for (let row = 0; row < m; row += 1) {
        for (let column = 0; column < n; column += 1) {
          let sum = 0;
          for (let at = 0; at < k; at += 1) sum += a(row, at) * b(at, column);
          expect(values[row * rowLength + column]).toBe(sum);
        }
      }
    }
  },
);

test("a large batched contraction is the reference's: integers exactly, floats within the bound", () => {
  const graph = graphOf(entryNamed("matmul"), {
    inputs: [
      [3, 40, 48],
      [3, 48, 33],
    ],
    attributes: {},
  });
  const mesh = testMesh({ p: 2 });
  const { plan } = propagate(graph, mesh, testRequests(mesh, {}));
  const program = lower(graph, plan);
  for (const values of ["integers", "floats", "singles"] as const) {
    const leaves = drawLeaves(graph, 4, values === "singles" ? "floats" : values);
    const inputs = new Map([...leaves].map(([id, leaf]) => [id, leaf.values]));
    const [id] = program.outputs;
    const whole = [...runReference(graph, inputs, values).tensors.values()].at(-1);
    const held = id === undefined ? undefined : runCpu(program, inputs, { values }).get(id);
    const got = held?.get(0)?.[0]?.values ?? [];
    expect(got.length).toBe(3 * 40 * 33);
    for (const [at, value] of got.entries()) {
      const bound = values === "integers" ? 0 : 2 * (whole?.errors[at] ?? 0);
      expect(Math.abs(value - (whole?.values[at] ?? Number.NaN))).toBeLessThanOrEqual(bound);
    }
  }
});

test("without Wasm the same comes out of plain loops", async () => {
  const graph = testGraph({ x: [40, 40], w: [40, 40] }, [
    { result: "y", annotation: "m k+, k+ n -> m n", inputs: ["x", "w"] },
  ]);
  const mesh = testMesh({ p: 2 });
  const { plan } = propagate(graph, mesh, testRequests(mesh, { y: { k: "p" } }));
  const program = lower(graph, plan);
  const leaves = drawLeaves(graph, 4, "integers");
  const inputs = new Map([...leaves].map(([id, leaf]) => [id, leaf.values]));
  const withWasm = runCpu(program, inputs, { values: "integers" });
  vi.stubGlobal("WebAssembly", undefined);
  vi.resetModules();
  const { wasmContraction: none } = await import("./wasm-contraction.ts");
  const { runCpu: runPlainly } = await import("./index.ts");
  expect(none("f64")).toBeUndefined();
  const plainly = runPlainly(program, inputs, { values: "integers" });
  vi.unstubAllGlobals();
  expect(plainly).toEqual(withWasm);
});
