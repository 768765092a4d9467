import type { Graph, Operator, Tensor } from "#core/ir";
import type { LocalStep, SpmdProgram } from "#core/program";
import { factorsOf, type OperatorScope } from "#systems/arrays";
import type { RankMesh } from "./rank-mesh.ts";

/** A product with a parameter, or a look into a table, as a module that PyTorch parallelizes. */
export interface Layer {
  /** What the module and its result are called. */
  readonly name: string;
  /** The parameter that it holds. */
  readonly parameter: string;
  /** How the module is made. */
  readonly made: string;
  /** The entry of the plan that `parallelize_module` follows. */
  readonly style: string;
  /** nn.Linear holds the parameter as (out, in), and the program has it as (in, out). */
  readonly isTurned: boolean;
  /** What it is called on. */
  readonly operand: string;
}

const columns = "ColwiseParallel(use_local_output=False)";
const rows = "RowwiseParallel(output_layouts=Partial(), use_local_output=False)";

/** Names that nn.Module has itself. */
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
 * The layer that an operator is: a matrix product whose weight is cut along its columns or rows by the
 * one axis of the mesh, or a look into a table that is cut by columns, where nothing else reads the
 * weight, in a program that is forward alone. Undefined for every other.
 */
export function layerOf(
  step: LocalStep,
  scope: OperatorScope,
  ranks: RankMesh,
  program: SpmdProgram,
): Layer | undefined {
  const { operator, inputs, outputs } = scope;
  const [operand, parameter] = inputs;
  const [result = ""] = outputs;
  const weight = weightOf(step, operator, program);
  if (ranks.mesh.axes.length !== 1 || weight === undefined || taken.has(result)) return undefined;
  if (operand === undefined || parameter === undefined) return undefined;
  const [x, w] = step.inputs.map((id) => ranks.placementsOf(scope.layoutOf(id), operator.name)[0]);
  if (w?.kind !== "shard" || x === undefined) return undefined;
  if (operator.entry === "embedding") {
    const made = `nn.Embedding(${weight.shape.join(", ")})`;
    const isColumns = w.dim === 1 && x.kind === "replicate";
    return isColumns
      ? { name: result, parameter, operand, made, style: columns, isTurned: false }
      : undefined;
  }
  const dims = productDims(scope);
  if (dims === undefined) return undefined;
  const isRows = w.dim === dims.contracted;
  const fits = isRows ? x.kind === "shard" && x.dim === dims.last : x.kind === "replicate";
  if (!fits) return undefined;
  const [ins, outs] = [weight.shape[dims.contracted], weight.shape[1 - dims.contracted]];
  return {
    ...{ name: result, parameter, operand },
    made: `nn.Linear(${ins}, ${outs}, bias=False)`,
    style: isRows ? rows : columns,
    isTurned: dims.contracted === 0,
  };
}

/** The parameter that an operator reads second, where it is as it is given and no other reads it. */
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
  // Ids of a table are whole numbers.
  const types = [...(entry === "embedding" ? inputs.slice(1) : inputs), ...outputs].map(
    (each) => graph.tensors.find(({ id }) => id === each.tensor)?.dtype ?? "",
  );
  const isFloat = types.every((dtype) => dtype === types[0] && /^b?f\d+$/.test(dtype));
  return isForward && isOwn && isFloat ? weight : undefined;
}

function isForwardAlone({ operators }: Graph): boolean {
  return operators.every(({ phase = "forward" }) => phase === "forward");
}

/** Products with a parameter that layers could hold. */
const layered: readonly string[] = ["matmul", "linear", "embedding"];

/**
 * Why no product with a parameter is a layer of `parallelize_module`, as a sentence; undefined where one is, or
 * where there is none that could be.
 */
export function whyNoLayers(
  { graph }: SpmdProgram,
  { mesh: { axes } }: RankMesh,
  layers: readonly Layer[],
): string | undefined {
  const parameters = new Set(
    graph.tensors.flatMap(({ id, role }) => (role === "parameter" ? [id] : [])),
  );
  const hasProduct = graph.operators.some(
    ({ entry = "", inputs: [, weight] }) =>
      layered.includes(entry) && weight !== undefined && parameters.has(weight.tensor),
  );
  if (layers.length > 0 || !hasProduct) return undefined;
  if (!isForwardAlone(graph))
    return "The weights are tensors of the file and no layers of parallelize_module, since it states their gradients and updates itself.";
  if (axes.length > 1)
    return `The weights are DTensors and no layers of parallelize_module, which takes a mesh of one dim: here they lie on ${axes.length}.`;
  return "The weights are DTensors and no layers of parallelize_module, since none is cut by columns or rows for a reader that holds what such a layer takes.";
}

/** Of `x @ w`: the dim of w over which is summed, and the last dim of x, which goes with it. */
function productDims({
  body: {
    call: { inputs, outputs },
    body: {
      tables,
      outputs: [only, ...more],
    },
  },
}: OperatorScope): { readonly contracted: number; readonly last: number } | undefined {
  const [x, w, ...others] = inputs.map((each) =>
    each?.dims.map(({ identifiers: [name], ...rest }) => (rest && name) ?? ""),
  );
  if (tables.length + more.length + others.length > 0 || only?.combine !== "sum") return undefined;
  const factors = factorsOf(only.value);
  const isPlain = factors.every(({ kind, ...read }) => kind === "read" && !("at" in read));
  const last = x?.at(-1);
  const contracted = last === undefined || w?.length !== 2 ? -1 : w.indexOf(last);
  const wanted = [...(x?.slice(0, -1) ?? []), w?.[1 - contracted]];
  const made = outputs[0]?.dims.map(({ identifiers: [name] }) => name);
  const isProduct = factors.length === 2 && isPlain && made?.join() === wanted.join();
  return isProduct && contracted >= 0 && x !== undefined
    ? { contracted, last: x.length - 1 }
    : undefined;
}

/** The module of all layers, and the plan by which it is cut. */
export function layersText(layers: readonly Layer[]): string {
  const all = (line: (layer: Layer) => string) => layers.map(line).join("\n");
  return `LAYERS = {  # the layer that holds a parameter, and whether transposed
${all(({ parameter, name, isTurned }) => `    "${parameter}": ("${name}", ${isTurned ? "True" : "False"}),`)}
}
PLAN = {
${all(({ name, style }) => `    "${name}": ${style},`)}
}


class Layers(nn.Module):
    """The products with parameters; nn.Linear holds its weight as (out, in)."""

    def __init__(self):
        super().__init__()
${all(({ name, made }) => `        self.${name} = ${made}`)}


def place(whole, mesh):
    """The inputs as DTensors and the layers cut by the plan, from whole tensors that every rank has."""
    given = {
        name: distribute_tensor(x, mesh, INPUTS[name][2], src_data_rank=None)
        for name, x in whole.items()
        if name not in LAYERS
    }
    layers = Layers()
    for name, (layer, is_turned) in LAYERS.items():
        weight = whole[name].T.contiguous() if is_turned else whole[name]
        layers.get_submodule(layer).weight = nn.Parameter(weight)
    given["layers"] = parallelize_module(layers, mesh, PLAN, src_data_rank=None)
    return given`;
}
