// Nested modules of a program as in its text, each with its operators.

import { type Graph, type Operator, type OperatorId, type TensorId, tensorsById } from "./graph.ts";

/** Stretch of a module: consecutive operators that no other module interrupts. */
export interface ModuleNode {
  /** Its path from the model, `blocks[3].attn`; empty for the model itself. */
  readonly path: string;
  /** The last part of its path, `attn`, `blocks[3]`. */
  readonly name: string;
  /** A key of the stretch: the module's path, with `#2` for a second stretch. */
  readonly key: string;
  /** In program order. */
  readonly items: readonly (ModuleNode | Operator)[];
}

/** Whether an item of a module is a module, not an operator. */
export function isModuleNode(item: ModuleNode | Operator): item is ModuleNode {
  return "items" in item;
}

/** All operators of a module, in program order. */
export function operatorsIn(node: ModuleNode): readonly Operator[] {
  return node.items.flatMap((item) => (isModuleNode(item) ? operatorsIn(item) : [item]));
}

/** The parts of a module's path: `blocks[3].attn` has two. */
export function modulePathParts(path: string): readonly string[] {
  return path === "" ? [] : path.split(".");
}

/** A path with `*` for every index: `blocks[*].attn` for `blocks[3].attn`. */
export function wildcardPath(path: string): string {
  return path.includes("[") ? path.replace(/\[\d+\]/g, "[*]") : path;
}

/** The modules of operators as they are nested, in program order. */
export function moduleTree(operators: readonly Operator[]): ModuleNode {
  const counts = new Map<string, number>();
  const root: Open = { path: "", name: "", key: "", items: [] };
  let open: readonly Open[] = [root];
  for (const operator of operators) {
    const parts = modulePathParts(operator.module ?? "");
    open = entered(open, parts, counts);
    open.at(-1)?.items.push(operator);
  }
  return root;
}

interface Open extends ModuleNode {
  readonly items: (ModuleNode | Operator)[];
}

/** Modules around the next operator, outermost first: still open ones, then newly entered ones. */
function entered(
  open: readonly Open[],
  parts: readonly string[],
  counts: Map<string, number>,
): readonly Open[] {
  const same = parts.findIndex((part, at) => open[at + 1]?.name !== part);
  const inside = open.slice(0, 1 + (same < 0 ? parts.length : same));
  for (const name of parts.slice(inside.length - 1)) {
    const around = inside.at(-1);
    const path = around === undefined || around.path === "" ? name : `${around.path}.${name}`;
    const count = (counts.get(path) ?? 0) + 1;
    counts.set(path, count);
    const node: Open = { path, name, key: count === 1 ? path : `${path}#${count}`, items: [] };
    around?.items.push(node);
    inside.push(node);
  }
  return inside;
}

/**
 * The labels of operators on screen, in the words of the text. A layer has the name of its module
 * (`qkv`). A result without a name has that of the weight that it reads (`q_proj`), or of its
 * function (`gelu`, `+`); so has a result of a single letter, unless it reads a weight. Any other
 * result has its variable's name; gradients are `∂qkv`. Casts around a layer, as mixed precision
 * adds them, take no name from it. Names in texts and links stay those of the operators.
 */
export function operatorLabels(graph: Graph): ReadonlyMap<OperatorId, string> {
  const layers = layerPaths(graph).operators;
  const weights = weightNames(graph);
  const labels = new Map<OperatorId, string>();
  for (const operator of graph.operators) {
    const { id, of, phase } = operator;
    const forward = of === undefined ? undefined : labels.get(of);
    const layer = layers.get(id);
    if (forward !== undefined) labels.set(id, phase === "backward" ? `∂${forward}` : forward);
    else labels.set(id, layer === undefined ? ownLabel(operator, weights) : lastPart(layer));
  }
  return labels;
}

/**
 * The layers that give operators their labels, by path. The layer of an operator is the module that
 * makes it alone; for a result without a name, the module of the weight that it reads, and then the
 * result tensor has that layer too. If the operator stands in a function inside that module, its
 * layer is the function.
 */
export function layerPaths(graph: Graph): LayerPaths {
  const known = knownPaths.get(graph) ?? pathsOfLayers(graph);
  knownPaths.set(graph, known);
  return known;
}

interface LayerPaths {
  readonly operators: ReadonlyMap<OperatorId, string>;
  readonly tensors: ReadonlyMap<TensorId, string>;
}

/** Found layers by graph: labels and layers of one graph are both asked for. */
const knownPaths = new WeakMap<Graph, LayerPaths>();

