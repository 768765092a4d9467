import type { Compiled } from "#compile";
import { tensorId } from "#core/ir";
import type { Layout } from "#core/mesh";
import { type CollectiveStep, type Value, valueId } from "#core/program";
import { planReshard } from "#core/reshard";
import { twoMatmuls } from "../fixture.testing.ts";

/** A program that only redistributes one tensor from one layout to another. */
export function redistributed(from: Layout, to: Layout, shape: readonly number[]): Compiled {
  const planned = planReshard(from, to, shape, { bytesPerElement: 2 });
  const layouts = [from, ...planned.steps.map((step) => step.layout)];
  const values = layouts.map(
    (layout, at): Value => ({
      id: valueId(`t@${at}`),
      tensor: tensorId("t"),
      dtype: "bf16",
      role: "input",
      layout,
    }),
  );
  const steps = planned.steps.map(
    (step, at): CollectiveStep => ({
      kind: "collective",
      collective: step.collective,
      phase: "forward",
      input: valueId(`t@${at}`),
      output: valueId(`t@${at + 1}`),
      moves: step.moves,
      axes: step.axes,
      groups: step.groups,
      ...(step.transfers === undefined ? {} : { pairs: step.transfers }),
      reasons: [{ kind: "output" }],
      elements: step.elements,
      bytes: step.bytes,
      seconds: step.seconds,
      reshard: 0,
    }),
  );
  const dimNames = shape.map((_, dim) => "ijkl".charAt(dim));
  const tensor = {
    id: tensorId("t"),
    name: "t",
    shape,
    dtype: "bf16" as const,
    dtypeText: "bf16",
    role: "input" as const,
    dimNames,
    shapeStatus: "set" as const,
  };
  const graph = { tensors: [tensor], operators: [], outputs: [tensorId("t")] };
  const { devices } = from.mesh;
  return {
    ...twoMatmuls,
    mesh: { mesh: from.mesh, status: "set", sizeSpans: {} },
    graph,
    program: {
      ...twoMatmuls.program,
      devices,
      graph,
      values,
      stages: [{ devices, steps }],
      redistributions: [
        {
          index: 0,
          tensor: tensorId("t"),
          input: valueId("t@0"),
          output: valueId(`t@${steps.length}`),
          reasons: [{ kind: "output" }],
          elements: planned.elements,
          bytes: planned.bytes,
          seconds: planned.seconds,
          lowerBound: planned.lowerBound,
        },
      ],
    },
  };
}
