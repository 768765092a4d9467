import {
  modulePathParts,
  type Operator,
  type OperatorId,
  operatorLabels,
  operatorTargets,
  type Tensor,
  type TensorId,
  wildcardPath,
} from "#core/ir";
import type { Layout } from "#core/mesh";
import { isCutAs, type Plan, propagate, type Strategy } from "#core/plan";
import { append, groupedBy } from "#core/records";
import type { Document } from "#language/document";
import {
  cutLists,
  dimLists,
  layoutsAgree,
  type PlannedProgram,
  unplacedLayouts,
} from "./planned-words.ts";

/**
 * One part of the difference between a text and another plan, which can be accepted or left out.
 */
export interface PlanPart {
  /** Key of the part: a module for all its list elements, `blocks[*].attn`, or a single value. */
  readonly key: string;
  readonly kind: "operators" | "weights" | "inputs";
  /** New cuts in words: `qkv n, proj k over tp`. */
  readonly words: string;
  /** Number of equal modules, or of tensors. */
  readonly count: number;
  readonly operators: readonly OperatorId[];
  readonly tensors: readonly TensorId[];
}

/** Parts of a plan, and the plans made of some of them. */
export interface PlanParts {
  readonly parts: readonly PlanPart[];
  /** The plan without some parts, which stay as in the text. */
  readonly without: (left: ReadonlySet<string>) => PlannedProgram;
}

/** The keys of parts outside of modules. */
const restKeys = { parameter: "weights at rest", input: "inputs" } as const;

/**
 * Changes of a plan by module; `after` is the same program with the plan. `undefined` if the text
 * splits an operator on its own device arrangement, which the plan cannot express.
 */
export function planParts(before: Document, after: Document): PlanParts | undefined {
  const { graph, mesh } = before;
  const old = propagate(graph, mesh.mesh, before.requests).plan;
  const next = propagate(after.graph, after.mesh.mesh, after.requests).plan;
  const isOwn = [...old.operators.values()].some(
    (own) => JSON.stringify(own.mesh.axes) !== JSON.stringify(mesh.mesh.axes),
  );
  if (isOwn) return undefined;
  const changed = graph.operators.filter(({ id }) => {
    const [own, wanted] = [old.operators.get(id), next.operators.get(id)?.strategy];
    return own !== undefined && wanted !== undefined && !isCutAs(own, wanted, mesh.mesh);
  });
  const placed = movedAtRest(before, old, next);
  const operators = operatorParts(before, changed, next);
  const parts = [...operators, ...restParts(graph.tensors, placed)];
  const keyOf = new Map<OperatorId | TensorId, string>(
    parts.flatMap(({ key, operators: own, tensors }) =>
      [...own, ...tensors].map((id) => [id, key] as const),
    ),
  );
  return {
    parts,
    without: (left) => {
      const isLeft = (id: OperatorId | TensorId) => left.has(keyOf.get(id) ?? "");
      return mixedPlan({ before, after, old, next, placed }, isLeft);
    },
  };
}

interface Mixing {
  readonly before: Document;
  readonly after: Document;
  readonly old: Plan;
  readonly next: Plan;
  /** Inputs and parameters that the plan moves, except those that follow their first readers. */
  readonly placed: ReadonlyMap<TensorId, Layout>;
}

function mixedPlan(
  { before, after, old, next, placed }: Mixing,
  isLeft: (id: OperatorId | TensorId) => boolean,
): PlannedProgram {
  const { graph, requests } = before;
  const strategies = new Map<OperatorId, Strategy>();
  for (const { id } of graph.operators) {
    const own = (isLeft(id) ? old : next).operators.get(id) ?? next.operators.get(id);
    if (own !== undefined) strategies.set(id, own.strategy);
  }
  const rest = new Map(unplacedLayouts(before, strategies));
  for (const { id, producer } of graph.tensors) {
    const own = isLeft(id) ? undefined : placed.get(id);
    const layout = own ?? requests.placements.get(id)?.layout;
    if (producer !== undefined) rest.delete(id);
    else if (layout !== undefined) rest.set(id, layout);
  }
  const ends = graph.tensors.flatMap(({ id, producer }) => {
    const end = after.requests.placements.get(id)?.layout;
    const isOld = producer === undefined || requests.placements.has(id) || isLeft(producer);
    return end === undefined || isOld ? [] : [[id, end] as const];
  });
  return { strategies, rest, ends: new Map(ends) };
}

