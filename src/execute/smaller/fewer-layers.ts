import type { Graph, Operator, OperatorId, Tensor, TensorId } from "#core/ir";
import type { SpmdProgram } from "#core/program";
import { groupedBy } from "#core/records";
import { layersOf } from "./layers-of-units.ts";
import { producersOf, type Units, unitsOf } from "./runs-as-units.ts";

/** The number of a program's layers that are left. */
export interface LayersKept {
  readonly kept: number;
  readonly of: number;
}

/** A program without some of its equal layers. */
export interface FewerLayers {
  readonly graph: Graph;
  readonly layers: LayersKept;
}

/**
 * The graph with fewer layers of each kind, forward, backward and update: only `wanted` remain of
 * layers that are equal, split alike and connected alike, and readers of the last layer read the
 * last remaining one. `undefined` if no layer can go.
 *
 * @param wanted layers to keep of each kind; two are enough to have one hand over to the next
 */
export function fewerLayers(program: SpmdProgram, wanted: number): FewerLayers | undefined {
  const units = unitsOf(program);
  const gone = goneOperators(program.graph, units, wanted);
  if (gone.size === 0) return undefined;
  const graph = without(program.graph, gone, units);
  const [of, kept] = [program.graph, graph].map(layerCount);
  return { graph, layers: { kept: kept ?? 0, of: of ?? 0 } };
}

/** The operators of all layers beyond the first ones of each kind. */
function goneOperators(graph: Graph, units: Units, wanted: number): ReadonlySet<OperatorId> {
  const layers = layersOf(graph, units);
  const kinds = groupedBy(layers, ({ kind }) => kind);
  const gone = [...kinds.values()].flatMap((alike) => {
    const fixed = alike.filter(({ isFixed }) => isFixed).length;
    return alike.filter(({ isFixed }) => !isFixed).slice(Math.max(0, wanted - fixed));
  });
  return new Set(
    gone.flatMap((layer) => layer.units.flatMap((unit) => units.units[unit]?.operators ?? [])),
  );
}

/**
 * The graph without some operators; readers of the tensors that these handed on read the ones
 * handed to them.
 */
function without(graph: Graph, gone: ReadonlySet<OperatorId>, { before }: Units): Graph {
  const producers = producersOf(graph);
  const isGone = (tensor: TensorId) => {
    const producer = producers.get(tensor);
    return producer !== undefined && gone.has(producer);
  };
  const standsFor = (tensor: TensorId): TensorId => {
    let at = tensor;
    for (let next = before.get(at); isGone(at) && next !== undefined; next = before.get(at))
      at = next;
    return at;
  };
  const operators = graph.operators
    .filter(({ id }) => !gone.has(id))
    .map((operator): Operator => {
      if (!operator.inputs.some(({ tensor }) => isGone(tensor))) return operator;
      const inputs = operator.inputs.map((each) => ({ ...each, tensor: standsFor(each.tensor) }));
      return { ...operator, inputs };
    });
  const read = new Set(operators.flatMap(({ inputs }) => inputs.map(({ tensor }) => tensor)));
  const orphans = orphansOf(graph, gone, read);
  const outputs = graph.outputs.map(standsFor).filter((each) => !isGone(each));
  return {
    tensors: graph.tensors
      .filter(({ id }) => !isGone(id) && !orphans.has(id))
      .map((tensor) => pointingAt(tensor, standsFor)),
    operators,
    outputs: [...new Set(outputs)].filter((id) => !orphans.has(id)),
  };
}

/** Tensors that only the removed operators read. */
function orphansOf(
  { operators }: Graph,
  gone: ReadonlySet<OperatorId>,
  read: ReadonlySet<TensorId>,
): ReadonlySet<TensorId> {
  const made = new Set(operators.flatMap(({ outputs }) => outputs.map(({ tensor }) => tensor)));
  return new Set(
    operators
      .filter(({ id }) => gone.has(id))
      .flatMap(({ inputs }) => inputs.map(({ tensor }) => tensor))
      .filter((tensor) => !read.has(tensor) && !made.has(tensor)),
  );
}

function pointingAt(tensor: Tensor, standsFor: (tensor: TensorId) => TensorId): Tensor {
  const { gradientOf } = tensor;
  return gradientOf === undefined ? tensor : { ...tensor, gradientOf: standsFor(gradientOf) };
}

/** The number of layers, by their names in the model, `blocks[3]`. */
function layerCount({ operators }: Graph): number {
  return new Set(operators.flatMap(({ name, module }) => blockOf(module ?? name) ?? [])).size;
}

function blockOf(name: string): string | undefined {
  const end = name.indexOf("]");
  return end < 0 ? undefined : name.slice(0, end + 1);
}
