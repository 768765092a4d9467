import type { Operator, TensorId } from "#core/ir";
import type { LocalStep } from "#core/program";
import { NotWritten, ofModule } from "#systems/arrays";
import { dottedName, type ForwardFlow, isWithin, patternOf } from "./forward-flow.ts";
import { madePlace } from "./mesh-roles.ts";
import { type Place, placeOn, samePlace } from "./place.ts";

/** A module that a style is for: it holds the parameters that its operators read. */
export interface Leaf {
  readonly path: string;
  readonly kind: "columns" | "rows" | "sequence";
  readonly isEmbedding: boolean;
  /**
   * The input of the layer, and the placement along the axis in which its first operator reads it.
   */
  readonly input: TensorId;
  readonly wanted: Place;
  /** The result of the layer, and its placement before any redistribution. */
  readonly output: TensorId;
  readonly made: Place;
}

/** The modules that are cut along an axis, by path. @throws NotWritten where one has no style */
export function leavesOf(flow: ForwardFlow, axis: string): ReadonlyMap<string, Leaf> {
  const leaves = new Map<string, Leaf>();
  for (const [path, steps] of stepsByModule(flow)) {
    const leaf = ofModule(path, () => leafOf(flow, axis, path, steps));
    if (leaf !== undefined) leaves.set(path, leaf);
  }
  return leaves;
}

function stepsByModule(flow: ForwardFlow): ReadonlyMap<string, readonly LocalStep[]> {
  const found = new Map<string, LocalStep[]>();
  for (const step of flow.steps) {
    const path = flow.pathOf(flow.operatorOf(step));
    if (path === undefined) continue;
    const list = found.get(path) ?? [];
    list.push(step);
    found.set(path, list);
  }
  return found;
}

/** The parameters that operators read, with how they lie along an axis where they are read. */
function weightsOf(flow: ForwardFlow, axis: string, steps: readonly LocalStep[]) {
  const weights = new Map<TensorId, Place>();
  for (const step of steps) {
    const operator = flow.operatorOf(step);
    for (const id of flow.inputsOf(operator)) {
      const { role, name } = flow.tensor(id);
      const read = flow.reads.get(id)?.find((each) => each.operator === operator);
      if (role !== "parameter" || read === undefined) continue;
      weights.set(id, placeOn(read.layout, axis, name));
    }
  }
  return weights;
}

function leafOf(
  flow: ForwardFlow,
  axis: string,
  path: string,
  steps: readonly LocalStep[],
): Leaf | undefined {
  const weights = weightsOf(flow, axis, steps);
  if (weights.size === 0) return undefined;
  const isWhole = [...weights.values()].every(({ kind }) => kind === "whole");
  const isCut = steps.some((step) => isCutAlong(flow, step, axis));
  if (isWhole && !isCut) return undefined;
  const [first] = weights.keys();
  const name = first === undefined ? path : dottedName(flow.tensor(first).name);
  const where = patternOf(path) || flow.modules.root;
  if (!isWhole && !holdsOthers(flow, path)) checkClass(flow, path, where);
  checkLeaf(flow, axis, path, name, steps);
  const ends = endsOf(flow, axis, path, steps, weights);
  if (!isWhole) return layerOf(flow, path, weights, ends, where);
  if (ends.wanted.kind === "cut") {
    checkSequence(flow, axis, steps, where);
    return { path, kind: "sequence", isEmbedding: false, ...ends };
  }
  throw new NotWritten(`${where} is cut over ${axis} where its input is whole`);
}

/** Operators that DTensor computes on a sequence shard without communication. */
const withoutSending: ReadonlySet<string> = new Set(
  `layer_norm rms_norm mean sum var pow square sqrt rsqrt reciprocal add sub mul div neg cast
  dropout relu gelu silu sigmoid tanh exp clamp identity`.split(/\s+/),
);

/** A module on a part of a sequence runs on DTensors, and must not send anything. */
function checkSequence(
  flow: ForwardFlow,
  axis: string,
  steps: readonly LocalStep[],
  where: string,
): void {
  for (const step of steps) {
    const operator = flow.operatorOf(step);
    const isKnown = !flow.isStage(operator) && withoutSending.has(operator.entry ?? "");
    const isMoved = flow.inputsOf(operator).some((id) => {
      const read = flow.reads.get(id)?.find((each) => each.operator === operator);
      const isMade = flow.madeIn(id) === flow.pathOf(operator);
      const place = read && placeOn(read.layout, axis, flow.tensor(id).name);
      return isMade && place !== undefined && !samePlace(place, madePlace(flow, id, axis));
    });
    if (!isKnown || isMoved)
      throw new NotWritten(
        `${where} is cut along its rows over ${axis}, and ${operator.op} in it is none of what SequenceParallel is for`,
      );
  }
}

function isCutAlong(flow: ForwardFlow, step: LocalStep, axis: string): boolean {
  return flow
    .operatorOf(step)
    .outputs.some(({ tensor }) => madePlace(flow, tensor, axis).kind !== "whole");
}

/** A style is for a module that alone reads its parameters, and has no other module inside. */
function checkLeaf(
  flow: ForwardFlow,
  axis: string,
  path: string,
  name: string,
  steps: readonly LocalStep[],
): void {
  const { modules } = flow;
  const where = patternOf(path) || modules.root;
  if (holdsOthers(flow, path))
    throw new NotWritten(
      `${patternOf(name)} is a parameter of ${where} itself, which holds other modules: no style covers it where it is cut`,
    );
  for (const step of steps) {
    for (const id of flow.inputsOf(flow.operatorOf(step))) {
      const { role, name: own, isMadeInside } = flow.tensor(id);
      if (role === "parameter") checkOwner(flow, axis, path, id);
      if (role === "input" && isMadeInside === true)
        throw new NotWritten(
          `${where} makes ${own} for itself, which is no DTensor as its parameters are`,
        );
    }
  }
  const [run] = modules.runs.filter((each) => each.path === path);
  if (run !== undefined && run.args.length > 1)
    throw new NotWritten(
      `${where} is given ${run.args.length} arguments, and its style passes one on`,
    );
}

