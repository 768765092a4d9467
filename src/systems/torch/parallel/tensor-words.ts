import type { Span } from "#core/diagnostics";
import { library } from "#core/ir";
import {
  bindArguments,
  hostFunction,
  integerOf,
  itemsOf,
  none,
} from "#language/document/bindings/values";
import { certainSizes, type TracedTensor } from "#language/document/trace";
import type { Argument, Context, HostFunction, Value } from "#language/python";
import { eachDim, type MeshValue, sizeOf } from "./device-mesh.ts";
import { type MeshParts, meshIn } from "./mesh-words.ts";
import type { PlacementClasses } from "./placements.ts";
import type { PlacementWord } from "./record.ts";
import { idleContext, sayNotRead, sayUnread } from "./said.ts";

/** The parts of a run that the words about tensors use. */
export interface TensorParts extends MeshParts {
  readonly placements: PlacementClasses;
}

/** `distribute_tensor(tensor, mesh, placements)`. */
export function distributeTensor(parts: TensorParts): HostFunction {
  const word = "distribute_tensor";
  return hostFunction(word, (args, context, span) => {
    const names = ["tensor", "device_mesh", "placements", "src_data_rank"];
    const { bound, extra } = bindArguments(names, args);
    sayUnread(parts.record, word, extra, context);
    const tensor = bound.get("tensor");
    if (tensor === undefined) return none;
    return placed(parts, word, tensor, bound, context, span);
  });
}

/** `DTensor.from_local(tensor, mesh, placements)`: what each rank has, read as the whole. */
export function fromLocal(parts: TensorParts): HostFunction {
  const word = "DTensor.from_local";
  return hostFunction("from_local", (args, context, span) => {
    const names = [
      ...["local_tensor", "device_mesh", "placements", "run_check", "shape", "stride"],
      "grad_placements",
    ];
    const { bound, extra } = bindArguments(names, args);
    sayUnread(parts.record, word, extra, context);
    const local = bound.get("local_tensor");
    if (local === undefined) return none;
    widen(parts, local, bound, context);
    return placed(parts, word, local, bound, context, span);
  });
}

/** Gives an input that is cut, of which the text makes one rank's part, the sizes of the whole. */
function widen(
  { tensors, placements, meshes, recorder, record }: TensorParts,
  local: Argument,
  bound: ReadonlyMap<string, Argument>,
  context: Context,
): void {
  const tensor = tensors.tensorOf(local.value);
  const mesh = meshes.of(bound.get("device_mesh")?.value);
  const words = placements.listOf(bound.get("placements")?.value);
  if (tensor?.shape === undefined || mesh === undefined || words === undefined) return;
  const isRead = recorder.trace.operators.some(({ inputs }) =>
    inputs.some((input) => input === tensor),
  );
  if (tensor.producer !== undefined || isRead) {
    if (words.every(({ kind }) => kind !== "shard")) return;
    const then = "the board shows it as the whole, of which each rank has a part";
    sayNotRead(record, "that from_local is given one rank's part", then, context, local.span);
    return;
  }
  const shape = [...tensor.shape];
  for (const [at, word] of words.entries()) {
    const size = sizeOf(mesh.root, mesh.dims[at]?.of ?? []);
    const dim = word.kind === "shard" ? (word.dim + shape.length) % shape.length : -1;
    const before = shape[dim];
    if (typeof before === "number") shape[dim] = before * size;
  }
  tensor.shape = shape;
}

/** Why a tensor cannot lie so on a mesh: one placement for each dim of that, of dims that it has. */
function placesFault(
  word: string,
  { dims }: MeshValue,
  words: readonly PlacementWord[],
  listed: Value,
  tensor: TracedTensor,
): readonly [kind: string, message: string] | undefined {
  if (listed.kind === "instance")
    return ["TypeError", `object of type '${listed.type.name}' has no len()`];
  if (words.length !== dims.length && word !== "DTensor.from_local") {
    if (word === "redistribute") return ["IndexError", "list index out of range"];
    const message = `\`placements\` must have the same length as \`device_mesh.ndim\`! Found placements length: ${words.length}, and device_mesh.ndim: ${dims.length}.`;
    return ["ValueError", message];
  }
  const rank = certainSizes(tensor)?.length;
  const isOutside = (word: PlacementWord) =>
    word.kind === "shard" && rank !== undefined && (word.dim >= rank || word.dim < -rank);
  const outside = words.find(isOutside);
  if (outside?.kind !== "shard") return undefined;
  return ["IndexError", `Dimension out of range of a tensor with ${rank} dims: ${outside.dim}`];
}

/** A tensor in the layout of a call: the tensor itself if it has no layout yet, else a copy. */
export function placed(
  parts: TensorParts,
  word: string,
  given: Argument,
  bound: ReadonlyMap<string, Argument>,
  context: Context,
  span: Span,
): Value {
  const { tensors, placements, record } = parts;
  const tensor = tensors.tensorOf(given.value);
  const mesh = meshIn(parts, bound.get("device_mesh"), word, context) ?? meshOf(parts, tensor);
  const listed = bound.get("placements");
  const words = listed === undefined ? [] : placements.listOf(listed.value);
  if (tensor === undefined || mesh === undefined || words === undefined) {
    sayNotRead(record, word, "where its result lies is not known", context, span);
    return given.value;
  }
  const fault =
    listed && span.from >= 0 ? placesFault(word, mesh, words, listed.value, tensor) : undefined;
  if (fault !== undefined) return context.raise(...fault, span);
  const full = mesh.dims.map((_, at): PlacementWord => words[at] ?? { kind: "replicate" });
  if (full.some(({ kind }) => kind === "partial")) {
    const then = "the tensor is shown whole where it is partial";
    sayNotRead(record, `Partial() in ${word}`, then, context, listed?.span ?? span);
  }
  const isTaken = record.placed.some((each) => each.tensor === tensor);
  const isMade = tensor.producer !== undefined;
  const value =
    isTaken || (isMade && word === "redistribute")
      ? copyOf(parts, given, context, span)
      : given.value;
  record.placed.push({
    ...{ tensor: tensors.tensorOf(value) ?? tensor, mesh: eachDim(mesh), placements: full },
    span: listed?.span ?? span,
    ...(listed?.tree !== undefined && { tree: listed.tree }),
  });
  return value;
}

