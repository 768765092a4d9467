import {
  axisOfDim,
  type Graph,
  matrixDims,
  type Operator,
  type OperatorId,
  type Tensor,
  type TensorId,
  tensorId,
  tensorsById,
} from "#core/ir";
import type { DeviceMesh, Layout, Part } from "#core/mesh";
import type { OperatorPlan, Placement, Requests, Strategy } from "#core/plan";
import type { SettingsMesh } from "./mesh-of-settings.ts";

/** State of a tensor between layers: whole, or cut by the columns of a layer. */
type Stream = "whole" | "columns";

/**
 * Requests that settings make for a model's operators and tensors, with the meaning that
 * Megatron-LM gave the words and other tools adopted. The first product of a pair is cut by
 * columns, its reader by rows, tables by rows, the head by columns; experts are distributed over
 * devices; the batch is cut everywhere. Everything else follows by propagation.
 */
export function settingsRequests(
  graph: Graph,
  mesh: DeviceMesh,
  said: CutBySettings,
): SettingsCuts {
  return new Reading(graph, mesh, said).read();
}

/** Cuts of a model by settings, in terms of a mesh. */
export interface CutBySettings extends SettingsMesh {
  readonly sequence: boolean;
}

/** Cuts of a graph by settings. */
export interface SettingsCuts {
  readonly requests: Requests;
  /**
   * Weights cut by rows in layers that add a bias in the same operator; the bias must be added
   * after the sum.
   */
  readonly rowsWithBias: readonly string[];
  /**
   * Weights cut by columns that hold several concatenated matrices, so that their results are split
   * up later.
   */
  readonly joined: readonly string[];
  /** Weights with a dim not divisible by the devices: they stay whole. */
  readonly uneven: readonly string[];
}

/**
 * Names of small weights that are never cut: routers, low-rank projections of attention,
 * classification heads.
 */
const keptWhole =
  /(^|\.)(gate|router|wg|q_a_proj|kv_a_proj_with_mqa|wq_a|wkv_a|pooler(\.dense)?|classifier|score)\.weight$/;

const noTensor = tensorId("");

/** Most operators between a product and the operator that splits up its result. */
const mostPassed = 2;

class Reading {
  private readonly tensors: ReadonlyMap<TensorId, Tensor>;
  private readonly readers = new Map<TensorId, readonly Operator[]>();
  private readonly streams = new Map<TensorId, Stream>();
  private readonly operators = new Map<OperatorId, OperatorPlan>();
  private readonly placements = new Map<TensorId, Placement>();
  private readonly graph: Graph;
  private readonly mesh: DeviceMesh;
  private readonly said: CutBySettings;
  private readonly rowsWithBias: string[] = [];
  private readonly joined: string[] = [];
  private readonly uneven: string[] = [];

  constructor(graph: Graph, mesh: DeviceMesh, said: CutBySettings) {
    this.graph = graph;
    this.mesh = mesh;
    this.said = said;
    this.tensors = tensorsById(graph);
    for (const operator of graph.operators)
      for (const { tensor } of operator.inputs)
        this.readers.set(tensor, [...(this.readers.get(tensor) ?? []), operator]);
  }

  read(): SettingsCuts {
    for (const tensor of this.graph.tensors) if (isBatch(tensor)) this.cutBatch(tensor);
    for (const operator of this.graph.operators) this.meet(operator);
    const { operators, placements, rowsWithBias, joined, uneven } = this;
    return { requests: { operators, placements }, rowsWithBias, joined, uneven };
  }

  private cutBatch({ id }: Tensor): void {
    this.place(id, new Map([[0, this.said.batch]]));
  }

  private meet(operator: Operator): void {
    const weight = operator.inputs.map(({ tensor }) => this.tensors.get(tensor)).find(isParameter);
    const stream = this.streamOf(operator);
    const after = weight === undefined ? stream : this.layer(operator, weight, stream);
    for (const { tensor } of operator.outputs) this.streams.set(tensor, after);
    if (this.said.sequence && stream === "whole" && after === "whole")
      this.alongSequence(operator, weight);
  }

  private streamOf({ inputs }: Operator): Stream {
    return inputs.some(({ tensor }) => this.streams.get(tensor) === "columns")
      ? "columns"
      : "whole";
  }

  /** Requests for an operator with a parameter; returns the state of its results. */
  private layer(operator: Operator, weight: Tensor, stream: Stream): Stream {
    const { entry = "", inputs } = operator;
    const { tensor, experts } = this.said;
    if (isOfExperts(weight)) {
      if (experts !== undefined) this.place(weight.id, new Map([[0, [experts]]]));
      return stream;
    }
    if (tensor === undefined) return stream;
    if (entry === "embedding") {
      if (isTable(weight) && this.isEven(weight, 0))
        this.place(weight.id, new Map([[0, [tensor]]]));
      return stream;
    }
    const at = inputs.findIndex((each) => each.tensor === weight.id);
    const dims = productDims(operator, at);
    if (dims === undefined) return stream;
    const { kept: columns, summed: rows } = dims;
    if (stream === "columns") {
      if (reductionOf(operator, axisOf(operator, at, rows)) === "^")
        this.rowsWithBias.push(weight.name);
      this.place(weight.id, new Map([[rows, [tensor]]]));
      this.cut(operator, axisOf(operator, at, rows));
      return "whole";
    }
    if (keptWhole.test(weight.name) || this.isNormed(operator)) return stream;
    if (!this.isEven(weight, columns)) return stream;
    this.place(weight.id, new Map([[columns, [tensor]]]));
    this.cut(operator, axisOf(operator, at, columns));
    if (this.isSplitUp(operator)) this.joined.push(weight.name);
    return "columns";
  }