/**
 * Inputs and parameters whose layout at rest in the plan differs from that of their first reader.
 */
function movedAtRest(before: Document, old: Plan, next: Plan): ReadonlyMap<TensorId, Layout> {
  const strategies = new Map(
    [...next.operators].map(([id, { strategy }]) => [id, strategy] as const),
  );
  const inferred = unplacedLayouts(before, strategies);
  const moved = new Map<TensorId, Layout>();
  for (const [id, { layout }] of next.placements) {
    const own = before.requests.placements.get(id)?.layout ?? inferred.get(id);
    const isSame = layoutsAgree(own, layout);
    const wasSame = layoutsAgree(old.placements.get(id)?.layout, layout);
    if (!isSame && !(wasSame && before.requests.placements.has(id))) moved.set(id, layout);
  }
  return moved;
}

function operatorParts(
  { graph }: Document,
  changed: readonly Operator[],
  next: Plan,
): readonly PlanPart[] {
  const labels = operatorLabels(graph);
  const { targetOf } = operatorTargets(graph.operators);
  const groups = groupedBy(changed, (operator) => wildcardPath(placeOf(operator, targetOf)));
  return [...groups].map(([key, operators]) => ({
    key,
    kind: "operators" as const,
    words: cutWords(operators, labels, next),
    count: new Set(operators.map((operator) => placeOf(operator, targetOf))).size,
    operators: operators.map(({ id }) => id),
    tensors: [],
  }));
}

/** The module around an operator's layer, or the operator itself outside modules. */
function placeOf(operator: Operator, targetOf: (operator: Operator) => string): string {
  const { module = "", name } = operator;
  const target = targetOf(operator);
  if (module === "") return name;
  if (target !== module) return module;
  const around = modulePathParts(module).slice(0, -1).join(".");
  return around === "" ? module : around;
}

/** Most layers of a module that are named. */
const mostNames = 4;

/** Cuts of layers: `qkv n, proj k over tp; qkv b over dp`; `whole` without a cut. */
function cutWords(
  operators: readonly Operator[],
  labels: ReadonlyMap<OperatorId, string>,
  next: Plan,
): string {
  const byAxes = new Map<string, string[]>();
  const whole: string[] = [];
  const isOne = new Set(operators.map(({ id, name }) => labels.get(id) ?? name)).size === 1;
  for (const { id, name } of operators) {
    const label = labels.get(id) ?? name;
    const cuts = Object.entries(cutLists(next.operators.get(id)?.strategy ?? noStrategy));
    if (cuts.length === 0) whole.push(label);
    for (const [identifier, axes] of cuts)
      append(byAxes, axes.join(", "), isOne ? identifier : `${label} ${identifier}`);
  }
  const texts = [...byAxes].map(([axes, names]) => `${namesText(names)} over ${axes}`);
  return [
    ...texts,
    ...(whole.length === 0 ? [] : [isOne ? "whole" : `${namesText(whole)} whole`]),
  ].join("; ");
}

const noStrategy: Strategy = { cuts: {}, carry: [] };

function namesText(all: readonly string[]): string {
  const names = [...new Set(all)];
  const more = names.length - mostNames;
  return more > 0 ? `${names.slice(0, mostNames).join(", ")} and ${more} more` : names.join(", ");
}

function restParts(
  tensors: readonly Tensor[],
  placed: ReadonlyMap<TensorId, Layout>,
): readonly PlanPart[] {
  return (["parameter", "input"] as const).flatMap((role) => {
    const moved = tensors.filter(({ id, role: own }) => own === role && placed.has(id));
    if (moved.length === 0) return [];
    const lists = moved.flatMap(({ id }) => {
      const layout = placed.get(id);
      return layout === undefined ? [] : [axesText(layout)];
    });
    return [
      {
        key: restKeys[role],
        kind: role === "parameter" ? ("weights" as const) : ("inputs" as const),
        words: [...new Set(lists)].join("; "),
        count: moved.length,
        operators: [],
        tensors: moved.map(({ id }) => id),
      },
    ];
  });
}

/** Axes of a layout: `cut over tp, dp`; `whole` without a cut. */
function axesText(layout: Layout): string {
  const axes = dimLists(layout).flat();
  return axes.length === 0 ? "whole" : `cut over ${axes.join(", ")}`;
}
