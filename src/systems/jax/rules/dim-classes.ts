import type { Graph, Operand, Tensor, TensorId } from "#core/ir";
import type { TextModules } from "#systems/arrays";

/** Equivalence classes of tensor dims by meaning, such as all dims that a residual adds up. */
export interface DimClasses {
  classOf(tensor: TensorId, dim: number): string;
  /** The word for a class, taken from the text's own names. */
  nameOf(dimClass: string): string;
}

/**
 * Classes of dims in a forward pass: dims of equal size that an operator reads or makes with the
 * same index are in one class. The words are `vocab`, `embed`, `batch`, `length`, else the name of
 * the first layer that has the class.
 */
export function dimClasses(graph: Graph, modules: TextModules | undefined): DimClasses {
  const tensors = new Map(graph.tensors.map((tensor) => [tensor.id, tensor]));
  const parents = new Map<string, string>();
  const rootOf = (key: string): string => {
    let at = key;
    for (let up = parents.get(at); up !== undefined; up = parents.get(at)) at = up;
    return at;
  };
  for (const { phase, inputs, outputs } of graph.operators) {
    if ((phase ?? "forward") !== "forward") continue;
    const first = new Map<string, string>();
    for (const operand of [...inputs, ...outputs])
      for (const { index, dim, size } of plainDims(operand, tensors.get(operand.tensor))) {
        const key = `${index}:${size}`;
        const own = rootOf(keyOf(operand.tensor, dim));
        const known = first.get(key);
        if (known === undefined) first.set(key, own);
        else if (rootOf(known) !== own) parents.set(own, rootOf(known));
      }
  }
  joinLayers(graph.tensors, (a, b) => {
    const [own, other] = [rootOf(a), rootOf(b)];
    if (own !== other) parents.set(own, other);
  });
  const classOf = (tensor: TensorId, dim: number) => rootOf(keyOf(tensor, dim));
  const names = namesOf(graph.tensors, classOf, modules);
  return { classOf, nameOf: (dimClass) => names.get(dimClass) ?? "dim" };
}

/** Joins the dims of equal layers' parameters. */
function joinLayers(tensors: readonly Tensor[], join: (a: string, b: string) => void): void {
  const first = new Map<string, Tensor>();
  for (const tensor of tensors) {
    if (tensor.role !== "parameter") continue;
    const general = `${tensor.name.replace(/\.\d+(?=\.)|\[\d+\]/gu, ".*")}:${tensor.shape.join()}`;
    const like = first.get(general);
    if (like === undefined) first.set(general, tensor);
    else for (const dim of tensor.shape.keys()) join(keyOf(tensor.id, dim), keyOf(like.id, dim));
  }
}

function keyOf(tensor: TensorId, dim: number): string {
  return `${dim} of ${tensor}`;
}

/** Dims of an operand that a single index runs through. */
function plainDims({ dims }: Operand, tensor: Tensor | undefined) {
  return dims.flatMap(({ identifiers: [index, ...others] }, dim) =>
    index === undefined || others.length > 0 ? [] : [{ index, dim, size: tensor?.shape[dim] }],
  );
}

type ClassOf = DimClasses["classOf"];

/** Distinct words for all classes: those from tables first, then from layers, then from inputs. */
function namesOf(
  tensors: readonly Tensor[],
  classOf: ClassOf,
  modules: TextModules | undefined,
): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const used = new Set<string>();
  const offer = ({ id }: Tensor, dim: number, name: string) => {
    const dimClass = classOf(id, dim);
    if (names.has(dimClass)) return;
    names.set(dimClass, ownName(name.replace(/\W+/gu, "_").toLowerCase(), used));
  };
  const parameters = tensors.filter(({ role }) => role === "parameter");
  const owners = new Map(parameters.map((tensor) => [tensor, ownerOf(tensor, modules)]));
  const ofClass = (own: string) => parameters.filter((each) => owners.get(each)?.own === own);
  for (const [at, table] of ofClass("nn.Embedding").entries()) {
    offer(table, 1, "embed");
    offer(table, 0, at === 0 ? "vocab" : (owners.get(table)?.name ?? "rows"));
  }
  for (const layer of ofClass("nn.Linear")) {
    const { name = "layer" } = owners.get(layer) ?? {};
    offer(layer, 0, name);
    if (layer.shape.length > 1) offer(layer, 1, `${name}_in`);
  }
  for (const other of parameters)
    for (const dim of other.shape.keys()) offer(other, dim, `${lastWords(other.name)}_${dim}`);
  for (const input of tensors.filter(({ role }) => role === "input"))
    for (const dim of input.shape.keys()) offer(input, dim, inputWord(input, dim));
  for (const rest of tensors.filter(({ role }) => role === "activation"))
    for (const dim of rest.shape.keys()) offer(rest, dim, `${lastWords(rest.name)}_${dim}`);
  return names;
}

function inputWord({ name, shape, dtype }: Tensor, dim: number): string {
  const isSequence = shape.length > 2 || dtype.startsWith("i");
  if (dim === 0) return "batch";
  return dim === 1 && isSequence ? "length" : `${lastWords(name)}_${dim}`;
}

/** The module that holds a parameter: its name, and its PyTorch class. */
function ownerOf({ name }: Tensor, modules: TextModules | undefined) {
  const path = name.replace(/\[(\d+)\]/gu, ".$1");
  const module = path.slice(0, Math.max(0, path.lastIndexOf(".")));
  const own = modules?.classesOf.get(module)?.[0];
  return { own, name: lastWords(module) };
}

/** The last non-numeric word of a path. */
function lastWords(path: string): string {
  return path.split(/[.[\]]/u).findLast((word) => word !== "" && !/^\d+$/u.test(word)) ?? "model";
}

/** A unique name. */
export function ownName(name: string, used: Set<string>): string {
  let own = name;
  for (let count = 2; used.has(own); count += 1) own = `${name}_${count}`;
  used.add(own);
  return own;
}
