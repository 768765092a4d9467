import type { Diagnostic } from "#core/diagnostics";
import type { OperatorId, Tensor, TensorId } from "#core/ir";
import { blockCount, type DeviceMesh, type Layout, type Part } from "#core/mesh";
import type { OperatorPlan, Placement } from "#core/plan";
import type { TracedTensor } from "#language/document/trace";
import type { CutTensor, ParallelRecord, ShardedParameters } from "../record.ts";
import { joined } from "./asked-cuts.ts";
import type { MeshParts } from "./mesh-parts.ts";
import type { ModuleOperators } from "./module-operators.ts";

/** How the data of a program lie: what every rank has of the batch, and of sequences. */
export interface DataCuts {
  readonly placements: ReadonlyMap<TensorId, Placement>;
  readonly diagnostics: readonly Diagnostic[];
}

/** The devices over which a module's parameters are cut, and copied. */
export function partsOfSharded(
  { mesh }: Pick<ShardedParameters, "mesh">,
  parts: MeshParts,
): { readonly shard: readonly Part[]; readonly copies: readonly Part[] } {
  if (mesh === undefined) return { shard: parts.all, copies: [] };
  const copies = mesh.copies === undefined ? [] : parts.of(mesh.copies);
  return { shard: parts.of(mesh.shard), copies };
}

/** Cuts the batch over the devices that have parameters of their own, or pieces of them. */
export function dataCuts(
  record: ParallelRecord,
  operators: ModuleOperators,
  mesh: DeviceMesh,
  parts: MeshParts,
  source: string,
): DataCuts {
  const setting = { over: dataParts(record, parts), mesh, parts, record, source };
  const placements = new Map<TensorId, Placement>();
  const diagnostics: Diagnostic[] = [];
  for (const tensor of operators.built.graph.tensors) {
    const traced = operators.built.tracedBy.get(tensor.name);
    if (traced === undefined || tensor.producer !== undefined || tensor.isUnknown) continue;
    const made = placed(setting, tensor, traced);
    if (made === undefined) continue;
    if (made.said !== undefined && diagnostics.every(({ code }) => code !== made.said?.code))
      diagnostics.push(made.said);
    placements.set(tensor.id, made.placement);
  }
  return { placements, diagnostics };
}

/**
 * Attention on sequences that are cut: each rank has its own queries, and gathers keys and values, as
 * PyTorch does unless it is told to pass them round.
 */
export function sequenceCuts(
  record: ParallelRecord,
  { built }: ModuleOperators,
  mesh: DeviceMesh,
  parts: MeshParts,
): ReadonlyMap<OperatorId, OperatorPlan> {
  const over = parts.inOrder(record.cuts.flatMap((cut) => parts.of(cut.mesh)));
  const [span] = record.cuts.map((cut) => cut.span);
  if (over.length === 0 || span === undefined) return new Map();
  const batch = dataParts(record, parts);
  const found = built.graph.operators.filter(({ entry }) => entry === "attention");
  return new Map(
    found.map((operator) => {
      const dims = operator.inputs[0]?.dims ?? [];
      const [rows, sequence] = [dims[0]?.splittable, dims.at(-2)?.splittable];
      const cuts = {
        ...(sequence !== undefined && { [sequence]: over }),
        ...(rows !== undefined && batch.length > 0 && { [rows]: batch }),
      };
      const strategy = { cuts, carry: [] };
      return [operator.id, { strategy, mesh, status: "set", span }] as const;
    }),
  );
}

/** The mesh axes that cut the batch, without those that cut a sequence. */
function dataParts(record: ParallelRecord, parts: MeshParts): readonly Part[] {
  const sharded = record.sharded.flatMap((each) =>
    Object.values(partsOfSharded(each, parts)).flat(),
  );
  const copied = record.copied.flatMap(({ mesh: over }) => (over ? parts.of(over) : parts.all));
  const sequence = new Set(
    record.cuts.flatMap((cut) => parts.of(cut.mesh)).map((part) => JSON.stringify(part)),
  );
  const all = parts.inOrder([...sharded, ...copied]);
  return all.filter((part) => !sequence.has(JSON.stringify(part)));
}

interface DataSetting {
  /** The devices that share the batch. */
  readonly over: readonly Part[];
  readonly mesh: DeviceMesh;
  readonly parts: MeshParts;
  readonly record: ParallelRecord;
  readonly source: string;
}

/** How an input lies: the rows of the batch, and what the text cuts besides. */
function placed(
  { over, mesh, parts, record, source }: DataSetting,
  tensor: Tensor,
  traced: TracedTensor,
): { readonly placement: Placement; readonly said?: Diagnostic } | undefined {
  const cuts = record.cuts.filter((cut) => cut.tensor === traced);
  const isBatch = over.length > 0 && isData(record, traced) && tensor.shape.length > 0;
  if (!isBatch && cuts.length === 0) return undefined;
  const pieces = blockCount(over);
  const isEven = (tensor.shape[0] ?? 1) % pieces === 0;
  const layout: Layout = {
    mesh,
    dims: tensor.shape.map((_, dim) => ({
      parts: joined(dim === 0 && isBatch && isEven ? over : [], cutsOn(cuts, dim, tensor, parts)),
      chunks: "flat",
    })),
    partials: [],
  };
  const placement: Placement = { layout, status: "inferred" };
  if (!isBatch) return { placement };
  if (!isEven) return { placement, said: uneven(tensor, pieces) };
  const said = isWhole(traced, source) ? undefined : wholeBatch(tensor, over);
  return said === undefined ? { placement } : { placement, said };
}

function cutsOn(
  cuts: readonly CutTensor[],
  dim: number,
  { shape }: Tensor,
  parts: MeshParts,
): readonly Part[] {
  const own = cuts.filter((cut) => (cut.dim + shape.length) % shape.length === dim);
  return own.flatMap((cut) => parts.of(cut.mesh));
}

/** Inputs that the text makes outside of its modules, in a trainer of its own too, are its data. */
export function isData(record: ParallelRecord, tensor: TracedTensor): boolean {
  if (tensor.role !== "input" || tensor.constant !== undefined || record.isHeld(tensor))
    return false;
  if (record.placed.some((each) => each.tensor === tensor)) return false;
  return !tensor.frames.some(({ receiver }) => record.isModule(receiver));
}

/** Whether the text itself speaks of the whole: in our own words, or by no shape at all. */
function isWhole({ span, shapeStatus }: TracedTensor, source: string): boolean {
  return shapeStatus !== "set" || /^Tensor\b/u.test(source.slice(span.from, span.to));
}

function wholeBatch({ name, shape, span }: Tensor, over: readonly Part[]): Diagnostic {
  const axes = over.flatMap((part) => (part.kind === "axis" ? [`"${part.axis}"`] : []));
  return {
    code: "torch/whole-batch",
    severity: "warning",
    message: `"${name}" is read as the whole batch of ${shape[0]} rows, shared out over ${axes.join(", ")}; in PyTorch every rank makes one of its own`,
    ...(span !== undefined && { span }),
  };
}

function uneven({ name, shape, span }: Tensor, pieces: number): Diagnostic {
  return {
    code: "torch/uneven-batch",
    severity: "warning",
    message: `"${name}" has ${shape[0]} rows, which ${pieces} ranks do not share evenly: it is left whole on each of them`,
    ...(span !== undefined && { span }),
  };
}
