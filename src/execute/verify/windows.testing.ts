import fc from "fast-check";
import { parseAnnotation } from "#core/dimops";
import { type AffineRow, projectBox } from "#core/indexspace";
import {
  type Attributes,
  type Graph,
  type Operand,
  type Operator,
  type OperatorId,
  operatorId,
  type Tensor,
  tensorId,
} from "#core/ir";
import { pointKernel } from "#core/ir/body";
import { createMesh, type DeviceMesh, type Layout, wholeAxis } from "#core/mesh";
import { type OperatorPlan, propagate } from "#core/plan";
import { lower, type SpmdProgram } from "#core/program";

/** A window that slides along one dim: by `step` (backwards below 0), over `taps` cells. */
export interface Sliding {
  /** Points of the index along it. */
  readonly size: number;
  readonly step: number;
  readonly taps: number;
  readonly dilation: number;
  /** Cells of the tensor before the first that is touched, and behind the last. */
  readonly margin: number;
}

/** Cells that a window spans. */
function spanOf({ taps, dilation }: Sliding): number {
  return dilation * (taps - 1) + 1;
}

/** The first cell of a point's window. */
export function startOf({ step, size, margin }: Sliding, point: number): number {
  return margin + (step < 0 ? -step * (size - 1) : 0) + step * point;
}

/** Length of the tensor that windows slide over. */
export function lengthUnder(sliding: Sliding): number {
  const { size, step, margin } = sliding;
  return Math.abs(step) * (size - 1) + spanOf(sliding) + 2 * margin;
}

/** A convolution `y = conv(x, f)` over one or two sliding dims, the output `z` of which is read on. */
export function convolutionGraph(dims: readonly Sliding[]): Graph {
  const axes = dims.map(({ size }, at) => ({ name: `i${at}`, size }));
  const row = (axis: number, step: number, offset: number, extent: number): AffineRow => ({
    coefficients: dims.map((_, at) => (at === axis ? step : 0)),
    offset,
    extent,
  });
  const x = dims.map((each, at) => row(at, each.step, startOf(each, 0), spanOf(each)));
  const f = dims.map(({ taps }, at) => row(at, 0, 0, taps));
  const y = dims.map((_, at) => row(at, 1, 0, 1));
  const dilation = dims.map((each) => each.dilation);
  return graphOf([
    {
      ...{ name: "y", kernel: `conv${dims.length}d`, attributes: { dilation }, axes },
      inputs: [
        { tensor: "x", rows: x, shape: dims.map(lengthUnder) },
        { tensor: "f", rows: f },
      ],
      output: y,
    },
  ]);
}

interface Part {
  readonly tensor: string;
  readonly rows: readonly AffineRow[];
  /** The shape of the whole tensor, if the operator touches less. */
  readonly shape?: readonly number[];
}

/** An operator: the cells that its points touch, and the kernel that runs there. */
export interface PointSpec {
  readonly name: string;
  readonly kernel: string;
  readonly attributes?: Attributes;
  readonly axes: readonly { readonly name: string; readonly size: number }[];
  readonly inputs: readonly Part[];
  readonly output: readonly AffineRow[];
  /** The tensor that it makes, wholly or in part; named as the operator if absent. */
  readonly into?: Part["tensor"];
  readonly shape?: readonly number[];
}

/** A graph of operators with point kernels; tensors that none of them makes are inputs. */
export function graphOf(specs: readonly PointSpec[]): Graph {
  const operators = specs.map(operatorOf);
  const tensors = new Map<string, Tensor>();
  for (const [at, spec] of specs.entries()) {
    const index = spec.axes.map(({ size }) => ({ start: 0, stop: size }));
    const into = { tensor: spec.into ?? spec.name, rows: spec.output, ...pick(spec.shape) };
    for (const part of [...spec.inputs, into]) {
      const shape = part.shape ?? projectBox(part.rows, index).map(({ stop }) => stop);
      const producer = part === into ? operators[at]?.id : undefined;
      const known = tensors.get(part.tensor);
      tensors.set(part.tensor, { ...(known ?? tensorOf(part.tensor, shape)), ...made(producer) });
    }
  }
  const isRead = new Set(operators.flatMap(({ inputs }) => inputs.map(({ tensor }) => tensor)));
  const all = [...tensors.values()];
  const outputs = all.filter(({ id, producer }) => producer !== undefined && !isRead.has(id));
  return { tensors: all, operators, outputs: outputs.map(({ id }) => id) };
}

