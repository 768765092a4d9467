import { axisOfDim, type Graph, matrixDims, type Operator, type Tensor } from "#core/ir";
import { flatSteps, type LocalStep, type SpmdProgram, type ValueId } from "#core/program";
import type { OperatorScope } from "#systems/arrays";
import { factorsOf } from "#systems/arrays/python";
import type { Placement } from "../placement.ts";
import { placementText, type RankMesh } from "./rank-mesh.ts";

/** A product with a parameter, a table lookup, or a norm, as a module that PyTorch parallelizes. */
export interface Layer {
  /** Name of the module, and of its result. */
  readonly name: string;
  /** The parameter held by the module. */
  readonly parameter: string;
  /** Expression that constructs the module. */
  readonly made: string;
  /** The entry of the plan that `parallelize_module` follows. */
  readonly style: string;
  /** The mesh axis of that plan. */
  readonly axis: string;
  /** Whether the parameter is transposed: nn.Linear holds (out, in), the program (in, out). */
  readonly isTurned: boolean;
  /** Variable on which the layer is called. */
  readonly operand: string;
  /** The redistribution of the result that the layer does itself, by the value after it. */
  readonly redistributes?: ValueId;
}

/** Why an operator with a parameter is no layer, as half a sentence about the parameter. */
export interface NoLayer {
  readonly parameter: string;
  readonly why: string;
}

const columns = "ColwiseParallel(use_local_output=False)";
const rows = "RowwiseParallel(output_layouts=Partial(), use_local_output=False)";

/** A layer found for the cuts of a weight and of its operand. */
interface Fit {
  readonly style: string;
  readonly made: string;
  readonly isTurned?: boolean;
  readonly redistributes?: ValueId;
}

/** Attribute names of nn.Module. */
const taken = new Set([
  ..."add_module apply bfloat16 buffers call_super_init children compile cpu cuda double".split(
    " ",
  ),
  ..."dump_patches eval extra_repr float forward half ipu modules mtia parameters to train".split(
    " ",
  ),
  ..."register_buffer register_parameter share_memory state_dict training type xpu zero_grad".split(
    " ",
  ),
]);

/**
 * The layer that an operator can become: a matrix product whose weight is cut by columns or rows
 * along one mesh axis, a lookup in a table cut so, or a norm along a cut sequence. Nothing else may
 * read the weight, and the program must be forward only. Else the reason; `undefined` for an
 * operator of no such kind.
 */
export function layerOf(
  step: LocalStep,
  scope: OperatorScope,
  ranks: RankMesh,
  program: SpmdProgram,
): Layer | NoLayer | undefined {
  const { operator, inputs, outputs } = scope;
  const [operand, parameter] = inputs;
  const [name = ""] = outputs;
  if (operand === undefined || parameter === undefined) return undefined;
  if (!isLayered(operator) || roleOf(operator, program) !== "parameter") return undefined;
  // No reason is given for a norm: computing it without a layer is just as good.
  const isNorm = norms[operator.entry ?? ""] !== undefined;
  const none = (why: string) => (isNorm ? undefined : { parameter, why });
  const weight = weightOf(step, operator, program);
  if (weight === undefined) return none("another operator reads it too, or its types are mixed");
  if (taken.has(name)) return none(`a module has a ${name} of its own`);
  const [x = [], w = []] = step.inputs.map((id) =>
    ranks.placementsOf(scope.layoutOf(id), operator.name),
  );
  const cut = isNorm ? sequenceOf(x, axesOfWeights(program, ranks)) : w;
  const places = cut.flatMap(({ kind }, at) => (kind === "replicate" ? [] : [at]));
  const [at, ...more] = places;
  if (at === undefined) return none("no axis cuts it");
  if (more.length > 0) return none("several axes cut it, and such a layer lies on one");
  const along = { x: x[at], w: w[at] };
  const isPlain = x.every(({ kind }, place) => place === at || kind !== "partial");
  const found = isPlain ? fitOf(along, { step, scope, program, ranks, weight, at }) : undefined;
  if (found === undefined) return none("its reader does not hold what such a layer takes");
  const { isTurned = false, ...fit } = found;
  return {
    ...{ name, parameter, operand, isTurned, axis: ranks.mesh.axes[at]?.name ?? "" },
    ...fit,
  };
}

