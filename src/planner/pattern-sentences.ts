import { product } from "#core/arithmetic";
import { joinWithAnd } from "#core/diagnostics";
import {
  bytesOf,
  type Operator,
  operatorLabels,
  type Tensor,
  type TensorId,
  tensorsById,
} from "#core/ir";
import { type AxisRole, AxisView } from "./operator-roles.ts";
import { type Pattern, type PatternedPlan, type PatternName, patternsOf } from "./patterns.ts";

/** A piece of a sentence: plain words, the name of a mesh axis, or stressed words. */
export type SentencePart = string | { readonly axis: string } | { readonly strong: string };

/** A sentence about a plan as parts, in which axis names are marked. */
export type PlanSentence = readonly SentencePart[];

/**
 * A plan in an engineer's sentences: one for each named pattern, with the layers that it cuts; then
 * patterns of equal layers alone, with the other cuts by the same axes; then one for each other
 * axis, with its cuts or the note that it cuts nothing.
 */
export function patternSentences(plan: PatternedPlan): readonly PlanSentence[] {
  const patterns = patternsOf(plan);
  const known = new Set(patterns.flatMap(({ axes }) => axes));
  const inLayers = patternsInLayers(plan, known);
  for (const { axes } of inLayers.patterns) for (const axis of axes) known.add(axis);
  const rest = plan.mesh.axes.filter(({ name, size }) => size > 1 && !known.has(name));
  const words = new LayerWords(plan);
  return [
    ...patterns.map((pattern) => patternSentence(pattern, plan, words)),
    ...inLayers.patterns.map((pattern) => layersSentence(pattern, inLayers)),
    ...rest.map(({ name }) => plainSentence(name, plan, words)),
  ];
}

interface InLayers {
  readonly patterns: readonly Pattern[];
  /** Plan restricted to operators in equal layers (`inside`), and to all others. */
  readonly inside: PatternedPlan;
  readonly outside: PatternedPlan;
}

/**
 * The patterns of operators in lists of modules, over axes that fit no pattern of the whole
 * program.
 */
function patternsInLayers(plan: PatternedPlan, known: ReadonlySet<string>): InLayers {
  const isInside = ({ module = "" }: Operator) => listOfModules(module) !== undefined;
  const only = (isWanted: (operator: Operator) => boolean): PatternedPlan => {
    const operators = plan.graph.operators.filter(isWanted);
    return { ...plan, graph: { ...plan.graph, operators } };
  };
  const inside = only(isInside);
  const outside = only((operator) => !isInside(operator));
  return { patterns: patternsOf(inside, known), inside, outside };
}

