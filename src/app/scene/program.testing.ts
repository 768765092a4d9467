import type { Compiled } from "#compile";
import type { Collective } from "#core/collective";
import { type Operator, operatorId, type Tensor, tensorId } from "#core/ir";
import type { DeviceMesh, Layout } from "#core/mesh";
import {
  type CollectiveStep,
  type LocalStep,
  type Reason,
  type Redistribution,
  type Step,
  type Value,
  valueId,
} from "#core/program";
import { twoMatmuls } from "./fixture.testing.ts";

/** One operator of a synthetic program: its operands, and their redistributions. */
export interface SketchedOperator {
  readonly name: string;
  /**
   * Operands: `h` is read directly; `h!` is read redistributed, once for all operators that write
   * the same.
   */
  readonly reads: readonly string[];
  /** Whether the operator reduces its own result before any reader. */
  readonly reducesInside?: boolean;
}

/** A synthetic program: inputs, parameters and operators by name. */
export interface Sketch {
  readonly inputs: readonly string[];
  readonly parameters: readonly string[];
  readonly operators: readonly SketchedOperator[];
  /** Results that end in a final redistribution. */
  readonly ends?: readonly string[];
}

const mesh: DeviceMesh = twoMatmuls.mesh.mesh;
const layout: Layout = {
  mesh,
  dims: [
    { parts: [{ kind: "axis", axis: "dp", before: 1, size: 2 }], chunks: "flat" },
    { parts: [], chunks: "flat" },
  ],
  partials: [],
};

/** A program of the given shape, complete enough for code that only reads its graph. */
export function sketched(sketch: Sketch): Compiled {
  const { tensors, operators } = graphOf(sketch);
  const { steps, redistributions, values } = stepsOf(sketch);
  const graph = { tensors, operators, outputs: (sketch.ends ?? []).map(tensorId) };
  return {
    ...twoMatmuls,
    graph,
    program: {
      ...twoMatmuls.program,
      graph,
      values,
      redistributions,
      stages: [{ devices: mesh.devices, steps }],
      outputs: redistributions.filter(isEnd).map((each) => each.output),
    },
    tensors: tensors.map((tensor) => ({ tensor: tensor.id, layout, status: "set" as const })),
  };
}

function isEnd(redistribution: Redistribution): boolean {
  return redistribution.reasons.some((reason) => reason.kind === "output");
}

function graphOf(sketch: Sketch): {
  readonly tensors: readonly Tensor[];
  readonly operators: readonly Operator[];
} {
  const template = twoMatmuls.graph.operators[0];
  if (template === undefined) throw new Error("the fixture has an operator");
  const tensors = [
    ...sketch.inputs.map((name) => tensorOf(name, "input")),
    ...sketch.parameters.map((name) => tensorOf(name, "parameter")),
    ...sketch.operators.map(({ name }) => tensorOf(name, "activation")),
  ];
  const dims = [{ identifiers: ["b"] }, { identifiers: ["f"] }];
  const operators = sketch.operators.map(({ name, reads }) => ({
    ...template,
    id: operatorId(name),
    name,
    inputs: reads.map((read) => ({ tensor: tensorId(plainName(read)), dims })),
    outputs: [{ tensor: tensorId(name), dims }],
  }));
  return { tensors, operators };
}

function tensorOf(name: string, role: Tensor["role"]): Tensor {
  return {
    id: tensorId(name),
    name,
    shape: [512, 1024],
    dtype: "bf16",
    dtypeText: "bf16",
    role,
    dimNames: ["b", "f"],
    shapeStatus: "set",
    ...(role === "activation" ? { producer: operatorId(name) } : {}),
  };
}

function stepsOf(sketch: Sketch): {
  readonly steps: readonly Step[];
  readonly redistributions: readonly Redistribution[];
  readonly values: readonly Value[];
} {
  const steps: Step[] = [];
  const redistributions: Redistribution[] = [];
  const byOutput = new Set<string>();
  const move = (tensor: string, from: string, to: string, reason: Reason) => {
    if (byOutput.has(to)) return;
    byOutput.add(to);
    const index = redistributions.length;
    const collective = index % 2 === 0 ? "all-gather" : "reduce-scatter";
    steps.push(collectiveStep(collective, from, to, index, reason));
    redistributions.push({
      index,
      tensor: tensorId(tensor),
      input: valueId(from),
      output: valueId(to),
      reasons: [reason],
      elements: 524288,
      bytes: 1048576,
      seconds: 6.5e-6,
      lowerBound: 524288,
    });
  };
  const inside = new Set(sketch.operators.filter((op) => op.reducesInside).map((op) => op.name));
  const held = (name: string) => (inside.has(name) ? `${name}.reduced` : name);
  for (const { name, reads } of sketch.operators) {
    reads.forEach((read, operand) => {
      const tensor = plainName(read);
      const reason = { kind: "operand", operator: operatorId(name), operand } as const;
      if (read !== tensor) move(tensor, held(tensor), read, reason);
    });
    const inputs = reads.map((read) => (read === plainName(read) ? held(read) : read));
    steps.push(localStep(name, inputs));
    const reason = { kind: "reduction", operator: operatorId(name) } as const;
    if (inside.has(name)) move(name, name, `${name}.reduced`, reason);
  }
  for (const end of sketch.ends ?? []) move(end, held(end), `${end}.end`, { kind: "output" });
  const names = [...sketch.inputs, ...sketch.parameters, ...sketch.operators.map((op) => op.name)];
  const values = [...names, ...byOutput].map((id) => valueNamed(id));
  return { steps, redistributions, values };
}

function plainName(read: string): string {
  return read.replace(/!+$/u, "");
}

function valueNamed(id: string): Value {
  const tensor = tensorId(plainName(id).replace(/\.(reduced|end)$/u, ""));
  return { id: valueId(id), tensor, dtype: "bf16", role: "activation", layout };
}

function localStep(name: string, inputs: readonly string[]): LocalStep {
  return {
    kind: "local",
    operator: operatorId(name),
    phase: "forward",
    strategy: { cuts: {}, carry: [] },
    inputs: inputs.map(valueId),
    outputs: [valueId(name)],
  };
}

function collectiveStep(
  collective: Collective,
  from: string,
  to: string,
  reshard: number,
  reason: Reason,
): CollectiveStep {
  return {
    kind: "collective",
    collective,
    phase: "forward",
    input: valueId(from),
    output: valueId(to),
    moves: [],
    axes: ["mp"],
    groups: [
      [0, 1],
      [2, 3],
    ],
    reasons: [reason],
    elements: 524288,
    bytes: 1048576,
    seconds: 6.5e-6,
    reshard,
  };
}
