import type { Platform } from "#core/cost";
import type { Diagnostic, Fix, Span, TextEdit } from "#core/diagnostics";
import type { Box } from "#core/indexspace";
import type { Graph } from "#core/ir";
import type { DeviceMesh } from "#core/mesh";
import type { Plan } from "#core/plan";
import type { BesidePlan, Document } from "#language/document";
import type { TwoTexts } from "#language/texts";
import type { CompletionList, Hover } from "./explain.ts";
import type { GraphDialect, GraphReading, ImportedGraph, OperandView } from "./imported-graph.ts";

/**
 * Texts that are no programs but graphs, whose nodes say all that there is. Their plan stands beside
 * them, in the native words.
 */
export interface GraphFormat {
  readonly words: GraphWords;
  /** Whether a text is such a graph, as a whole or still being typed. */
  readonly isOne: (text: string) => boolean;
  /** Reads a graph and its plan; what cannot be read is a diagnostic, the rest stands. */
  readonly read: (text: string, options: ReadGraphOptions) => GraphDocuments;
  /** A program, or a graph of this format with a plan, as a text of it. */
  readonly write: (planned: PlannedGraph, options: WriteGraphOptions) => WrittenGraph;
  /** What is known of a text of it; places of the plan count in the plan. */
  readonly explains: (texts: TwoTexts, reading: GraphReading | undefined) => ExplainedGraph;
  /** What a change by hand does to a text of it; `undefined` where what it changes is not there. */
  readonly edit: (text: string, edit: GraphEdit) => readonly TextEdit[] | undefined;
  /** The data types that a plan allows its graph; nothing where it does not say. */
  readonly allowedDtypes: (plan: string) => readonly string[] | undefined;
  /** What the plan can say about a fault of the graph; the edits count in the plan. */
  readonly fixInPlan: (fault: Diagnostic, texts: TwoTexts) => Fix | undefined;
}

/** A change by hand of a graph itself; nodes are named by their ids. */
export type GraphEdit =
  | {
      readonly kind: "set-range";
      readonly node: string;
      /** Which of the selections of the node. */
      readonly selection: Pick<OperandView, "side" | "name" | "position">;
      readonly range: Box;
    }
  | { readonly kind: "remove-node"; readonly node: string };

/** What people call a format, for screens that do not load what reads it. */
export interface GraphWords {
  /** The name of one graph: `LoomGraph`. */
  readonly title: string;
  /** The name of the format as a target of `export`. */
  readonly target: string;
  /** The data types that its own tools know, where it has tools that know fewer than ours. */
  readonly ownDtypes: { readonly of: string; readonly names: readonly string[] };
}

/** What a graph is read with. */
export interface ReadGraphOptions {
  readonly planText?: string;
  readonly platform?: Platform;
  /** The data types that its tensors may have. */
  readonly dtypes?: readonly string[];
  /** By default with shards if there are any in the text. */
  readonly dialect?: GraphDialect;
  /** Reads the plan in the words of every system. */
  readonly readPlan: (source: string, graph: Graph, beside: BesidePlan) => Document;
}

/** A graph with the plan beside it. */
export interface GraphDocuments {
  /** The plan over the graph: its `source` is the plan text. */
  readonly document: Document;
  /**
   * The document with what the shards of the graph say written into its text: their mesh, with
   * `isWhole` their cuts too. The same where the text says it all.
   */
  readonly written: (isWhole: boolean) => Document;
  readonly imported: ImportedGraph;
  /** Of the graph alone. */
  readonly diagnostics: readonly Diagnostic[];
}

/** What of a compiled text a format writes. */
export interface PlannedGraph {
  readonly source: string;
  readonly planText?: string;
  readonly imported?: ImportedGraph;
  readonly mesh: { readonly mesh: DeviceMesh };
  readonly graph: Graph;
  readonly plan: Plan;
  /** The program that runs, with the operators of a training step. */
  readonly program: { readonly graph: Graph };
}

/** How a program is written as a graph. */
export interface WriteGraphOptions {
  /** Whole operations, or with the shards of the plan as well; by default as there are devices. */
  readonly dialect?: GraphDialect;
  /**
   * Of annotated operators: whether frozen and summed axes stay out of the index. When unsaid they
   * do, except of an operator whose plan cuts one.
   */
  readonly form?: "closed" | "open";
}

/** A written graph with the plan beside it. */
export interface WrittenGraph {
  readonly text: string;
  /** Of whole operations, which have no shards; empty where there is nothing to say. */
  readonly planText: string;
  /** What could not be written as it is. */
  readonly diagnostics: readonly Diagnostic[];
}

/** What an editor shows of a graph; offsets count in its text. */
export interface ExplainedGraph {
  readonly hover: (offset: number) => Hover | undefined;
  readonly complete: (offset: number) => CompletionList;
  readonly definition: (offset: number) => Span | undefined;
  /** Where the node stands that a plan calls by this name. */
  readonly nodeNamed: (name: string) => Span | undefined;
  /** Why a node cannot be renamed as a variable is. */
  readonly noRename: string;
}
