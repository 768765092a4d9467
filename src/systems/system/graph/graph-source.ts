import type { Diagnostic } from "#core/diagnostics";
import type { Graph } from "#core/ir";
import type { GraphFormat, GraphWords } from "./graph-format.ts";
import type { NodeView } from "./imported-graph.ts";

/**
 * A graph format that can only be read: how to recognise its texts, and how to read one. `formatOf`
 * makes a full format of it, with a plan beside the text.
 */
export interface GraphSource {
  readonly words: GraphWords;
  readonly isOne: (text: string) => boolean;
  /** Reads a text; parts that cannot be read are left out with a diagnostic. */
  readonly read: (text: string) => GraphRead;
}

/** A graph read from a text. */
export interface GraphRead {
  readonly graph: Graph;
  readonly diagnostics: readonly Diagnostic[];
  /** Nodes of the text from which tensors and operators were made, where known. */
  readonly nodes?: readonly NodeView[];
}

/**
 * The full format of a source: plans are read as beside any graph.
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
