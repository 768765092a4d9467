import type { Diagnostic } from "#core/diagnostics";
import { type Operator, operatorTargets, type Tensor, type TensorId } from "#core/ir";
import type { Layout } from "#core/mesh";
import { producedLayout, strategiesToWrite } from "#core/plan";
import type { PlanReshard } from "#core/reshard";
import type { Document } from "#language/document";
import { planLinesAt, targetAt } from "#language/document/edit";
import { planLines } from "./plan-lines.ts";
import {
  dimLists,
  layoutsAgree,
  named,
  type PlannedProgram,
  strategyWords,
  unplacedLayouts,
} from "./planned-words.ts";

/**
 * Strategy and placement lines that state a plan, for a text from which its plan statements are
 * removed.
 */
export function linesFor(
  bare: Document,
  planned: PlannedProgram,
  manner: Manner,
  planReshard: PlanReshard,
) {
  const { wildcards, modules: usesModules } = manner;
  const { graph, mesh, requests } = bare;
  const { strategies, rest } = planned;
  const inferred = unplacedLayouts(bare, strategies);
  const isLaid = ({ id }: Tensor) => {
    const wanted = rest.get(id);
    const layout = requests.placements.get(id)?.layout ?? inferred.get(id);
    return wanted === undefined || layout === undefined || layoutsAgree(layout, wanted);
  };
  const ends = chosenEnds(bare, planned);
  const placements = new Map(requests.placements);
  for (const [id, layout] of rest) {
    const isSaid = !layoutsAgree(inferred.get(id), layout) || placements.has(id);
    if (isSaid) placements.set(id, { layout, status: "set" });
  }
  const unsaid = strategiesToWrite(
    graph,
    mesh.mesh,
    { ...requests, placements },
    strategies,
    planReshard,
  );
  const namesOf = (all: readonly { readonly name: string }[]) => all.map(({ name }) => name);
  const targetOf = usesModules ? moduleTargets(bare) : ({ name }: Operator) => name;
  const wanted = graph.operators.flatMap((operator) => {
    const strategy = strategies.get(operator.id);
    return strategy === undefined ? [] : [[targetOf(operator), strategy] as const];
  });
  const placed = graph.tensors.filter((each) => ends.has(each.id) || !isLaid(each));
  return {
    strategies: planLines(
      {
        needed: graph.operators.filter(({ id }) => unsaid.has(id)).map(targetOf),
        wanted: new Map(wanted),
        names: graph.operators.map(targetOf),
        textOf: strategyWords,
      },
      wildcards,
    ),
    places: planLines(
      {
        needed: namesOf(placed),
        wanted: named(graph.tensors, new Map([...rest, ...ends])),
        names: namesOf(graph.tensors),
        textOf: (layout) => JSON.stringify(dimLists(layout)),
      },
      wildcards,
    ),
  };
}

/** The target of each operator: its variable, else its path in the text. */
function moduleTargets(document: Document): (operator: Operator) => string {
  const { targetOf } = operatorTargets(document.graph.operators);
  const at = planLinesAt(document);
  return (operator) => {
    const { name } = operator;
    return targetAt(document, name, at) === name ? name : targetOf(operator);
  };
}

/**
 * Final layouts of partial program results that differ from their plain sum and must be placed in
 * the text. In a training step there are none: a placed loss would give its gradient that layout.
 */
function chosenEnds(document: Document, planned: PlannedProgram): ReadonlyMap<TensorId, Layout> {
  return document.training === undefined ? otherEnds(document, planned) : new Map();
}

/** Final layouts of results that differ from the plain sum of the produced value. */
function otherEnds(
  { graph, mesh, requests }: Document,
  { strategies, ends }: PlannedProgram,
): ReadonlyMap<TensorId, Layout> {
  const makers = new Map(
    graph.operators.flatMap((operator) =>
      operator.outputs.map((operand) => [operand.tensor, { operator, operand }] as const),
    ),
  );
  return new Map(
    [...ends].filter(([id, end]) => {
      const maker = makers.get(id);
      const strategy = maker && strategies.get(maker.operator.id);
      if (maker === undefined || strategy === undefined) return false;
      if (requests.placements.has(id) || maker.operator.reducesInside) return false;
      const plan = { strategy, mesh: mesh.mesh, status: "set" } as const;
      const made = producedLayout(maker.operator, maker.operand, plan);
      return made.partials.length > 0 && !layoutsAgree({ ...made, partials: [] }, end);
    }),
  );
}

/** A note on results of a training step whose final layout in the plan the text cannot state. */
export function unsaidEnds(document: Document, planned: PlannedProgram): readonly Diagnostic[] {
  if (document.training === undefined) return [];
  const ends = otherEnds(document, planned);
  const names = document.graph.tensors.filter(({ id }) => ends.has(id)).map(({ name }) => name);
  if (names.length === 0) return [];
  const list = names.map((name) => `"${name}"`).join(", ");
  return [
    {
      code: "planner/unsaid-end",
      severity: "info",
      message: `a training step has no words for how ${list} ends in this plan: the text ends it in its sum`,
    },
  ];
}

/** A way to write a plan. The next way is tried if the written text does not give the plan. */
export interface Manner {
  /** Whether operators without a statement are written in a system's own words. */
  readonly passages: boolean;
  /** Whether a system's own calls are changed: `.shard(…)`, `graph.partition(…)`. */
  readonly entries: boolean;
  /** Whether contradicting calls are changed in place. */
  readonly rewrites: boolean;
  readonly wildcards: boolean;
  /** Whether layers are named by their paths. */
  readonly modules: boolean;
}