/** The mesh on which a tensor was placed before. */
function meshOf({ record }: TensorParts, tensor: TracedTensor | undefined): MeshValue | undefined {
  const known = record.placed.findLast((each) => each.tensor === tensor);
  const [root] = known?.mesh ?? [];
  if (known === undefined || root === undefined) {
    const [first] = record.meshes;
    return (
      first && {
        root: first,
        dims: first.dims.map(({ name }, at) => ({ name, of: [at] })),
        isNamed: true,
      }
    );
  }
  return {
    root: root.root,
    dims: known.mesh.map(({ dims }) => ({ name: String(dims), of: dims })),
    isNamed: false,
  };
}

function copyOf({ tensors }: TensorParts, given: Argument, context: Context, span: Span): Value {
  const entry = library.get("identity");
  if (entry === undefined) throw new Error('the library has no "identity"');
  return tensors.call(entry, { op: "redistribute", reducesInside: false }, [given], context, span);
}

/** A method of a tensor as a `DTensor`; `undefined` for other names. */
export function tensorMethod(
  parts: TensorParts,
  name: string,
  [self, ...args]: readonly Argument[],
  context: Context,
  span: Span,
): Value | undefined {
  if (self === undefined) return undefined;
  switch (name) {
    case "redistribute": {
      const { bound } = bindArguments(["device_mesh", "placements", "async_op"], args);
      return placed(parts, name, self, bound, context, span);
    }
    case "full_tensor": {
      const bound = new Map<string, Argument>();
      return placed(parts, "redistribute", self, bound, context, span);
    }
    case "to_local":
      sayLocal(parts, context, span);
      return self.value;
    default:
      return undefined;
  }
}

/** Says once that the board shows whole tensors. */
function sayLocal({ record }: TensorParts, context: Context, span: Span): void {
  if (!record.isNews("to_local")) return;
  context.report({
    code: "torch/whole-tensors",
    severity: "info",
    message:
      "to_local() is read as the tensor itself: the board shows whole tensors, of which each rank has its part, and sizes in the text are those of the whole",
    span,
  });
}

/** `context_parallel(mesh, buffers=[…], buffer_seq_dims=[…])`: cuts the buffers along a dim each. */
export function contextParallel(parts: TensorParts): HostFunction {
  const word = "context_parallel";
  return hostFunction(word, (args, context, span) => {
    const names = ["mesh", "buffers", "buffer_seq_dims", "no_restore_buffers"];
    const { bound, extra } = bindArguments(names, args);
    sayUnread(parts.record, word, extra, context);
    const mesh = meshIn(parts, bound.get("mesh"), word, context);
    const buffers = itemsOf(bound.get("buffers")?.value) ?? [];
    const dims = itemsOf(bound.get("buffer_seq_dims")?.value) ?? [];
    if (mesh === undefined) return idleContext();
    const over = { root: mesh.root, dims: mesh.dims.flatMap(({ of }) => of) };
    for (const [at, buffer] of buffers.entries()) {
      const tensor = parts.tensors.tensorOf(buffer);
      const dim = integerOf(dims[at]);
      if (tensor !== undefined && dim !== undefined)
        parts.record.cuts.push({ tensor, dim, mesh: over, span });
      else if (buffer.kind !== "none")
        sayNotRead(parts.record, `a buffer of ${word}`, "it is not cut", context, span);
    }
    return idleContext();
  });
}

/** `distribute_module(module, mesh, partition_fn, …)`: calls the function for every module. */
export function distributeModule(parts: TensorParts): HostFunction {
  const word = "distribute_module";
  return hostFunction(word, (args, context, span) => {
    const names = ["module", "device_mesh", "partition_fn", "input_fn", "output_fn"];
    const { bound, extra } = bindArguments(names, args);
    sayUnread(parts.record, word, extra, context);
    const [module, mesh, partition] = names.map((name) => bound.get(name));
    for (const name of ["input_fn", "output_fn"]) {
      const given = bound.get(name);
      if (given === undefined || given.value.kind === "none") continue;
      const then = "inputs and results of the module lie as its operators have them";
      sayNotRead(parts.record, `"${name}" of ${word}`, then, context, given.span);
    }
    if (module === undefined) return none;
    if (partition === undefined || mesh === undefined || partition.value.kind === "none")
      return module.value;
    const listed = context.getAttribute(module.value, "named_modules", span);
    for (const pair of context.iterate(context.call(listed, [], span), span)) {
      const [name, inner] = itemsOf(pair) ?? [];
      if (name === undefined || inner === undefined) continue;
      const values = [name, inner, mesh.value].map((value) => ({ value, span }));
      context.call(partition.value, values, span);
    }
    return module.value;
  });
}