/** Module of each norm, with the default epsilon of its call. */
const norms: Readonly<Record<string, readonly [module: string, more: string, epsilon: number]>> = {
  layer_norm: ["nn.LayerNorm", ", bias=False", 1e-5],
  rms_norm: ["nn.RMSNorm", "", 1e-6],
};

/**
 * A norm's input placements, keeping shards only on mesh axes that also shard weights (sequence
 * parallel); batch shards become Replicate.
 */
function sequenceOf(x: readonly Placement[], axes: ReadonlySet<number>): readonly Placement[] {
  return x.map((placement, at) =>
    placement.kind === "shard" && axes.has(at) ? placement : { kind: "replicate" },
  );
}

/** Mesh axes, by position, that cut parameters. */
function axesOfWeights({ values }: SpmdProgram, ranks: RankMesh): ReadonlySet<number> {
  const weights = values.filter(({ role }) => role === "parameter");
  return new Set(
    weights.flatMap(({ layout, tensor }) =>
      ranks.placementsOf(layout, tensor).flatMap(({ kind }, at) => (kind === "shard" ? [at] : [])),
    ),
  );
}

interface Reading {
  readonly step: LocalStep;
  readonly scope: OperatorScope;
  readonly program: SpmdProgram;
  readonly ranks: RankMesh;
  readonly weight: Tensor;
  /** Position of the mesh axis. */
  readonly at: number;
}

/** The layer for the placements of operand and weight on one axis. */
function fitOf(
  { x, w }: { readonly x: Placement | undefined; readonly w: Placement | undefined },
  reading: Reading,
): Fit | undefined {
  const { scope, weight } = reading;
  const { operator } = scope;
  if (x === undefined || w === undefined) return undefined;
  if (norms[operator.entry ?? ""] !== undefined) return normOf(x, w, reading);
  if (w.kind !== "shard") return undefined;
  if (operator.entry === "embedding") {
    const made = `nn.Embedding(${weight.shape.join(", ")})`;
    if (x.kind !== "replicate") return undefined;
    return w.dim === 1 ? { made, style: columns } : tableRows(made, reading);
  }
  const dims = productDims(scope);
  if (dims === undefined) return undefined;
  const isRows = w.dim === dims.contracted;
  const fits = isRows ? x.kind === "shard" && x.dim === dims.last : x.kind === "replicate";
  if (!fits) return undefined;
  const [ins, outs] = [weight.shape[dims.contracted], weight.shape[1 - dims.contracted]];
  return {
    made: `nn.Linear(${ins}, ${outs}, bias=False)`,
    style: isRows ? rows : columns,
    isTurned: dims.contracted === 0,
  };
}

/** A norm over its last dim only, with an operand cut along another dim and a whole weight. */
function normOf(
  x: Placement,
  w: Placement,
  { scope: { operator, layoutOf }, step, weight }: Reading,
): Fit | undefined {
  const [module, more, usual] = norms[operator.entry ?? ""] ?? ["", "", 0];
  const rank = step.inputs[0] === undefined ? 0 : layoutOf(step.inputs[0]).dims.length;
  const isLast = x.kind === "shard" && x.dim < rank - 1 && weight.shape.length === 1;
  if (!isLast || w.kind !== "replicate" || operator.inputs.length > 2) return undefined;
  const { eps = usual } = operator.attributes;
  return {
    made: `${module}(${weight.shape.join(", ")}, eps=${String(eps)}${more})`,
    style: `SequenceParallel(sequence_dim=${x.dim}, use_local_output=False)`,
  };
}

/**
 * A table cut by rows: it gives zeros for ids of other devices, and its own redistribution adds
 * them up.
 */
