import { bindAnnotation, indexAxesOf, operandDims, parseAnnotation } from "#core/dimops";
import { type Graph, type Operator, operatorId, type Tensor, tensorId } from "#core/ir";
import {
  createMesh,
  type DeviceMesh,
  type Layout,
  type Part,
  parseLayout,
  wholeAxis,
} from "#core/mesh";
import type { OperatorPlan, Requests } from "./index.ts";

/** One operator of a test graph: `y = annotation(x, w)`. */
export interface Line {
  readonly result: string;
  readonly annotation: string;
  readonly inputs: readonly string[];
  readonly reducesInside?: boolean;
  readonly linear?: Operator["linear"];
}

/** A mesh from axis sizes; throws on a fault, as a wrong test should. */
export function testMesh(
  axes: Readonly<Record<string, number>>,
  devices?: readonly number[],
): DeviceMesh {
  const list = Object.entries(axes).map(([name, size]) => ({ name, size }));
  const mesh = createMesh(list, devices);
  if (!mesh.ok) throw new Error(mesh.diagnostics[0]?.message);
  return mesh.value;
}

function testLayout(text: string, mesh: DeviceMesh): Layout {
  const layout = parseLayout(text, mesh);
  if (!layout.ok) throw new Error(layout.diagnostics[0]?.message);
  return layout.value;
}

/** A graph from lines; names that no line makes are inputs, those that begin with `w` parameters. */
export function testGraph(
  shapes: Readonly<Record<string, readonly number[]>>,
  lines: readonly Line[],
): Graph {
  const tensors = new Map<string, Tensor>(
    Object.entries(shapes).map(([name, shape]) => [name, leaf(name, shape)]),
  );
  const operators = lines.map((line) => operatorOf(line, tensors));
  const read = new Set(operators.flatMap(({ inputs }) => inputs.map(({ tensor }) => tensor)));
  const all = [...tensors.values()];
  return {
    tensors: all,
    operators,
    outputs: all.filter(({ id, producer }) => producer && !read.has(id)).map(({ id }) => id),
  };
}

function leaf(name: string, shape: readonly number[]): Tensor {
  const role = name.startsWith("w") ? "parameter" : "input";
  const dimNames = shape.map((_, dim) => `d${dim}`);
  return {
    id: tensorId(name),
    name,
    shape,
    dtype: "f32",
    dtypeText: "f32",
    role,
    dimNames,
    shapeStatus: "set",
  };
}

function operatorOf(line: Line, tensors: Map<string, Tensor>): Operator {
  const anno = parseAnnotation(line.annotation);
  if (!anno.ok) throw new Error(anno.diagnostics[0]?.message);
  const inputs = line.inputs.map((name) => ({
    kind: "tensor" as const,
    shape: tensors.get(name)?.shape ?? [],
  }));
  const bound = bindAnnotation(anno.value, inputs);
  if (!bound.ok) throw new Error(bound.diagnostics[0]?.message);
  const id = operatorId(line.result);
  const shape = bound.value.outputs[0] ?? [];
  tensors.set(line.result, { ...leaf(line.result, shape), role: "activation", producer: id });
  return {
    id,
    name: line.result,
    op: "op",
    attributes: {},
    call: `op(${line.inputs.join(", ")})`,
    annotation: bound.value.annotation,
    axes: indexAxesOf(bound.value),
    inputs: line.inputs.map((name, index) => ({
      tensor: tensorId(name),
      dims: operandDims(bound.value, index),
    })),
    outputs: [
      { tensor: tensorId(line.result), dims: operandDims(bound.value, line.inputs.length) },
    ],
    linear: line.linear ?? [],
    reducesInside: line.reducesInside ?? false,
  };
}

/** Strategies as `{ y: { m: "~2*dp" } }` (pieces and axes) and placements as layout texts. */
export function testRequests(
  mesh: DeviceMesh,
  strategies: Readonly<Record<string, Readonly<Record<string, string>>>>,
  placements: Readonly<Record<string, string>> = {},
): Requests {
  const plans = Object.entries(strategies).map(([name, cuts]) => {
    const parts = Object.entries(cuts).map(([identifier, axes]) => [
      identifier,
      axes.split("*").map((axis): Part => {
        const isPieces = axis.startsWith("~");
        return isPieces ? { kind: "pieces", count: Number(axis.slice(1)) } : wholeAxis(mesh, axis);
      }),
    ]);
    const plan: OperatorPlan = {
      strategy: { cuts: Object.fromEntries(parts), carry: [] },
      mesh,
      status: "set",
    };
    return [operatorId(name), plan] as const;
  });
  const places = Object.entries(placements).map(
    ([name, text]) => [tensorId(name), { layout: testLayout(text, mesh), status: "set" }] as const,
  );
  return { operators: new Map(plans), placements: new Map(places) };
}