function pick(shape: readonly number[] | undefined) {
  return shape === undefined ? {} : { shape };
}

function made(producer: Operator["id"] | undefined) {
  return producer === undefined ? {} : { producer, role: "activation" as const };
}

function tensorOf(name: string, shape: readonly number[]): Tensor {
  return {
    ...{ id: tensorId(name), name, shape, dtype: "f32", dtypeText: "f32", role: "input" },
    dimNames: shape.map((_, dim) => `d${dim}`),
    shapeStatus: "set",
  };
}

function operatorOf({ name, kernel, attributes = {}, axes, inputs, output, into }: PointSpec) {
  const annotation = parseAnnotation("a -> a");
  if (!annotation.ok) throw new Error("no annotation");
  const operandOf = (tensor: string, projection: readonly AffineRow[]): Operand => ({
    tensor: tensorId(tensor),
    dims: projection.map(({ coefficients }) => {
      const at = coefficients.findIndex((step) => step !== 0);
      const name = axes[at]?.name;
      return name === undefined ? { identifiers: [] } : { identifiers: [name], splittable: name };
    }),
    projection,
  });
  const operator: Operator = {
    ...{ id: operatorId(name), name, op: kernel, attributes, call: `${kernel}()` },
    annotation: annotation.value,
    axes: axes.map((axis) => ({ ...axis, reduction: "" })),
    inputs: inputs.map(({ tensor, rows }) => operandOf(tensor, rows)),
    outputs: [operandOf(into ?? name, output)],
    ...{ linear: [], reducesInside: false },
  };
  const points = pointKernel(kernel, operator);
  return points === undefined ? operator : { ...operator, points };
}

/** A mesh with axes of such sizes. */
export function meshOf(sizes: readonly number[]): DeviceMesh {
  const made = createMesh(sizes.map((size, at) => ({ name: `m${at}`, size })));
  if (!made.ok) throw new Error("no mesh");
  return made.value;
}

export const sliding: fc.Arbitrary<Sliding> = fc.record({
  size: fc.integer({ min: 1, max: 7 }),
  step: fc.constantFrom(1, 1, 2, 3, -1, -2),
  taps: fc.integer({ min: 1, max: 4 }),
  dilation: fc.constantFrom(1, 1, 2),
  margin: fc.nat(2),
});

const meshes = fc.constantFrom([2], [3], [4], [2, 2], [3, 2], [2, 3]);

/** A convolution and a mesh, with the cuts of both. */
export interface Sample {
  readonly dims: readonly Sliding[];
  readonly sizes: readonly number[];
  /** For each mesh axis, the index axis that it cuts; a number beyond them cuts none. */
  readonly cut: readonly number[];
  /** For each mesh axis, the dim of the input that it cuts at rest. */
  readonly placed: readonly number[];
}

export const samples: fc.Arbitrary<Sample> = fc.record({
  dims: fc.array(sliding, { minLength: 1, maxLength: 2 }),
  sizes: meshes,
  cut: fc.array(fc.nat(2), { minLength: 2, maxLength: 2 }),
  placed: fc.array(fc.nat(2), { minLength: 2, maxLength: 2 }),
});

/** A graph under a plan that cuts every operator along the axes of the mesh. */
export function planned(
  graph: Graph,
  mesh: DeviceMesh,
  cut: readonly number[],
  placed: Readonly<Record<string, readonly number[]>> = {},
): SpmdProgram {
  const partsAt = (choice: readonly number[], at: number) =>
    mesh.axes.flatMap(({ name }, axis) => (choice[axis] === at ? [wholeAxis(mesh, name)] : []));
  const operators = new Map<OperatorId, OperatorPlan>(
    graph.operators.map(({ id, axes }) => {
      const cuts = Object.fromEntries(axes.map(({ name }, at) => [name, partsAt(cut, at)]));
      return [id, { strategy: { cuts, carry: [] }, mesh, status: "set" }];
    }),
  );
  const placements = new Map(
    Object.entries(placed).map(([name, choice]) => {
      const shape = graph.tensors.find(({ id }) => id === name)?.shape ?? [];
      const dims = shape.map((_, dim) => ({
        parts: partsAt(choice, dim),
        chunks: "flat" as const,
      }));
      const layout: Layout = { mesh, dims, partials: [] };
      return [tensorId(name), { layout, status: "set" as const }];
    }),
  );
  const { plan } = propagate(graph, mesh, { operators, placements });
  return lower(graph, plan);
}
