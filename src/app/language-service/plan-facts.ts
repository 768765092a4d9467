import type { Compiled } from "#compile";
import type { Graph } from "#core/ir";
import type { TwoTexts } from "#language/texts";
import { namesOf, tokensOf } from "#language/tokens";
import { readPlan } from "#systems";
import type { Facts } from "./facts.ts";
import { compileTwo } from "./two-texts.ts";

/** The plan beside a graph as a text of its own, with offsets in the plan. */
export function planFactsOf(texts: TwoTexts, compiled: Compiled): Facts {
  const { plan, json } = texts;
  return {
    source: plan,
    document: readPlan(plan, compiled.graph, { mesh: compiled.mesh.mesh }),
    compiled: { ...compiled, source: plan, graph: withoutPlaces(compiled.graph) },
    tokens: tokensOf(plan),
    names: namesOf(plan),
    reread: (changed) => {
      const next = { json, plan: changed, planFrom: texts.planFrom };
      return planFactsOf(next, compileTwo(next));
    },
  };
}

/** Removes the nodes' spans, which refer to the JSON and not to the plan. */
function withoutPlaces(graph: Graph): Graph {
  return {
    ...graph,
    tensors: graph.tensors.map(({ span: _, ...tensor }) => tensor),
    operators: graph.operators.map(({ span: _, ...operator }) => operator),
  };
}
