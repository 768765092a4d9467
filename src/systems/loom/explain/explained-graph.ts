import type { TwoTexts } from "#language/texts";
import type { ExplainedGraph, GraphReading } from "#systems/system/graph";
import { completeLoom } from "./complete.ts";
import { loomFactsOf } from "./facts.ts";
import { definitionInLoom, hoverLoom } from "./hover.ts";

/** Editor services of a LoomGraph: hovers, completions, definitions. */
export function explainedGraph(texts: TwoTexts, reading: GraphReading | undefined): ExplainedGraph {
  const facts = loomFactsOf(texts, reading);
  return {
    hover: (offset) => hoverLoom(facts, offset),
    complete: (offset) => completeLoom(facts, offset),
    definition: (offset) => definitionInLoom(facts, offset),
    nodeNamed: (name) => facts.nodes.find(({ label, id }) => (label ?? id) === name)?.span,
    noRename: "a node of a LoomGraph is known by its id; edit its label",
  };
}
