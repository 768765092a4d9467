import { joinWithAnd } from "#core/diagnostics";
import { bytesOf, type Graph, type Operator, type TensorId, tensorsById } from "#core/ir";
import type { DeviceMesh, Layout } from "#core/mesh";
import type { WantedStrategies } from "#core/plan";
import { AxisView, type Passage } from "./operator-roles.ts";

/** Ways to cut a program that have a name in the literature. */
export type PatternName =
  | "data parallel"
  | "ZeRO-1"
  | "ZeRO-2"
  | "FSDP"
  | "HSDP"
  | "megatron"
  | "sequence parallel"
  | "column parallel"
  | "row parallel"
  | "vocabulary parallel"
  | "loss parallel"
  | "expert parallel"
  | "context parallel"
  | "Ulysses"
  | "2-D weights";

/** A named way to cut a program, and its mesh axes. */
export interface Pattern {
  readonly name: PatternName;
  readonly axes: readonly string[];
}

/** The facts of a plan that show a pattern; for a found plan or a compiled one. */
export interface PatternedPlan {
  readonly graph: Graph;
  readonly mesh: DeviceMesh;
  readonly strategies: WantedStrategies;
  /** Layouts of parameters at rest; a parameter without one is stored as it is read. */
  readonly rest: ReadonlyMap<TensorId, Layout>;
  /** The ZeRO level of a training step. */
  readonly zero?: 0 | 1 | 2 | 3;
}

/**
 * The named patterns of a plan, in the order of its mesh axes, by their definitions (planner.md
 * §6): the cuts of each axis in products with weights, the layouts of activations between
 * operators, and those of weights at rest. Axes that fit no name, and `known` ones, are in no
 * pattern.
 */
export function patternsOf(
  plan: PatternedPlan,
  known: ReadonlySet<string> = new Set(),
): readonly Pattern[] {
  const axes = plan.mesh.axes.flatMap(({ name, size }) =>
    size > 1 && !known.has(name) ? [name] : [],
  );
  const strategyOf = ({ id }: Operator) => plan.strategies.get(id);
  const views = new Map(axes.map((axis) => [axis, new AxisView(plan.graph, axis, strategyOf)]));
  const pair = weightPair(views);
  const patterns: Pattern[] = pair === undefined ? [] : [{ name: "2-D weights", axes: pair }];
  for (const [axis, view] of views) {
    if (pair?.includes(axis) === true) continue;
    const name = nameOf(axis, view, plan);
    if (name !== undefined) patterns.push({ name, axes: [axis] });
  }
  return inOrder(hybrid(grouped(patterns)), axes);
}

/**
 * The text of patterns: `data parallel over dp, megatron over tp`; the name alone if the mesh has
 * just one axis.
 */
export function patternText(patterns: readonly Pattern[], mesh: DeviceMesh): string | undefined {
  const [first] = patterns;
  if (first === undefined) return undefined;
  if (mesh.axes.filter(({ size }) => size > 1).length === 1) return first.name;
  return patterns.map(({ name, axes }) => `${name} over ${joinWithAnd(axes)}`).join(", ");
}

function nameOf(axis: string, view: AxisView, plan: PatternedPlan): PatternName | undefined {
  const roles = new Set(view.products.map((operator) => view.roleOf(operator)));
  const areAll = (...allowed: readonly string[]) =>
    [...roles].every((role) => allowed.includes(role));
  if (roles.size === 0 || !view.isUsed) return undefined;
  if (areAll("batch")) return batchName(axis, view, plan);
  if (roles.has("expert") && areAll("expert", "batch", "whole")) return "expert parallel";
  if (areAll("column", "row", "whole")) return tensorName(view);
  return undefined;
}

/**
 * The name of an axis with weights whole in use: it cuts the batch, or tokens, which are gathered
 * for attention, or exchanged for another dim before attention and back after it.
 */
function batchName(axis: string, view: AxisView, plan: PatternedPlan): PatternName | undefined {
  const moved = view.passages.filter(({ from, to }) => typeof from === "number" && from !== to);
  if (moved.length === 0) return restName(axis, view, plan);
  const isMixer = ({ reader }: Passage) =>
    view.roleOf(reader) === "follow" &&
    view.passages.filter((each) => each.reader === reader).length > 1;
  if (moved.every((each) => each.to === "whole" && isMixer(each))) return "context parallel";
  const isBack = ({ maker, reader }: Passage) =>
    view.roleOf(maker) === "follow" && view.roleOf(reader) === "batch";
  const isExchanged = moved.every(
    (each) => typeof each.to === "number" && (isMixer(each) || isBack(each)),
  );
  return isExchanged && moved.some(isMixer) && moved.some(isBack) ? "Ulysses" : undefined;
}