/** Whether a module has others inside. */
function holdsOthers({ modules }: ForwardFlow, path: string): boolean {
  const paths = [...modules.classesOf.keys()];
  return path === "" || paths.some((each) => each !== path && isWithin(each, path));
}

function checkOwner(flow: ForwardFlow, axis: string, path: string, id: TensorId): void {
  const name = dottedName(flow.tensor(id).name);
  const others = flow.readsInside(id).filter((read) => read.path !== path);
  const [other] = others;
  if (other === undefined && name.startsWith(`${path}.`)) return;
  if (isTied(flow, axis, id)) return;
  const who = other?.path ?? path;
  throw new NotWritten(
    `${patternOf(name)} is read by ${patternOf(who) || flow.modules.root} too: a style would give each module a parameter of its own`,
  );
}

/**
 * Whether every reader of a weight is a linear layer or an embedding with that weight, and all cut
 * it alike (tied weights).
 */
function isTied(flow: ForwardFlow, axis: string, id: TensorId): boolean {
  const { name } = flow.tensor(id);
  const reads = flow.readsInside(id);
  const [first, ...others] = reads.map(({ layout }) => placeOn(layout, axis, name));
  const isHeld = reads.every(
    ({ path }) => path !== undefined && /^nn\.(?:Linear|Embedding)$/u.test(classOf(flow, path)),
  );
  const isAlike = first !== undefined && others.every((place) => samePlace(place, first));
  return name.endsWith(".weight") && isHeld && isAlike;
}

/** The input and the result of a module, with their placements along an axis. */
function endsOf(
  flow: ForwardFlow,
  axis: string,
  path: string,
  steps: readonly LocalStep[],
  weights: ReadonlyMap<TensorId, Place>,
): Pick<Leaf, "input" | "wanted" | "output" | "made"> {
  const where = patternOf(path);
  const own = new Set(steps.flatMap((step) => flow.operatorOf(step).outputs.map((o) => o.tensor)));
  const given = new Map<TensorId, Place>();
  for (const step of steps) {
    const operator = flow.operatorOf(step);
    for (const id of flow.inputsOf(operator)) {
      const read = flow.reads.get(id)?.find((each) => each.operator === operator);
      if (own.has(id) || weights.has(id) || read === undefined) continue;
      given.set(id, placeOn(read.layout, axis, flow.tensor(id).name));
    }
  }
  const results = [...own].filter((id) => isReadOutside(flow, id, path));
  const [[input, wanted] = [undefined, undefined], ...more] = given;
  const [output, ...others] = results;
  if (input === undefined || more.length > 0)
    throw new NotWritten(`${where} reads ${given.size} tensors, and its style is for one`);
  if (output === undefined || others.length > 0)
    throw new NotWritten(`${where} makes ${results.length} results, and its style is for one`);
  return { input, wanted, output, made: madePlace(flow, output, axis) };
}

function isReadOutside(flow: ForwardFlow, id: TensorId, path: string): boolean {
  const reads = flow.reads.get(id) ?? [];
  return reads.length === 0 || reads.some((read) => read.path !== path);
}

function classOf(flow: ForwardFlow, path: string): string {
  return flow.modules.classesOf.get(path)?.[0] ?? "";
}

/** Only two classes have styles that cut their weights. */
function checkClass(flow: ForwardFlow, path: string, where: string): void {
  const own = classOf(flow, path);
  if (own === "nn.Embedding" || own === "nn.Linear") return;
  const said = own.startsWith("nn.") ? own : `${own}, a class of the text`;
  throw new NotWritten(
    `the weights of ${where} are cut, and it is ${said}: ColwiseParallel and RowwiseParallel take nn.Linear and nn.Embedding`,
  );
}

/** A linear layer or a table whose weight is cut. */
function layerOf(
  flow: ForwardFlow,
  path: string,
  weights: ReadonlyMap<TensorId, Place>,
  ends: Pick<Leaf, "input" | "wanted" | "output" | "made">,
  where: string,
): Leaf {
  const isEmbedding = classOf(flow, path) === "nn.Embedding";
  const isWeight = (id: TensorId) => flow.tensor(id).shape.length === 2;
  const weight = [...weights].find(([id]) => isWeight(id))?.[1];
  if (weight?.kind !== "cut")
    throw new NotWritten(`the bias of ${where} is cut, and its weight is not`);
  const isRows = isEmbedding ? weight.dim === 0 : weight.dim === 1;
  const rank = flow.tensor(ends.input).shape.length;
  const fits =
    isEmbedding || !isRows
      ? ends.wanted.kind === "whole"
      : ends.wanted.kind === "cut" && ends.wanted.dim === rank - 1;
  if (!fits) throw new NotWritten(`${where} reads its input cut otherwise than its weight`);
  // A bias that is added behind the sum hides that the layer itself makes parts of it.
  const made: Place = isRows ? { kind: "partial" } : ends.made;
  return { path, kind: isRows ? "rows" : "columns", isEmbedding, ...ends, made };
}

/** What an operator is called in a sentence: by its module and its call. */
export function saidOperator(flow: ForwardFlow, { call, op }: Operator, path: string): string {
  const where = patternOf(path) || flow.modules.root;
  const text = call.length > 0 && call.length <= 60 ? call.replace(/\s+/g, " ") : op;
  return `"${text}" in ${where}`;
}
