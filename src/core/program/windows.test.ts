import fc from "fast-check";
import { expect, test } from "vitest";
import { parseAnnotation } from "#core/dimops";
import {
  type Box,
  boxesWithout,
  isExactCover,
  type Projection,
  projectBox,
  volumeOf,
} from "#core/indexspace";
import { type Graph, type Operand, operatorId, type Tensor, tensorId } from "#core/ir";
import { createMesh, type DeviceMesh, wholeAxis } from "#core/mesh";
import { propagate } from "#core/plan";
import { ownBoxes } from "./fetch.ts";
import { indexRangesOf } from "./index-ranges.ts";
import { lower } from "./lower.ts";
import type { CollectiveStep, LocalStep, SpmdProgram } from "./program.ts";

function runs(count: number): { seed: number; numRuns: number } {
  return { seed: 1, numRuns: count * (process.env.SOAK === undefined ? 1 : 20) };
}

function meshOf(sizes: readonly number[]): DeviceMesh {
  const made = createMesh(sizes.map((size, at) => ({ name: `m${at}`, size })));
  if (!made.ok) throw new Error("no mesh");
  return made.value;
}

/**
 * Operator `y = op(x)` over index axes `i0, i1, …`; its tensors have exactly the cells it accesses.
 */
interface Sample {
  readonly sizes: readonly number[];
  readonly input: Projection;
  readonly output: Projection;
}

function graphOf({ sizes, input, output }: Sample): Graph {
  const annotation = parseAnnotation("a -> a");
  if (!annotation.ok) throw new Error("no annotation");
  const axes = sizes.map((size, at) => ({ name: `i${at}`, size, reduction: "" as const }));
  const index = sizes.map((size) => ({ start: 0, stop: size }));
  const id = operatorId("y");
  const operandOf = (name: string, projection: Projection): Operand => ({
    tensor: tensorId(name),
    dims: projection.map(({ coefficients }) => {
      const at = coefficients.findIndex((step) => step !== 0);
      return { identifiers: [`i${at}`], ...(at >= 0 && { splittable: `i${at}` }) };
    }),
    projection,
  });
  const tensorOf = (name: string, projection: Projection): Tensor => ({
    id: tensorId(name),
    name,
    shape: projectBox(projection, index).map(({ stop }) => stop),
    dtype: "f32",
    dtypeText: "f32",
    role: name === "x" ? "input" : "activation",
    dimNames: projection.map((_, dim) => `d${dim}`),
    shapeStatus: "set",
    ...(name === "y" && { producer: id }),
  });
  const operator = {
    ...{ id, name: "y", op: "op", attributes: {}, call: "op(x)", annotation: annotation.value },
    ...{ axes, inputs: [operandOf("x", input)], outputs: [operandOf("y", output)] },
    ...{ linear: [], reducesInside: false },
  };
  return {
    tensors: [tensorOf("x", input), tensorOf("y", output)],
    operators: [operator],
    outputs: [tensorId("y")],
  };
}

function programOf(sample: Sample, mesh: DeviceMesh): SpmdProgram {
  const graph = graphOf(sample);
  const cuts = Object.fromEntries(
    mesh.axes.flatMap(({ name }, at) =>
      at < sample.sizes.length ? [[`i${at}`, [wholeAxis(mesh, name)]]] : [],
    ),
  );
  const plan = { strategy: { cuts, carry: [] }, mesh, status: "set" } as const;
  const requests = { operators: new Map([[operatorId("y"), plan]]), placements: new Map() };
  return lower(graph, propagate(graph, mesh, requests).plan);
}

const window = fc.record({
  step: fc.constantFrom(1, 1, 2, 3, -1, -2),
  extent: fc.integer({ min: 1, max: 5 }),
  shift: fc.nat(3),
});

/**
 * Operators over two axes, each axis with its own window of the input and its own blocks of the
 * output.
 */