function pathsOfLayers(graph: Graph): LayerPaths {
  const alone = aloneIn(graph.operators);
  const weights = weightNames(graph);
  const named = tensorsById(graph);
  const operators = new Map<OperatorId, string>();
  const tensors = new Map<TensorId, string>();
  for (const operator of graph.operators) {
    const { id, name, module = "", outputs } = operator;
    const weight = isNamed(operator) ? undefined : weightOf(operator, weights);
    const owner = weight?.includes(".") === true ? ownerPath(weight) : undefined;
    const isAround = owner !== undefined && module.startsWith(`${owner}.`);
    const path = isAround || alone.get(module) === id ? module : owner;
    if (path === undefined) continue;
    operators.set(id, path);
    const [made] = outputs;
    const isOwn = made !== undefined && named.get(made.tensor)?.name === name && !isNamed(operator);
    if (isOwn) tensors.set(made.tensor, path);
  }
  return { operators, tensors };
}

function ownLabel(operator: Operator, weights: ReadonlyMap<TensorId, string>): string {
  const own = ownName(operator);
  const weight = weightOf(operator, weights);
  if (!isNamed(operator)) return weight ?? functionLabel(operator);
  return own.length === 1 && weight === undefined ? functionLabel(operator) : own;
}

/** The first weight that an operator reads. */
function weightOf({ inputs }: Operator, weights: ReadonlyMap<TensorId, string>) {
  return inputs.map(({ tensor }) => weights.get(tensor)).find((each) => each);
}

/** Last part of an operator's name, without the number that distinguishes equal names. */
function ownName({ name }: Operator): string {
  return lastPart(name).replace(/#\d+$/, "");
}

/** The short labels of functions: signs of arithmetic, and abbreviations of long names. */
const shortLabels: Readonly<Record<string, string>> = {
  ...{ add: "+", sub: "−", mul: "×", div: "÷", matmul: "matmul", attention: "attention" },
};

/** The label of a result without a telling name: the sign or the name of its function. */
function functionLabel({ op, entry }: Operator): string {
  return (entry !== undefined && Object.hasOwn(shortLabels, entry) && shortLabels[entry]) || op;
}

/** Names of parameters, by their own tensors and by the tensors of their casts. */
function weightNames({ tensors, operators }: Graph): ReadonlyMap<TensorId, string> {
  const names = new Map(
    tensors.flatMap(({ id, name, role }) => (role === "parameter" ? [[id, name]] : [])),
  );
  for (const { entry, inputs, outputs } of operators) {
    const [from, to] = [inputs[0]?.tensor, outputs[0]?.tensor];
    const name = from === undefined ? undefined : names.get(from);
    if (entry === "cast" && name !== undefined && to !== undefined) names.set(to, name);
  }
  return names;
}

/**
 * The single operator of each module that makes one operator alone (in itself and the modules
 * inside it), by path. Casts beside it do not count.
 */
function aloneIn(operators: readonly Operator[]): ReadonlyMap<string, OperatorId> {
  const found = new Map<string, Operator | undefined>();
  // Cached, since many operators are in the same module.
  const paths = new Map<string, readonly string[]>();
  for (const operator of operators) {
    if (operator.of !== undefined) continue;
    const { module = "" } = operator;
    const all = paths.get(module) ?? around(module);
    paths.set(module, all);
    for (const path of all) {
      const known = found.get(path);
      if (!found.has(path) || known?.entry === "cast") found.set(path, operator);
      else if (operator.entry !== "cast") found.set(path, undefined);
    }
  }
  return new Map([...found].flatMap(([path, one]) => (one === undefined ? [] : [[path, one.id]])));
}

/** Path of a module and the paths of all modules around it. */
function around(path: string): readonly string[] {
  const parts = modulePathParts(path);
  return parts.map((_, at) => parts.slice(0, at + 1).join("."));
}

/**
 * Whether the text named a result; a result without a name has its function's name: `gelu_1`,
 * `add2`.
 */
function isNamed(operator: Operator): boolean {
  const stem = ownName(operator).replace(/_?\d+$/, "");
  return ![operator.op, operator.entry, operator.op.toLowerCase()].includes(stem);
}

/** Names of parameters that denote their part of a layer, not the layer. */
const partsOfLayers: ReadonlySet<string> = new Set([
  ...["weight", "bias", "kernel", "gamma", "beta", "scale", "embedding_table"],
]);

/**
 * The path of a parameter's layer: `layers[0].q_proj` for `layers[0].q_proj.weight` and for itself;
 * `w1` for `w1`.
 */
function ownerPath(weight: string): string {
  const owner = weight.slice(0, Math.max(0, weight.lastIndexOf(".")));
  return owner !== "" && partsOfLayers.has(lastPart(weight)) ? owner : weight;
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf(".") + 1);
}
