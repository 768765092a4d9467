import { product } from "#core/arithmetic";
import type { Span } from "#core/diagnostics";
import { meshLimit } from "#core/mesh";
import { sizeOf, type TensorBindings } from "#language/document/bindings";
import {
  bindArguments,
  hostFunction,
  integerOf,
  itemsOf,
  textOf,
} from "#language/document/bindings/values";
import type { Recorder, TracedTensor } from "#language/document/trace";
import type { Argument, Context, HostFunction, SpanTree, Value } from "#language/python";
import type { MeshValue, MeshValues } from "./device-mesh.ts";
import type { ParallelRecord, RootMesh } from "./record.ts";
import { sayNotRead, sayUnread } from "./said.ts";

/** The parts of a run that the words for meshes use. */
export interface MeshParts {
  readonly recorder: Recorder;
  readonly tensors: TensorBindings;
  readonly record: ParallelRecord;
  readonly meshes: MeshValues;
}

/** The size of a mesh dim that the text does not give. */
const assumedPieces = 2;

/** `init_device_mesh("cuda", (2, 4), mesh_dim_names=("dp", "tp"))`. */
export function initDeviceMesh(parts: MeshParts): HostFunction {
  const word = "init_device_mesh";
  return hostFunction(word, (args, context, span) => {
    const names = ["device_type", "mesh_shape", "mesh_dim_names", "backend_override"];
    const { bound, extra } = bindArguments(names, args);
    sayUnread(parts.record, word, extra, context);
    const shape = bound.get("mesh_shape");
    if (shape === undefined) {
      const message = "init_device_mesh() missing 1 required positional argument: 'mesh_shape'";
      return context.raise("TypeError", message, span);
    }
    const sizes = (itemsOf(shape.value) ?? [shape.value]).map((value) =>
      sizeIn(parts, value, shape, context),
    );
    return meshWith(parts, { sizes, tree: shape.tree }, bound.get("mesh_dim_names"), context, span);
  });
}

/** One size of a mesh; an unknown size is assumed, which is reported. */
function sizeIn({ record }: MeshParts, value: Value, at: Argument, context: Context): number {
  const size = integerOf(value);
  if (size !== undefined && size >= 1) return size;
  if (size === undefined && sizeOf(value) === undefined) {
    const message = "a mesh dim has a whole number of devices, at least 1";
    return context.raise("TypeError", message, at.span);
  }
  if (size !== undefined)
    return context.raise("ValueError", `a mesh dim has at least 1 device, not ${size}`, at.span);
  if (record.isNews("unknown size of a mesh")) {
    context.report({
      code: "torch/assumed-ranks",
      severity: "warning",
      message: `a size of this mesh is not in the text: read as ${assumedPieces}`,
      span: at.span,
    });
  }
  return assumedPieces;
}

/** `DeviceMesh("cuda", [[0, 1], [2, 3]], mesh_dim_names=("dp", "tp"))`, or with a tensor of ranks. */
export function deviceMeshWord(parts: MeshParts): HostFunction {
  return hostFunction("DeviceMesh", (args, context, span) => {
    const { bound, extra } = bindArguments(["device_type", "mesh", "mesh_dim_names"], args);
    sayUnread(parts.record, "DeviceMesh", extra, context);
    const given = bound.get("mesh");
    const found = given && (ranksOfTensor(parts, given, context) ?? ranksIn(given.value));
    if (given === undefined || found === undefined) {
      const message = "DeviceMesh() needs the ranks of its devices, in lists or in a tensor";
      return context.raise("TypeError", message, given?.span ?? span);
    }
    return meshWith(parts, found, bound.get("mesh_dim_names"), context, span);
  });
}

interface Ranks {
  readonly sizes: readonly number[];
  /** Ranks in the order of the mesh; ascending if absent. */
  readonly ranks?: readonly number[];
  readonly tree?: SpanTree | undefined;
}

/** Ranks in lists of lists. */
function ranksIn(value: Value): Ranks | undefined {
  const one = integerOf(value);
  if (one !== undefined) return { sizes: [], ranks: [one] };
  const inner = itemsOf(value)?.map(ranksIn) ?? [];
  const known = inner.flatMap((each) => each ?? []);
  const [first] = known;
  const isEven = known.every(({ sizes }) => String(sizes) === String(first?.sizes));
  if (first === undefined || known.length < inner.length || !isEven) return undefined;
  const ranks = known.flatMap((each) => each.ranks ?? []);
  return { sizes: [inner.length, ...first.sizes], ranks };
}

/** The shape of a tensor of ranks, which the board does not draw. */
function ranksOfTensor(
  { tensors, record }: MeshParts,
  { value, span }: Argument,
  context: Context,
): Ranks | undefined {
  const tensor = tensors.tensorOf(value);
  const sizes = tensor?.shape?.map((size) => (typeof size === "number" ? size : assumedPieces));
  if (tensor === undefined || sizes === undefined) return undefined;
  record.undrawn.push(tensor);
  const order = orderOf(tensor);
  if (order === "other")
    sayNotRead(record, "the order of the ranks of this mesh", "read as 0, 1, 2, …", context, span);
  return Array.isArray(order) ? { sizes, ranks: order } : { sizes };
}

/** The ranks that a tensor lists: its data, `ascending` from 0, or `other` if they are unknown. */
function orderOf({ constant, producer }: TracedTensor): readonly number[] | "ascending" | "other" {
  if (constant?.kind === "data") return constant.values;
  if (constant?.kind === "row")
    return constant.start === 0 && constant.step === 1 ? "ascending" : "other";
  const [source] = producer?.inputs ?? [];
  if (source?.kind !== "tensor" || producer?.entry !== "reshape") return "other";
  return orderOf(source);
}

/** A mesh of the text: the first is the document's, unless that has a `Mesh(…)`. */
function meshWith(
  { recorder, record, meshes }: MeshParts,
  { sizes, ranks, tree }: Ranks,
  named: Argument | undefined,
  context: Context,
  span: Span,
): Value {
  const limit = meshLimit(sizes);
  if (limit !== undefined) return context.raise("ValueError", limit.message, span);
  const given = itemsOf(named?.value)?.map((each) => textOf(each) ?? context.text(each));
  const names = given ?? sizes.map((_, at) => `d${at}`);
  if (names.length !== sizes.length || new Set(names).size < names.length) {
    const message = `a mesh of ${sizes.length} dims needs as many names, each once`;
    return context.raise("RuntimeError", message, named?.span ?? span);
  }
  const dims = names.map((name, at) => ({ name, size: sizes[at] ?? 1 }));
  const count = product(sizes);
  const root: RootMesh = { dims, span };
  record.meshes.push(root);
  const spec = {
    deviceMatrix: sizes,
    aliasName: names,
    rankList: ranks ?? Array.from({ length: count }, (_, rank) => rank),
    isInterleaved: false,
  };
  if (record.meshes.length === 1) recorder.trace.layouts.push({ spec, span, matrix: tree });
  return meshes.whole(root, given !== undefined);
}

/** The mesh of an argument; `undefined` if it is not given. */
export function meshIn(
  { record, meshes }: Pick<MeshParts, "record" | "meshes">,
  given: Argument | undefined,
  word: string,
  context: Context,
): MeshValue | undefined {
  const mesh = meshes.of(given?.value);
  if (mesh !== undefined || given === undefined || given.value.kind === "none") return mesh;
  const then = "all devices are taken in its place";
  sayNotRead(record, `the mesh of ${word}`, then, context, given.span);
  return undefined;
}