function tableRows(made: string, { step, program, ranks, scope, at }: Reading): Fit | undefined {
  const steps = flatSteps(program);
  const readers = steps.filter((each) =>
    (each.kind === "local" ? each.inputs : [each.input]).some((id) => id === step.outputs[0]),
  );
  const [next, ...others] = readers;
  if (next?.kind !== "collective" || others.length > 0) return undefined;
  const [before, after] = [next.input, next.output].map((id) =>
    ranks.placementsOf(scope.layoutOf(id), scope.operator.name),
  );
  const isAlone = before?.every(
    (placement, place) =>
      place === at || placementText(placement) === placementText(after?.[place] ?? placement),
  );
  const to = after?.[at];
  if (isAlone !== true || to === undefined || to.kind === "partial") return undefined;
  const layouts = `input_layouts=Replicate(), output_layouts=${placementText(to)}`;
  return {
    ...{ made, redistributes: next.output },
    style: `RowwiseParallel(${layouts}, use_local_output=False)`,
  };
}

/**
 * The second operand of an operator, if it is a parameter read as given and by no other operator.
 */
function weightOf(
  { inputs: [, value] }: LocalStep,
  { entry, inputs, outputs }: Operator,
  { graph, made }: SpmdProgram,
): Tensor | undefined {
  const [, operand] = inputs;
  const isForward = isForwardAlone(graph);
  const weight = graph.tensors.find(({ id }) => id === operand?.tensor);
  const reads = graph.operators.flatMap((each) =>
    each.inputs.filter(({ tensor }) => tensor === operand?.tensor),
  );
  const isOwn = weight?.role === "parameter" && reads.length === 1 && made.get(weight.id) === value;
  // The ids of a table lookup are integers, so their dtype is not compared.
  const types = [...(entry === "embedding" ? inputs.slice(1) : inputs), ...outputs].map(
    (each) => graph.tensors.find(({ id }) => id === each.tensor)?.dtype ?? "",
  );
  const isFloat = types.every((dtype) => dtype === types[0] && /^b?f\d+$/.test(dtype));
  return isForward && isOwn && isFloat ? weight : undefined;
}

function isForwardAlone({ operators }: Graph): boolean {
  return operators.every(({ phase = "forward" }) => phase === "forward");
}

/** Whether an operator is of a kind that layers can compute. */
function isLayered({ entry = "" }: Operator): boolean {
  return ["matmul", "linear", "embedding"].includes(entry) || norms[entry] !== undefined;
}

function roleOf({ inputs: [, weight] }: Operator, { graph }: SpmdProgram) {
  return graph.tensors.find(({ id }) => id === weight?.tensor)?.role;
}

/**
 * Why some parameters are in no layer of `parallelize_module`, as sentences. `undefined` when every
 * parameter has a layer, or when no parameter could have one.
 */
export function whyNoLayers(
  { graph }: SpmdProgram,
  missing: readonly NoLayer[],
): string | undefined {
  if (missing.length === 0) return undefined;
  if (!isForwardAlone(graph))
    return "The weights are tensors of the file and no layers of parallelize_module, since it states their gradients and updates itself.";
  const reasons = new Map<string, string[]>();
  for (const { parameter, why } of missing)
    reasons.set(why, [...new Set([...(reasons.get(why) ?? []), parameter])]);
  const parts = [...reasons].map(([why, names]) => `${names.join(", ")}, since ${why}`);
  return `No layer of parallelize_module holds ${parts.join("; nor ")}.`;
}

/** The dims of `w` if the operator is just `x @ w`, with the last dim of `x` as the summed one. */
function productDims({ body: { call, body } }: OperatorScope): ProductDims | undefined {
  const dims = matrixDims(call, 1);
  const [x, w, ...others] = call.inputs.map((each) => each?.dims.map(axisOfDim));
  const [only, ...more] = body.outputs;
  const isAlone = body.tables.length + more.length + others.length === 0;
  if (dims === undefined || !isAlone || only?.combine !== "sum") return undefined;
  const factors = factorsOf(only.value);
  const isPlain = factors.every(({ kind, ...read }) => kind === "read" && !("at" in read));
  const made = call.outputs[0]?.dims.map(axisOfDim);
  const wanted = [...(x?.slice(0, -1) ?? []), w?.[dims.kept]];
  const isProduct = factors.length === 2 && isPlain && made?.join() === wanted.join();
  const last = (x?.length ?? 0) - 1;
  return isProduct && x?.[last] === w?.[dims.summed]
    ? { contracted: dims.summed, last }
    : undefined;
}

interface ProductDims {
  readonly contracted: number;
  readonly last: number;
}