/** The outermost list of modules in a path: `layers` of `model.layers[3].attn`. */
function listOfModules(module: string): string | undefined {
  return /^(?:[^[]*\.)?([^[.]+)\[/u.exec(module)?.[1];
}

/**
 * The sentence of a pattern of equal layers: `HSDP over dp, tp in blocks: …; elsewhere tp cuts the
 * columns of head.`
 */
function layersSentence(pattern: Pattern, { inside, outside }: InLayers): PlanSentence {
  const [title = "", ...said] = patternSentence(pattern, inside, new LayerWords(inside));
  const lists = inside.graph.operators.map(({ module = "" }) => listOfModules(module) ?? "");
  const meaning = String(said.at(-1)).replace(/^: (.*)\.$/u, "$1");
  const words = new LayerWords(outside);
  const others = pattern.axes.flatMap((axis) => {
    const cuts = cutsOf(axis, outside, words);
    return cuts === "" ? [] : [[{ axis }, ` cuts ${cuts.replaceAll("; ", ", and ")}`]];
  });
  const elsewhere = others.flatMap((each, at) => [at === 0 ? "; elsewhere " : "; ", ...each]);
  const where = ` in ${listOf([...new Set(lists)])}: ${meaning}`;
  return [title, ...said.slice(0, -1), where, ...elsewhere, "."];
}

type Layers = (...roles: readonly AxisRole[]) => string;

interface Facts {
  readonly layers: Layers;
  /** The part of a tensor on a device that is cut over all axes of the pattern: `1/8`. */
  readonly part: string;
  /** The part of the weights that a device stores: `1/64 of every weight`. */
  readonly stored: string;
  readonly isTrained: boolean;
}

/** The effect of each pattern, to follow its name and axes. */
const meanings: Readonly<Record<PatternName, (facts: Facts) => string>> = {
  "data parallel": ({ part, isTrained }) =>
    `each device works on ${part} of the data with the same weights${isTrained ? ", whose gradients are added up" : ""}`,
  "ZeRO-1": ({ part }) =>
    `each device works on ${part} of the data with the same weights and keeps a part of the optimizer's state`,
  "ZeRO-2": ({ part }) =>
    `each device works on ${part} of the data with the same weights and keeps a part of gradients and optimizer's state`,
  FSDP: ({ part, stored }) =>
    `each device works on ${part} of the data, stores ${stored} and gathers it where it is used`,
  HSDP: ({ part, stored }) =>
    `each device works on ${part} of the data, stores ${stored} and gathers it along the last axis alone`,
  megatron: ({ layers }) => `${cutBy(layers)}, so that each pair exchanges nothing but its sums`,
  "sequence parallel": ({ layers }) =>
    `${cutBy(layers)}; between the pairs the tokens lie cut, so that each pair begins with a gather and ends in a scattered sum`,
  "column parallel": ({ layers }) => `${cutBy(layers)}; no weight is gathered, and results lie cut`,
  "row parallel": ({ layers }) => `${cutBy(layers)}; no weight is gathered, and results are sums`,
  "vocabulary parallel": ({ layers }) => `the rows of the table of ${layers("row")} are cut`,
  "loss parallel": ({ layers }) =>
    `${cutBy(layers)}; who reads that combines a few sums in place of gathering it`,
  "expert parallel": ({ layers, part }) =>
    `each device has ${part} of the experts of ${layers("expert")}`,
  "context parallel": ({ part }) =>
    `each device works on ${part} of the tokens, and attention gathers those that it reads along`,
  Ulysses: ({ part }) =>
    `each device works on ${part} of the tokens, which are exchanged for another dim before attention and back behind it`,
  "2-D weights": ({ layers }) =>
    `one axis cuts the columns, the other the rows of every weight of ${layers("column", "row")}`,
};

const titles: Readonly<Partial<Record<PatternName, string>>> = {
  megatron: "Megatron",
  "sequence parallel": "Megatron with sequence parallelism",
};

function cutBy(layers: Layers): string {
  const [columns, rows] = [layers("column"), layers("row")];
  if (columns === "") return `the weights of ${rows} are cut by rows`;
  const own = `the weights of ${columns} are cut by columns`;
  return rows === "" ? own : `${own}, those of ${rows} by rows`;
}

function patternSentence(
  { name, axes }: Pattern,
  plan: PatternedPlan,
  words: LayerWords,
): PlanSentence {
  const sizes = axes.map((axis) => plan.mesh.axes.find((each) => each.name === axis)?.size ?? 1);
  const facts = {
    layers: (...roles: readonly AxisRole[]) => words.layers(axes, roles),
    part: `1/${product(sizes)}`,
    stored: storedText(plan, plan.zero === 3 ? axes : []),
    isTrained: plan.zero !== undefined,
  };
  const title = titles[name] ?? name.replace(/^[a-z]/u, (first) => first.toUpperCase());
  const over = axes.flatMap((axis, at): PlanSentence => [at === 0 ? " over " : ", ", { axis }]);
  return [{ strong: title }, ...over, `: ${meanings[name](facts)}.`];
}

/** The sentence of an axis whose cuts make no one pattern of all layers. */
function plainSentence(axis: string, plan: PatternedPlan, words: LayerWords): PlanSentence {
  const cuts = cutsOf(axis, plan, words);
  if (cuts !== "") return [{ axis }, ` cuts ${cuts}.`];
  const other = words.layers([axis], ["follow"]);
  return other === ""
    ? [{ axis }, " cuts nothing: the devices along it do the same work."]
    : [{ axis }, ` cuts no weight and no product; it cuts ${other}.`];
}

/**
 * The cuts of an axis: `the data in qkv and fc; the columns of head`; `undefined` if it cuts no
 * product.
 */
function cutsOf(axis: string, plan: PatternedPlan, words: LayerWords): string {
  const cuts = (["batch", "column", "row", "expert"] as const).flatMap((role) => {
    const layers = words.layers([axis], [role]);
    if (layers === "") return [];
    const isStored = role === "batch" && storesPieces(axis, plan);
    return [
      `${roleWords[role]} ${layers}${isStored ? ", whose weights are stored in pieces" : ""}`,
    ];
  });
  return cuts.join("; ");
}

const roleWords = {
  batch: "the data in",
  column: "the columns of",
  row: "the rows of",
  expert: "the experts of",
} as const;

/** Whether all weights that are used whole along an axis are cut by it at rest. */
function storesPieces(axis: string, { graph, strategies, rest }: PatternedPlan): boolean {
  const view = new AxisView(graph, axis, ({ id }) => strategies.get(id));
  const weights = view.products
    .filter((operator) => view.roleOf(operator) === "batch")
    .flatMap((operator) => view.weightsOf(operator));
  return weights.every(({ tensor }) =>
    rest
      .get(tensor)
      ?.dims.some(({ parts }) => parts.some((part) => part.kind === "axis" && part.axis === axis)),
  );
}

/** The most layers that are named. */
const mostNames = 4;

/** The layers of a program, by the role of an axis in them. */
class LayerWords {
  private readonly plan: PatternedPlan;
  private readonly labels: ReturnType<typeof operatorLabels>;
  private readonly views = new Map<string, AxisView>();

  constructor(plan: PatternedPlan) {
    this.plan = plan;
    this.labels = operatorLabels(plan.graph);
  }

  /** The layers in which one of the axes has one of the roles: `qkv, proj, fc and out`. */
  layers(axes: readonly string[], roles: readonly AxisRole[]): string {
    const views = axes.map((axis) => this.viewOf(axis));
    const found = this.plan.graph.operators.filter((operator) =>
      views.some((view) => roles.includes(view.roleOf(operator))),
    );
    return listOf([...new Set(found.map(({ id, name }) => this.labels.get(id) ?? name))]);
  }

  private viewOf(axis: string): AxisView {
    const { graph, strategies } = this.plan;
    const view = this.views.get(axis) ?? new AxisView(graph, axis, ({ id }) => strategies.get(id));
    this.views.set(axis, view);
    return view;
  }
}

function listOf(names: readonly string[]): string {
  const more = names.length - mostNames;
  return joinWithAnd(more > 0 ? [...names.slice(0, mostNames), `${more} more`] : names);
}

/** The part of the weights that a device stores: `1/64 of every weight`, `3.1 % of the weights`. */
function storedText({ graph, mesh, rest, strategies }: PatternedPlan, also: readonly string[]) {
  const tensors = tensorsById(graph);
  const [first = ""] = mesh.axes.map(({ name }) => name);
  const view = new AxisView(graph, first, ({ id }) => strategies.get(id));
  const ids = new Set(
    view.products.flatMap((operator) => view.weightsOf(operator)).map(({ tensor }) => tensor),
  );
  const sizeOf = new Map(mesh.axes.map(({ name, size }) => [name, size]));
  const all = [...ids].flatMap((id) => {
    const tensor = tensors.get(id);
    return tensor === undefined ? [] : [{ bytes: bytesIn(tensor), pieces: piecesOf(id) }];
  });
  function piecesOf(id: TensorId): number {
    const parts = rest.get(id)?.dims.flatMap((dim) => dim.parts) ?? [];
    const own = parts.flatMap((part) => (part.kind === "axis" ? [part.axis] : []));
    return [...new Set([...own, ...also])].reduce(
      (product, axis) => product * (sizeOf.get(axis) ?? 1),
      1,
    );
  }
  const pieces = new Set(all.map((each) => each.pieces));
  const [only = 1] = pieces;
  if (pieces.size === 1) return `1/${only} of every weight`;
  const stored = all.reduce((sum, each) => sum + each.bytes / each.pieces, 0);
  const whole = all.reduce((sum, { bytes }) => sum + bytes, 0);
  return `${((100 * stored) / whole).toPrecision(2)} % of the weights`;
}

function bytesIn({ shape, dtype }: Tensor): number {
  return shape.reduce((product, size) => product * size, bytesOf(dtype));
}
