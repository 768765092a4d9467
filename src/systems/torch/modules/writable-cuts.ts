import { type Graph, type Operator, type OperatorId, type TensorId, tensorsById } from "#core/ir";
import { type CutLimits, freeAxes } from "#core/plan";
import type { CodeWriter, TextModules, WritableCuts } from "#systems/arrays";
import { isWithin, patternOf } from "./forward-flow.ts";

/** The index axes of an operator that each mesh axis may cut; `null` for none. */
type Limits = CutLimits extends ReadonlyMap<OperatorId, infer Own> ? Own : never;

/**
 * What plans may cut so that `parallelize_module` and `fully_shard` say them (engine-torch.md §5.4):
 * every axis shares out the batch, or all but one do, along which the weights of layers are cut.
 */
export const writableCuts: NonNullable<CodeWriter["writable"]> = ({ graph, mesh, textModules }) => {
  const modules = textModules?.() ?? "the text has no modules";
  if (typeof modules === "string") return [];
  const axes = mesh.axes.filter(({ size }) => size > 1).map(({ name }) => name);
  const rows = rowIdentifiers(graph, modules);
  return [undefined, ...axes].map((tensor) =>
    within(graph, modules, { axes, rows, tensor, uncut: new Map() }),
  );
};

interface Kept {
  readonly axes: readonly string[];
  /** Identifiers of each operator that index the batch. */
  readonly rows: ReadonlyMap<OperatorId, readonly string[]>;
  /** The axis that cuts weights. */
  readonly tensor: string | undefined;
  /**
   * Modules, by pattern, in which the axis of the styles cuts nothing: `itself`, or with all
   * modules inside (`whole`).
   */
  readonly uncut: ReadonlyMap<string, "itself" | "whole">;
}

function within(graph: Graph, modules: TextModules, kept: Kept): WritableCuts {
  const { axes, rows, tensor, uncut } = kept;
  const roles = tensorsById(graph);
  const isParameter = (id: TensorId) => roles.get(id)?.role === "parameter";
  const limits = graph.operators.map((operator): [OperatorId, Limits] => {
    const own = rows.get(operator.id) ?? [];
    const shared = own.length > 0 ? own : [null];
    const path = modules.pathOf.get(operator.id);
    const isUncut = path !== undefined && isIn(uncut, patternOf(path));
    const ofTensor = isUncut ? [null] : weightCuts(operator, { modules, own, isParameter });
    return [
      operator.id,
      Object.fromEntries(axes.map((axis) => [axis, axis === tensor ? ofTensor : shared])),
    ];
  });
  return {
    limits: new Map(limits),
    without: (paths) => {
      if (tensor === undefined) return undefined;
      const patterns = paths.map(patternOf);
      const itself = patterns.find((each) => !isIn(uncut, each));
      const more = itself ?? patterns.find((each) => uncut.get(each) === "itself");
      if (more === undefined) return undefined;
      const next = new Map([...uncut, [more, itself === undefined ? "whole" : "itself"] as const]);
      return within(graph, modules, { ...kept, uncut: next });
    },
  };
}

function isIn(uncut: Kept["uncut"], pattern: string): boolean {
  const isWhole = ([each, how]: [string, string]) => how === "whole" && isWithin(pattern, each);
  return uncut.has(pattern) || [...uncut].some(isWhole);
}

interface Of {
  readonly modules: TextModules;
  readonly own: readonly string[];
  readonly isParameter: (id: TensorId) => boolean;
}

/**
 * The cuts that the axis of the styles may make in an operator: no rows of the batch, and in a
 * layer its weight.
 */
function weightCuts(operator: Operator, { modules, own, isParameter }: Of): Limits[string] {
  const free = freeAxes(operator).filter(
    (name) => !own.includes(name) && operator.inner?.includes(name) !== true,
  );
  const weights = operator.inputs.filter(({ tensor }) => isParameter(tensor));
  const path = modules.pathOf.get(operator.id);
  if (weights.length === 0 || path === undefined) return [null, ...free];
  const held = new Set(weights.flatMap(({ dims }) => dims.flatMap((dim) => dim.identifiers)));
  const isLayer = ["nn.Linear", "nn.Embedding"].includes(modules.classesOf.get(path)?.[0] ?? "");
  return [null, ...free.filter((name) => held.has(name) === isLayer)];
}

/** The identifiers of operators that are rows of the batch: dim 0 of what the model is given. */
function rowIdentifiers(
  { operators, tensors }: Graph,
  { runs }: TextModules,
): ReadonlyMap<OperatorId, readonly string[]> {
  const given = new Set(
    runs.flatMap(({ path, args }) => (path === "" ? args.map(({ tensor }) => tensor) : [])),
  );
  const [count] = tensors.find(({ id }) => given.has(id))?.shape ?? [];
  const inputs = tensors.filter(
    ({ role, shape, isMadeInside }) =>
      role === "input" && isMadeInside !== true && shape[0] === count,
  );
  const rows = new Map<TensorId, number>(inputs.map(({ id }) => [id, 0]));
  const isParameter = new Set(
    tensors.flatMap(({ id, role }) => (role === "parameter" ? [id] : [])),
  );
  const found = new Map<OperatorId, readonly string[]>();
  const note = ({ id, inputs, outputs }: Operator) => {
    const all = [...inputs, ...outputs];
    const names = new Set(
      all.flatMap(({ tensor, dims }) => dims[rows.get(tensor) ?? -1]?.splittable ?? []),
    );
    found.set(id, [...names]);
    for (const { tensor, dims } of all) {
      const at = dims.findIndex(({ splittable = "" }) => names.has(splittable));
      if (at >= 0 && !isParameter.has(tensor) && !rows.has(tensor)) rows.set(tensor, at);
    }
  };
  // A tensor made for the rows of others, as kinds of words are, has rows too: the loop also goes
  // backwards to find it.
  for (let known = -1; known < rows.size; ) {
    known = rows.size;
    for (const operator of operators) note(operator);
    for (const operator of [...operators].reverse()) note(operator);
  }
  return found;
}