/** The name by the layout of weights at rest: whole, or cut by the axis too. */
function restName(axis: string, view: AxisView, plan: PatternedPlan): PatternName {
  const tensors = tensorsById(plan.graph);
  const weights = new Set(view.products.flatMap((operator) => view.weightsOf(operator)));
  let [cutBytes, wholeBytes] = [0, 0];
  for (const id of new Set([...weights].map(({ tensor }) => tensor))) {
    const tensor = tensors.get(id);
    if (tensor === undefined) continue;
    const bytes = tensor.shape.reduce((product, size) => product * size, bytesOf(tensor.dtype));
    if (isCutBy(axis, plan.rest.get(id))) cutBytes += bytes;
    else wholeBytes += bytes;
  }
  if (plan.zero === 3 || cutBytes > wholeBytes) return "FSDP";
  return plan.zero === 1 ? "ZeRO-1" : plan.zero === 2 ? "ZeRO-2" : "data parallel";
}

function isCutBy(axis: string, layout: Layout | undefined): boolean {
  const parts = layout?.dims.flatMap((dim) => dim.parts) ?? [];
  return parts.some((part) => part.kind === "axis" && part.axis === axis);
}

/** Name of an axis whose weights are cut in use and never gathered. */
function tensorName(view: AxisView): PatternName | undefined {
  const cut = view.products.filter((operator) => view.roleOf(operator) !== "whole");
  if (hasPair(view)) return isCutBetween(view) ? "sequence parallel" : "megatron";
  if (cut.length === 0) return undefined;
  if (cut.every((operator) => isLookup(view, operator))) return "vocabulary parallel";
  const roles = new Set(cut.map((operator) => view.roleOf(operator)));
  if (roles.size > 1) return undefined;
  if (view.combinesInside) return "loss parallel";
  return roles.has("column") ? "column parallel" : "row parallel";
}

/** Whether a row product reads the result of a column product without a redistribution. */
function hasPair(view: AxisView): boolean {
  const reached = new Set<Operator>();
  for (const { maker, reader, from, to } of view.passages) {
    if (typeof from !== "number" || from !== to) continue;
    const isStart = view.roleOf(maker) === "column";
    if (!isStart && !reached.has(maker)) continue;
    if (view.roleOf(reader) === "row") return true;
    if (view.roleOf(reader) === "follow") reached.add(reader);
  }
  return false;
}

/**
 * Whether activations are cut by tokens between products, so that column products gather them along
 * a dim that they keep. A cut along the dim that they sum is the model's width, not its sequence.
 */
function isCutBetween(view: AxisView): boolean {
  return view.passages.some(({ reader, operand, from, to }) => {
    if (typeof from !== "number" || to !== "whole" || view.roleOf(reader) !== "column")
      return false;
    const names = operand.dims[from]?.identifiers ?? [];
    return reader.outputs.some(({ dims }) =>
      dims.some(({ identifiers }) => names.some((name) => identifiers.includes(name))),
    );
  });
}

/** Whether an operator looks up rows of a table: no data operand has the summed identifier. */
function isLookup(view: AxisView, operator: Operator): boolean {
  const weights = view.weightsOf(operator);
  const data = operator.inputs.filter((operand) => !weights.includes(operand));
  const inData = new Set(data.flatMap(({ dims }) => dims.flatMap((dim) => dim.identifiers)));
  const kept = new Set(
    operator.outputs.flatMap(({ dims }) => dims.flatMap((dim) => dim.identifiers)),
  );
  const summed = weights
    .flatMap(({ dims }) => dims.flatMap((dim) => dim.identifiers))
    .filter((name) => !kept.has(name));
  return view.roleOf(operator) === "row" && summed.every((name) => !inData.has(name));
}

/**
 * Two axes that both cut every used weight, one along the summed dim and one along the kept dim.
 */
function weightPair(views: ReadonlyMap<string, AxisView>): readonly string[] | undefined {
  const all = [...views];
  for (const [at, [one, a]] of all.entries()) {
    const { products } = a;
    const other = all.slice(at + 1).find(([, b]) =>
      products.every((operator) => {
        const roles = [a.roleOf(operator), b.roleOf(operator)];
        return roles.includes("row") && roles.includes("column");
      }),
    );
    if (other !== undefined && products.length > 0) return [one, other[0]];
  }
  return undefined;
}

/** Patterns with one name joined, with all their axes. */
function grouped(patterns: readonly Pattern[]): readonly Pattern[] {
  const byName = new Map<PatternName, readonly string[]>();
  for (const { name, axes } of patterns) byName.set(name, [...(byName.get(name) ?? []), ...axes]);
  return [...byName].map(([name, axes]) => ({ name, axes }));
}

/** Weights in pieces over some axes and copied over others make one pattern. */
function hybrid(patterns: readonly Pattern[]): readonly Pattern[] {
  const copied = patterns.find(({ name }) => name === "data parallel");
  const inPieces = patterns.find(({ name }) => name === "FSDP");
  if (copied === undefined || inPieces === undefined) return patterns;
  const others = patterns.filter((each) => each !== copied && each !== inPieces);
  return [{ name: "HSDP", axes: [...copied.axes, ...inPieces.axes] }, ...others];
}

function inOrder(patterns: readonly Pattern[], axes: readonly string[]): readonly Pattern[] {
  const first = ({ axes: own }: Pattern) => Math.min(...own.map((axis) => axes.indexOf(axis)));
  return [...patterns].sort((a, b) => first(a) - first(b));
}
