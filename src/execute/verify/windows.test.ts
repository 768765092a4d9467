import fc from "fast-check";
import { expect, test } from "vitest";
import type { AffineRow } from "#core/indexspace";
import { tensorId } from "#core/ir";
import type { SpmdProgram } from "#core/program";
import { leafValues, runReference } from "#execute/reference";
import { runProgram } from "./run-program.ts";
import {
  convolutionGraph,
  graphOf,
  lengthUnder,
  meshOf,
  planned,
  samples,
  sliding,
  startOf,
} from "./windows.testing.ts";

function runs(count: number): { seed: number; numRuns: number } {
  return { seed: 1, numRuns: count * (process.env.SOAK === undefined ? 1 : 50) };
}

function firstOf(program: SpmdProgram, values: "integers" | "floats", dropped?: number) {
  const sabotage =
    dropped === undefined ? {} : { sabotage: { step: dropped, how: "drop" as const } };
  const run = runProgram(program, { seed: 3, values, ...sabotage });
  if (!run.ok) throw new Error(run.diagnostics[0]?.message);
  return run.value.first;
}

test("windows of any stride, size and gap on any mesh give what whole tensors give", () => {
  let exchanged = 0;
  fc.assert(
    fc.property(samples, ({ dims, sizes, cut, placed }) => {
      const graph = convolutionGraph(dims);
      expect(graph.operators[0]?.points).toBeDefined();
      const program = planned(graph, meshOf(sizes), cut, { x: placed });
      exchanged += program.redistributions.length;
      expect(firstOf(program, "integers")).toBeUndefined();
      expect(firstOf(program, "floats")).toBeUndefined();
    }),
    runs(120),
  );
  expect(exchanged).toBeGreaterThan(60);
});

test("the reference of a convolution is the sum under every window", () => {
  fc.assert(
    fc.property(fc.array(sliding, { minLength: 1, maxLength: 2 }), (dims) => {
      const graph = convolutionGraph(dims);
      const leaves = leafValues(graph, 5, "integers");
      const { tensors } = runReference(graph, leaves, "integers");
      const [x, f] = [leaves.get(tensorId("x")), leaves.get(tensorId("f"))];
      const expected: number[] = [];
      for (const point of gridOf(dims.map(({ size }) => size))) {
        let sum = 0;
        for (const tap of gridOf(dims.map(({ taps }) => taps))) {
          const at = dims.map((each, dim) => {
            return startOf(each, point[dim] ?? 0) + (tap[dim] ?? 0) * each.dilation;
          });
          const cell = x?.[flatOf(at, dims.map(lengthUnder))] ?? Number.NaN;
          sum +=
            cell *
            (f?.[
              flatOf(
                tap,
                dims.map(({ taps }) => taps),
              )
            ] ?? Number.NaN);
        }
        expected.push(sum);
      }
      expect([...(tensors.get(tensorId("y"))?.values ?? [])]).toEqual(expected);
    }),
    runs(80),
  );
});

function gridOf(sizes: readonly number[]): readonly (readonly number[])[] {
  return sizes.reduce<readonly (readonly number[])[]>(
    (points, size) =>
      points.flatMap((point) => Array.from({ length: size }, (_, at) => [...point, at])),
    [[]],
  );
}

function flatOf(at: readonly number[], shape: readonly number[]): number {
  return at.reduce((flat, index, dim) => flat * (shape[dim] ?? 1) + index, 0);
}

test("an exchange of halos that is left out is found", () => {
  let found = 0;
  let dropped = 0;
  fc.assert(
    fc.property(samples, ({ dims, sizes, cut, placed }) => {
      const program = planned(convolutionGraph(dims), meshOf(sizes), cut, { x: placed });
      const steps = program.stages.flatMap((stage) => stage.steps);
      const at = steps.findIndex((step) => step.kind === "collective" && step.elements > 0);
      if (at < 0) return;
      dropped += 1;
      if (firstOf(program, "integers", at) !== undefined) found += 1;
    }),
    runs(100),
  );
  expect(dropped).toBeGreaterThan(40);
  expect(found).toBe(dropped);
});

const row = (coefficients: readonly number[], offset: number, extent: number): AffineRow => {
  return { coefficients, offset, extent };
};

test("operands at offsets, and a second layer that reads the windows of the first", () => {
  const axes = [{ name: "i", size: 9 }];
  const graph = graphOf([
    {
      ...{ name: "y", kernel: "sub", axes },
      inputs: [
        { tensor: "x", rows: [row([1], 2, 1)], shape: [12] },
        { tensor: "x", rows: [row([1], 1, 1)], shape: [12] },
      ],
      output: [row([1], 0, 1)],
    },
    {
      ...{ name: "z", kernel: "sum", axes: [{ name: "i", size: 4 }] },
      inputs: [{ tensor: "y", rows: [row([2], 0, 3)] }],
      output: [row([1], 0, 1)],
    },
  ]);
  for (const sizes of [[2], [3], [4], [8]]) {
    const program = planned(graph, meshOf(sizes), [0]);
    expect(program.redistributions.length).toBeGreaterThan(0);
    expect(firstOf(program, "integers")).toBeUndefined();
  }
});

