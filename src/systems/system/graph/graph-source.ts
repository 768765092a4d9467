import type { Diagnostic } from "#core/diagnostics";
import type { Graph } from "#core/ir";
import type { GraphFormat, GraphWords } from "./graph-format.ts";
import type { NodeView } from "./imported-graph.ts";

/**
 * A format of graphs that can only be read: how to recognise its texts, and how to read one. A page
 * and a plan beside the text follow from these (`formatOf`).
 */
export interface GraphSource {
  readonly words: GraphWords;
  readonly isOne: (text: string) => boolean;
  /** What cannot be read is a diagnostic, and left out of the graph. */
  readonly read: (text: string) => GraphRead;
}

/** A text as a graph. */
export interface GraphRead {
  readonly graph: Graph;
  readonly diagnostics: readonly Diagnostic[];
  /** What of the text each tensor and operator was made from, where that is known. */
  readonly nodes?: readonly NodeView[];
}

/**
 * The format of a source: plans beside its texts are read as beside all graphs.
 *
 * @internal
 */
export function formatOf({ words, isOne, read }: GraphSource): GraphFormat {
  return {
    words,
    isOne,
    read: (text, { planText = "", platform, readPlan }) => {
      const { graph, diagnostics, nodes = [] } = read(text);
      const beside = { title: `a ${words.title}`, ...(platform !== undefined && { platform }) };
      const document = readPlan(planText, graph, beside);
      return {
        document,
        written: () => document,
        imported: { nodes, operations: [], dialect: "op", stages: [], issues: [] },
        diagnostics,
      };
    },
    explains: (_, reading) => ({
      hover: () => undefined,
      complete: (offset) => ({ span: { from: offset, to: offset }, items: [] }),
      definition: () => undefined,
      nodeNamed: (name) => reading?.nodes.find(({ id }) => id === name)?.span,
      noRename: `names are those of the ${words.title}`,
    }),
    edit: () => undefined,
    allowedDtypes: () => undefined,
    fixInPlan: () => undefined,
  };
}
