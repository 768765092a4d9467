import type { Compiled } from "#compile";
import { type Tensor, tensorId } from "#core/ir";
import type { Layout } from "#core/mesh";
import { type CollectiveStep, type Redistribution, type Value, valueId } from "#core/program";
import { planReshard } from "#core/reshard";
import { twoMatmuls } from "../fixture.testing.ts";

type Planned = ReturnType<typeof planReshard>;

/** A program that does nothing but take one tensor from a layout to another. */
export function redistributed(from: Layout, to: Layout, shape: readonly number[]): Compiled {
  const planned = planReshard(from, to, shape, { bytesPerElement: 2 });
  const steps = planned.steps.map(collectiveStep);
  const graph = { tensors: [tensorOf(shape)], operators: [], outputs: [tensorId("t")] };
  const { devices } = from.mesh;
  return {
    ...twoMatmuls,
    mesh: { mesh: from.mesh, status: "set", sizeSpans: {} },
    graph,
    program: {
      ...twoMatmuls.program,
      devices,
      graph,
      values: [from, ...planned.steps.map((step) => step.layout)].map(valueAt),
      stages: [{ devices, steps }],
      redistributions: [redistributionOf(planned)],
    },
  };
}

/** The tensor `t`, an input. */
function tensorOf(shape: readonly number[]): Tensor {
  return {
    id: tensorId("t"),
    name: "t",
    shape,
    dtype: "bf16",
    dtypeText: "bf16",
    role: "input",
    dimNames: shape.map((_, dim) => "ijkl".charAt(dim)),
    shapeStatus: "set",
  };
}

/** `t` after so many steps. */
function valueAt(layout: Layout, at: number): Value {
  return { id: valueId(`t@${at}`), tensor: tensorId("t"), dtype: "bf16", role: "input", layout };
}

function collectiveStep(step: Planned["steps"][number], at: number): CollectiveStep {
  const { collective, moves, axes, groups, transfers, elements, bytes, seconds } = step;
  return {
    kind: "collective",
    collective,
    phase: "forward",
    input: valueId(`t@${at}`),
    output: valueId(`t@${at + 1}`),
    moves,
    axes,
    groups,
    ...(transfers === undefined ? {} : { pairs: transfers }),
    reasons: [{ kind: "output" }],
    elements,
    bytes,
    seconds,
    reshard: 0,
  };
}

function redistributionOf({ steps, ...sums }: Planned): Redistribution {
  const { elements, bytes, seconds, lowerBound } = sums;
  return {
    index: 0,
    tensor: tensorId("t"),
    input: valueId("t@0"),
    output: valueId(`t@${steps.length}`),
    reasons: [{ kind: "output" }],
    elements,
    bytes,
    seconds,
    lowerBound,
  };
}