const samples: fc.Arbitrary<Sample> = fc
  .tuple(
    fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 2, maxLength: 2 }),
    fc.array(window, { minLength: 2, maxLength: 2 }),
    fc.array(fc.constantFrom(1, 1, 2, 3, -1), { minLength: 2, maxLength: 2 }),
  )
  .map(([sizes, windows, blocks]) => {
    const row = (axis: number, step: number, extent: number, shift: number) => ({
      coefficients: sizes.map((_, at) => (at === axis ? step : 0)),
      offset: shift + (step < 0 ? -step * ((sizes[axis] ?? 1) - 1) : 0),
      extent,
    });
    return {
      sizes,
      input: windows.map(({ step, extent, shift }, axis) => row(axis, step, extent, shift)),
      output: blocks.map((step, axis) => row(axis, step, Math.abs(step), 0)),
    };
  });

function stepsOf(program: SpmdProgram) {
  const steps = program.stages.flatMap((stage) => stage.steps);
  return {
    locals: steps.filter((step): step is LocalStep => step.kind === "local"),
    collectives: steps.filter((step): step is CollectiveStep => step.kind === "collective"),
  };
}

function boxesIn(program: SpmdProgram, id: string) {
  const value = program.values.find((each) => each.id === id);
  const tensor = program.graph.tensors.find((each) => each.id === value?.tensor);
  if (value === undefined || tensor === undefined) throw new Error(`no value ${id}`);
  return ownBoxes(value, tensor.shape);
}

test("every cell that a piece reads is held by its device, and fetched from one that held it", () => {
  fc.assert(
    fc.property(samples, fc.constantFrom([2], [4], [2, 2], [3, 2]), (sample, sizes) => {
      const mesh = meshOf(sizes);
      const program = programOf(sample, mesh);
      const { locals, collectives } = stepsOf(program);
      for (const step of locals) {
        for (const { device, inputs } of indexRangesOf(program, step)) {
          const at = mesh.devices.indexOf(device);
          for (const [operand, { box }] of inputs.entries()) {
            const held = boxesIn(program, step.inputs[operand] ?? "")[at] ?? [];
            expect(boxesWithout([box], held)).toEqual([]);
          }
        }
      }
      for (const { input, output, pairs = [] } of collectives) {
        const [before, after] = [boxesIn(program, input), boxesIn(program, output)];
        for (const [at, device] of mesh.devices.entries()) {
          const fetched = pairs.filter(({ to }) => to === device);
          const there = [...(before[at] ?? []), ...fetched.map(({ range }) => range)];
          expect(boxesWithout(after[at] ?? [], there)).toEqual([]);
          for (const { from, range } of fetched) {
            expect(boxesWithout([range], before[mesh.devices.indexOf(from)] ?? [])).toEqual([]);
          }
        }
      }
    }),
    runs(300),
  );
});

test("a clean split makes every cell of a result on one device of each group", () => {
  fc.assert(
    fc.property(samples, fc.constantFrom([2], [4], [2, 2], [3, 2]), (sample, sizes) => {
      const mesh = meshOf(sizes);
      const program = programOf(sample, mesh);
      const [step] = stepsOf(program).locals;
      const [made = ""] = step?.outputs ?? [];
      const boxes = boxesIn(program, made).map((own) => own.filter((box) => volumeOf(box) > 0));
      const whole = projectBox(
        sample.output,
        sample.sizes.map((size) => ({ start: 0, stop: size })),
      );
      const distinct = new Map<string, Box>();
      for (const box of boxes.flat()) distinct.set(JSON.stringify(box), box);
      expect(isExactCover(whole, [...distinct.values()])).toBe(true);
    }),
    runs(300),
  );
});

test("only the halo travels, and the busiest device receives it", () => {
  const row = (axis: number, extent: number) => ({
    coefficients: [0, 0].with(axis, 1),
    offset: 0,
    extent,
  });
  const sample = { sizes: [8, 4], input: [row(0, 3), row(1, 1)], output: [row(0, 1), row(1, 1)] };
  const program = programOf(sample, meshOf([2]));
  const [step] = stepsOf(program).collectives;
  expect(step).toMatchObject({ collective: "exchange", axes: ["m0"], elements: 4, bytes: 16 });
  expect(program.redistributions).toMatchObject([{ elements: 4, lowerBound: 4 }]);
  const input = [row(0, 1), row(1, 1)];
  expect(stepsOf(programOf({ ...sample, input }, meshOf([2]))).collectives).toEqual([]);
});