test("two operators that each make a part of a tensor, and one that reads across both", () => {
  const half = (name: string, from: number) => ({
    ...{ name, kernel: "relu", axes: [{ name: "i", size: 6 }], into: "y", shape: [12] },
    inputs: [{ tensor: "x", rows: [row([1], from, 1)], shape: [12] }],
    output: [row([1], from, 1)],
  });
  const across = {
    ...{ name: "z", kernel: "amax", axes: [{ name: "i", size: 10 }] },
    inputs: [{ tensor: "y", rows: [row([1], 0, 3)] }],
    output: [row([1], 0, 1)],
  };
  const graph = graphOf([half("low", 0), half("high", 6), across]);
  for (const sizes of [[2], [3], [4]]) {
    expect(firstOf(planned(graph, meshOf(sizes), [0]), "integers")).toBeUndefined();
  }
});

test.each`
  kernel             | attributes            | blocks                               | output       | runs
  ${"conv2d"}        | ${{}}                 | ${[[3, 3], [3, 3]]}                  | ${[1, 1]}    | ${true}
  ${"conv2d"}        | ${{ dilation: 2 }}    | ${[[5, 5], [3, 3]]}                  | ${[1, 1]}    | ${true}
  ${"conv2d"}        | ${{}}                 | ${[[3, 3], [5, 5]]}                  | ${[1, 1]}    | ${false}
  ${"conv2d"}        | ${{ padding: 1 }}     | ${[[3, 3], [3, 3]]}                  | ${[1, 1]}    | ${false}
  ${"conv2d"}        | ${{}}                 | ${[[4, 3, 3], [1, 4, 3, 3]]}         | ${[1, 1, 1]} | ${true}
  ${"conv2d"}        | ${{}}                 | ${[[1, 4, 3, 3], [1, 4, 3, 3], [1]]} | ${[1]}       | ${true}
  ${"max_pool2d"}    | ${{}}                 | ${[[3, 3]]}                          | ${[1, 1]}    | ${true}
  ${"avg_pool2d"}    | ${{ kernel_size: 2 }} | ${[[3, 3]]}                          | ${[1, 1]}    | ${true}
  ${"matmul"}        | ${{}}                 | ${[[6, 1], [1, 6]]}                  | ${[1, 1, 1]} | ${true}
  ${"sum"}           | ${{}}                 | ${[[1, 2, 1]]}                       | ${[1, 1]}    | ${true}
  ${"softmax"}       | ${{ dim: -1 }}        | ${[[1, 5]]}                          | ${[1, 5]}    | ${true}
  ${"layer_norm"}    | ${{}}                 | ${[[1, 4]]}                          | ${[1, 4]}    | ${true}
  ${"nothing known"} | ${{}}                 | ${[[1]]}                             | ${[1]}       | ${false}
`("$kernel with $attributes on blocks $blocks into $output runs: $runs", (row) => {
  const { kernel, attributes, blocks, output, runs: isRun } = row;
  const part = (tensor: string, block: readonly number[]) => ({
    tensor,
    rows: block.map((extent, dim) => ({
      coefficients: [dim === 0 ? extent : 0],
      offset: 0,
      extent,
    })),
  });
  const graph = graphOf([
    {
      ...{ name: "y", kernel, attributes, axes: [{ name: "i", size: 4 }] },
      inputs: blocks.map((block: readonly number[], at: number) => part(`x${at}`, block)),
      output: part("y", output).rows,
    },
  ]);
  expect(graph.operators[0]?.points !== undefined).toBe(isRun);
  if (!isRun) return;
  for (const sizes of [[1], [2], [3]]) {
    for (const values of ["integers", "floats"] as const) {
      expect(firstOf(planned(graph, meshOf(sizes), [0]), values)).toBeUndefined();
    }
  }
});

test("an operator of which two points write one cell has no kernel", () => {
  const axes = [
    { name: "i", size: 3 },
    { name: "k", size: 2 },
  ];
  const graph = graphOf([
    {
      ...{ name: "y", kernel: "relu", axes },
      inputs: [{ tensor: "x", rows: [row([1, 0], 0, 1), row([0, 1], 0, 1)] }],
      output: [row([1, 0], 0, 1)],
    },
  ]);
  expect(graph.operators[0]?.points).toBeUndefined();
});