  /** Whether a result is split up along its last dim, perhaps after a bias or a view. */
  private isSplitUp(operator: Operator): boolean {
    return this.leadsTo(operator, /^(split|chunk)$/, /^(add|reshape|identity|cast)$/);
  }

  /**
   * Whether a result is normalized, perhaps after element-wise operators, so that it is needed
   * whole.
   */
  private isNormed(operator: Operator): boolean {
    const cellByCell = /^(add|gelu|relu|silu|tanh|identity|cast|dropout)$/;
    return this.leadsTo(operator, /^(layer_norm|rms_norm)$/, cellByCell);
  }

  private isEven({ name, shape }: Tensor, dim: number): boolean {
    const { size } = this.mesh.axes.find((each) => each.name === this.said.tensor) ?? { size: 1 };
    const isEven = (shape[dim] ?? 0) % size === 0;
    if (!isEven) this.uneven.push(name);
    return isEven;
  }

  private leadsTo({ outputs: [output] }: Operator, end: RegExp, way: RegExp, depth = 0): boolean {
    const readers = this.readers.get(output?.tensor ?? noTensor) ?? [];
    return readers.some((reader) => {
      const { entry = "" } = reader;
      if (end.test(entry)) return true;
      return depth < mostPassed && way.test(entry) && this.leadsTo(reader, end, way, depth + 1);
    });
  }

  /**
   * Requests between layers: norms, sums and element-wise operators are cut along the second dim.
   */
  private alongSequence(operator: Operator, weight: Tensor | undefined): void {
    const [output] = operator.outputs;
    const { tensor } = this.said;
    const shape = output && this.tensors.get(output.tensor)?.shape;
    if (tensor === undefined || shape?.length !== 3 || output === undefined) return;
    if (
      operator.entry === "embedding" ||
      (weight !== undefined && productDims(operator, 1) !== undefined)
    )
      return;
    const [first, second] = [0, 1].map((dim) => axisOfDim(output.dims[dim]));
    const reads = operator.inputs.some(({ dims }) => dims.some((dim) => axisOfDim(dim) === second));
    const isWhole = operator.axes.find(({ name }) => name === second)?.reduction !== "";
    if (first === undefined || second === undefined || !reads || isWhole) return;
    this.set(operator, { [first]: this.parts(this.said.batch), [second]: this.parts([tensor]) });
  }

  /** Requests for a product: cut on the tensor axis, and its batch on the batch axes. */
  private cut(operator: Operator, axis: string | undefined): void {
    const { tensor, sequence, batch } = this.said;
    if (axis === undefined || tensor === undefined || !sequence) return;
    const [input] = operator.inputs;
    const first = axisOfDim(input?.dims[0]);
    const isBatch = first !== undefined && first !== axis;
    this.set(operator, {
      ...(isBatch && { [first]: this.parts(batch) }),
      [axis]: this.parts([tensor]),
    });
  }

  private set(operator: Operator, cuts: Strategy["cuts"]): void {
    const kept = Object.entries(cuts).filter(([, parts]) => parts.length > 0);
    if (kept.length === 0) return;
    const strategy: Strategy = { cuts: Object.fromEntries(kept), carry: [] };
    this.operators.set(operator.id, { strategy, mesh: this.mesh, status: "set" });
  }

  private place(id: TensorId, cuts: ReadonlyMap<number, readonly string[]>): void {
    const shape = this.tensors.get(id)?.shape ?? [];
    const dims = shape.map((_, dim) => ({
      parts: this.parts(cuts.get(dim) ?? []),
      chunks: "flat" as const,
    }));
    const layout: Layout = { mesh: this.mesh, dims, partials: [] };
    this.placements.set(id, { layout, status: "set" });
  }

  private parts(names: readonly string[]): readonly Part[] {
    return names.flatMap((name): readonly Part[] => {
      const axis = this.mesh.axes.find((each) => each.name === name);
      return axis === undefined || axis.size === 1
        ? []
        : [{ kind: "axis", axis: axis.name, before: 1, size: axis.size }];
    });
  }
}

/**
 * Whether a tensor is an input with a batch; buffers of modules, which have dotted names, are not.
 */
export function isBatch({ name, role, shape }: Tensor): boolean {
  return role === "input" && shape.length > 0 && !name.includes(".");
}

function isParameter(tensor: Tensor | undefined): tensor is Tensor {
  return tensor?.role === "parameter";
}

/** Whether a tensor holds the weights of all experts of a layer. */
function isOfExperts({ name, shape }: Tensor): boolean {
  return shape.length === 3 && /experts?\b/.test(name);
}

/**
 * Whether an embedding table holds words; tables of positions and token types are small, and stay
 * whole.
 */
function isTable({ name }: Tensor): boolean {
  return !/(wpe|position|token_type|pos_emb)/.test(name);
}

/** Dims of a matrix product's weight: the kept one, and the summed one. */
function productDims(operator: Operator, at: number) {
  const isProduct = ["matmul", "linear", "einsum"].includes(operator.entry ?? "");
  return isProduct ? matrixDims(operator, at) : undefined;
}

function reductionOf({ axes }: Operator, name: string | undefined) {
  return axes.find((axis) => axis.name === name)?.reduction;
}

function axisOf({ inputs }: Operator, at: number, dim: number): string | undefined {
  return axisOfDim(inputs[at]?.dims[dim]);
}
