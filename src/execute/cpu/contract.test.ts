import { setFlagsFromString } from "node:v8";
import { expect, test, vi } from "vitest";
import { propagate } from "#core/plan";
import { lower } from "#core/program";
import { drawLeaves, runReference } from "#execute/reference";
import { testGraph, testMesh, testRequests } from "../../core/plan/graph.testing.ts";
import { entryNamed, graphOf } from "../reference/operator.testing.ts";
import { runCpu } from "./index.ts";
import { contractionBy, wasmContraction } from "./wasm-contraction.ts";
import { contractionModule } from "./wasm-kernel.ts";

// Node 20 needs a flag for relaxed vectors; a newer Node ignores it.
setFlagsFromString("--experimental-wasm-relaxed-simd");

test.each`
  numbers  | sum
  ${"f64"} | ${"rounded-twice"}
  ${"f64"} | ${"fused"}
  ${"f32"} | ${"rounded-twice"}
  ${"f32"} | ${"fused"}
  ${"i32"} | ${"rounded-twice"}
`("the contraction on $numbers, $sum, multiplies matrices of all sizes", ({ numbers, sum }) => {
  const wasm = contractionBy(numbers, sum);
  if (wasm === undefined) throw new Error("no Wasm with such vectors");
  for (const [m, n, k] of [
    [1, 1, 1],
    [4, 8, 1],
    [5, 9, 3],
    [17, 31, 64],
    [193, 3, 300],
    [385, 17, 513],
  ] as const) {
    const a = matrix([m, k], (row, at) => (row % 7) - 2 * (at % 3));
    const b = matrix([k, n], (at, column) => (at % 5) - (column % 4));
    const { values, rowLength } = wasm.run(
      { values: a, from: 0, outer: multiples(m, k), inner: multiples(k, 1) },
      { values: b, from: 0, outer: multiples(n, 1), inner: multiples(k, n) },
    );
    const got = matrix([m, n], (row, column) => values[row * rowLength + column] ?? Number.NaN);
    const wanted = matrix([m, n], (row, column) => {
      let sum = 0;
      for (let at = 0; at < k; at += 1) sum += (a[row * k + at] ?? 0) * (b[at * n + column] ?? 0);
      return sum;
    });
    expect(got).toEqual(wanted);
  }
});

test("a product in one rounding is taken where the engine has it, and else one in two", async () => {
  expect(wasmContraction("f32")?.sum).toBe("fused");
  const { validate } = WebAssembly;
  const fused = contractionModule("f32", "fused");
  vi.spyOn(WebAssembly, "validate").mockImplementation(
    (bytes) => !Buffer.from(bytes as Uint8Array).equals(fused) && validate(bytes),
  );
  vi.resetModules();
  const { wasmContraction: without } = await import("./wasm-contraction.ts");
  expect(without("f32")?.sum).toBe("rounded-twice");
  vi.restoreAllMocks();
});

test("a large batched contraction is the reference's: integers and words exactly, floats within the bound", () => {
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
  for (const values of ["integers", "floats", "singles", "words"] as const) {
    const isWhole = values === "integers" || values === "words";
    const leaves = drawLeaves(graph, 4, isWhole ? "integers" : "floats");
    const scale = values === "words" ? 49_324_999 : 1;
    const inputs = new Map(
      [...leaves].map(([id, leaf]) => [id, leaf.values.map((each) => scale * each)]),
    );
    const [id] = program.outputs;
    const whole = [...runReference(graph, inputs, values).tensors.values()].at(-1);
    const held = id === undefined ? undefined : runCpu(program, inputs, { values }).get(id);
    const got = held?.get(0)?.[0]?.values ?? [];
    expect(got.length).toBe(3 * 40 * 33);
    for (const [at, value] of got.entries()) {
      const bound = isWhole ? 0 : 2 * (whole?.errors[at] ?? 0);
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

function matrix(
  [rows, columns]: readonly [number, number],
  of: (row: number, column: number) => number,
): Float64Array {
  return Float64Array.from({ length: rows * columns }, (_, at) =>
    of(Math.floor(at / columns), at % columns),
  );
}

function multiples(count: number, step: number): Int32Array {
  return Int32Array.from({ length: count }, (_, at) => at * step);
}
